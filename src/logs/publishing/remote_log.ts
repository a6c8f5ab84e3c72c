/**
 * A log or mirror that is read over HTTP, of any implementation of c2sp.org/tlog-tiles.
 *
 * @module
 */

import { type Bytes, textOf } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { type GatewayConnection, isTemporary } from "../../client/gateway_connection.ts";
import { GatewayRefusal } from "../../proof/format/gateway_refusal.ts";
import { type TileAddress, tilePath } from "../../proof/merkle/tile.ts";
import { parseSuccessionChain, type SuccessionLink } from "../../proof/format/succession.ts";
import { CHECKPOINT_PATH, type LogSource, readLinks } from "./ports.ts";

/** Methods reject as `connection` does, after a few retries. */
export class RemoteLog implements LogSource {
  readonly name: string;
  readonly #connection: Pick<GatewayConnection, "bytes" | "withRetries" | "url">;

  constructor(connection: Pick<GatewayConnection, "bytes" | "withRetries" | "url">) {
    this.name = connection.url.href;
    this.#connection = connection;
  }

  /**
   * `undefined` only if a gateway says that its log is empty. Any other 404 rejects with `no_tree_head`: a
   * file server answers it for a log without a checkpoint, and every server for a wrong URL.
   */
  async checkpoint(signal?: AbortSignal): Promise<string | undefined> {
    try {
      const bytes = await this.#request("checkpoint", CHECKPOINT_PATH, signal);
      return textOf(bytes, "gateway_refused");
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (error.reason === "no_tree_head") return undefined;
      throw new CountersignError(
        "no_tree_head",
        `${error.message}: there is no log at ${this.name}, or it has no checkpoint yet. Check the URL`,
        { cause: error },
      );
    }
  }

  tile({ level, index, width }: TileAddress, signal?: AbortSignal): Promise<Bytes | undefined> {
    return this.#get(
      level === "entries" ? "entries" : "tile",
      tilePath(level, index, width),
      signal,
    );
  }

  /** As a gateway answers it, or as a copy stores it. */
  async succession(signal?: AbortSignal): Promise<{ readonly value: readonly SuccessionLink[] }> {
    const chain = await this.#get("succession", "v1/succession", signal);
    if (chain !== undefined) {
      return { value: parseSuccessionChain(textOf(chain, "malformed_bundle"), "malformed_bundle") };
    }
    return { value: await readLinks((path) => this.#get("succession", path, signal)) };
  }

  async #get(what: string, path: string, signal?: AbortSignal): Promise<Bytes | undefined> {
    try {
      return await this.#request(what, path, signal);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  #request(what: string, path: string, signal?: AbortSignal): Promise<Bytes> {
    return this.#connection.withRetries(
      () => this.#connection.bytes({ what, path }, signal),
      { isTransient: isTemporary, signal },
    );
  }
}

function isMissing(error: unknown): error is GatewayRefusal {
  return error instanceof GatewayRefusal && error.status === 404;
}
