/**
 * The reader's API key for a private gateway. It is kept in this tab until it is closed, and is sent to
 * the page's own gateway only.
 *
 * @module
 */

import type { PageStorage } from "./browser_storage.ts";
import { Store } from "./store.ts";

const ENTRY = "api-key";

/** `wanted`: the gateway requires a key; `refused`: it does not accept this one. */
export interface ApiKeyState {
  readonly key: string | undefined;
  readonly fault: "wanted" | "refused" | undefined;
  /** Counts the keys that the reader entered, so that pages load again. */
  readonly version: number;
}

/** One for the life of the page. */
export class ApiKeyStore extends Store<ApiKeyState> {
  readonly #storage: PageStorage;

  /** `storage` ends with the tab. */
  constructor(storage: PageStorage) {
    super({ key: storage.read(ENTRY), fault: undefined, version: 0 });
    this.#storage = storage;
  }

  /** Uses `key`, or none if it is empty. */
  use(key: string): void {
    if (key === "") this.#storage.remove(ENTRY);
    else this.#storage.write(ENTRY, key);
    const { version } = this.state;
    this.setState({ key: key || undefined, fault: undefined, version: version + 1 });
  }

  /** Call with each answer of the gateway, to a request with `sentKey`. */
  answered({ status, headers }: Response, sentKey: string | undefined): void {
    const challenge = headers.get("WWW-Authenticate") ?? "";
    if (status !== 401 || !/^bearer /i.test(challenge)) return;
    // A request from before the last change.
    if (sentKey !== this.state.key) return;
    const fault = sentKey === undefined ? "wanted" : "refused";
    if (this.state.fault !== fault) this.setState({ ...this.state, fault });
  }

  /** `fetch`, with the key. */
  readonly fetch: typeof fetch = async (input, init) => {
    const { key } = this.state;
    const headers = new Headers(init?.headers);
    if (key !== undefined) headers.set("Authorization", `Bearer ${key}`);
    const response = await fetch(input, { ...init, headers });
    this.answered(response, key);
    return response;
  };
}
