/**
 * Debian's Chromium for all tests of the explorer. Each visit is a new user, with empty storage, also
 * where it gets the tab of an earlier visit. Everything that a page asks for or complains of is kept.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type ConsoleMessage,
  type Page,
  type Request as PageRequest,
  type WebError,
} from "playwright-core";

/** Milliseconds that a page has for one step. A busy machine takes seconds for what takes none. */
const STEP_TIMEOUT_MS = 150_000;

/** Chromium fetches nothing by itself, reaches this machine only, and starts no process before it is needed. */
const FLAGS = [
  "--renderer-process-limit=1",
  "--disable-gpu",
  "--disable-quic",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** Pixels below which a window is a phone's. */
const PHONE_WIDTH = 500;

/** What a page asked a server for. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: URL;
  /** What was sent, empty when nothing was. */
  readonly body: string;
}

/** How a visit looks at the page. */
export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly isDark?: boolean;
  readonly hasReducedMotion?: boolean;
  /** Pixels of the device for each of the page. */
  readonly deviceScaleFactor?: number;
  /** Whether nothing is in the browser's cache. */
  readonly hasEmptyCache?: boolean;
}

/** A context with one page. A new one for each visit takes two more processes of Chromium. */
interface Tab {
  readonly context: BrowserContext;
  readonly page: Page;
}

export class Chromium implements AsyncDisposable {
  readonly #browser: Browser;
  /** Tabs without a visit, by the kind of their device. */
  readonly #idle = new Map<string, Tab[]>();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<Chromium> {
    return new Chromium(
      await chromium.launch({
        executablePath: "/usr/bin/chromium",
        // The sandbox cannot be had as root, and every page is ours.
        chromiumSandbox: false,
        timeout: STEP_TIMEOUT_MS,
        args: FLAGS,
      }),
    );
  }

  /** Opens `url` as a user who was never there. */
  async visit(url: string, options: VisitOptions = {}): Promise<Visit> {
    const { width = 1280, height = 800, isDark = false, hasReducedMotion = true } = options;
    const device: BrowserContextOptions = {
      deviceScaleFactor: options.deviceScaleFactor ?? 1,
      // A phone's scroll bars take no room, and its fingers are no mouse.
      ...(width < PHONE_WIDTH && { isMobile: true, hasTouch: true }),
    };
    const kind = JSON.stringify(device);
    const idle = this.#idle.get(kind) ?? [];
    this.#idle.set(kind, idle);
    const kept = options.hasEmptyCache ? undefined : idle.pop();
    const tab = kept ?? await this.#open({ viewport: { width, height }, ...device });
    const visit = new Visit(tab, () => idle.push(tab));
    try {
      if (kept !== undefined) await tab.page.setViewportSize({ width, height });
      await tab.page.emulateMedia({
        media: null,
        colorScheme: isDark ? "dark" : "light",
        reducedMotion: hasReducedMotion ? "reduce" : "no-preference",
      });
      await visit.page.goto(url);
      return visit;
    } catch (error) {
      await tab.context.close();
      throw error;
    }
  }

  async #open(options: BrowserContextOptions): Promise<Tab> {
    const context = await this.#browser.newContext({
      ...options,
      locale: "en-GB",
      timezoneId: "UTC",
      permissions: ["clipboard-read", "clipboard-write"],
    });
    context.setDefaultTimeout(STEP_TIMEOUT_MS);
    return { context, page: await context.newPage() };
  }

  /** Bytes of memory of their own that all processes of the browser have now. */
  async memoryBytes(): Promise<number> {
    const session = await this.#browser.newBrowserCDPSession();
    try {
      const { processInfo } = await session.send("SystemInfo.getProcessInfo");
      const sizes = await Promise.all(processInfo.map(({ id }) => privateBytes(id)));
      return sizes.reduce((sum, size) => sum + size, 0);
    } finally {
      await session.detach();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
  }
}

/** One user with one page, until it is disposed of. */
export class Visit implements AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly requests: RecordedRequest[] = [];
  /** What the page threw, or had refused by its policy. */
  readonly faults: string[] = [];
  readonly #finished: PageRequest[] = [];
  readonly #listening = new DisposableStack();
  readonly #release: () => void;
  #hasScripts = false;

  /** Calls `release` when the tab has nothing of this visit any more. */
  constructor({ context, page }: Tab, release: () => void) {
    this.context = context;
    this.page = page;
    this.#release = release;
    const onRequest = (request: PageRequest) =>
      this.requests.push({
        method: request.method(),
        url: new URL(request.url()),
        body: request.postData() ?? "",
      });
    const onFinished = (request: PageRequest) => this.#finished.push(request);
    const onError = (error: WebError) => this.faults.push(String(error.error()));
    const onConsole = (message: ConsoleMessage) => {
      const text = message.text();
      if (message.type() === "error" && !isAnsweredRefusal(text)) this.faults.push(text);
    };
    context.on("request", onRequest);
    context.on("requestfinished", onFinished);
    context.on("weberror", onError);
    context.on("console", onConsole);
    this.#listening.defer(() => {
      context.off("request", onRequest);
      context.off("requestfinished", onFinished);
      context.off("weberror", onError);
      context.off("console", onConsole);
    });
  }

  /** Runs `script` before the scripts of each page that is loaded from now on. */
  async runFirst(script: () => void): Promise<void> {
    // Playwright cannot take it back.
    this.#hasScripts = true;
    await this.page.addInitScript(script);
  }

  /** What was sent since the page was opened, of requests that can send something. */
  get sent(): RecordedRequest[] {
    return this.requests.filter(({ method }) => method !== "GET" && method !== "HEAD");
  }

  /** Requires that nothing was thrown or refused, and that no other host was asked for anything. */
  assertContained(origin: string): void {
    assert.deepEqual(this.faults, []);
    const places = this.requests.map(({ url }) => url)
      .filter(({ protocol }) => protocol !== "blob:" && protocol !== "data:")
      .map((url) => url.origin);
    assert.deepEqual([...new Set(places)], [new URL(origin).origin]);
  }

  /** Bytes of the bodies of all answers but modules of WebAssembly, as they were transferred. */
  async transferredBytes(): Promise<number> {
    const shown = this.#finished.filter((request) => !request.url().endsWith(".wasm"));
    const sizes = await Promise.all(shown.map((request) => request.sizes()));
    return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
  }

  /** The page's own storage for the site. */
  stored(): Promise<Readonly<Record<string, string>>> {
    return this.page.evaluate(() => ({ ...localStorage }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listening.dispose();
    if (!this.#hasScripts && await this.#isEmptied()) this.#release();
    else await this.context.close();
  }

  /** Removes all that the visit left in its tab; false if that fails. */
  async #isEmptied(): Promise<boolean> {
    const { page, context } = this;
    try {
      await page.unrouteAll({ behavior: "ignoreErrors" });
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.evaluate(() => sessionStorage.clear());
      await page.goto("about:blank");
      const session = await context.newCDPSession(page);
      const urls = this.requests.map(({ url }) => url).filter(({ host }) => host !== "");
      for (const origin of new Set(urls.map((url) => url.origin))) {
        await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
      }
      await session.detach();
      return true;
    } catch {
      return false;
    }
  }
}

/** Bytes of process `id` that no file is behind; 0 when it has ended. */
async function privateBytes(id: number): Promise<number> {
  try {
    const status = await Deno.readTextFile(`/proc/${id}/status`);
    return 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

/** Chromium reports each answer above 399 and each lost connection as an error of the page. */
function isAnsweredRefusal(text: string): boolean {
  return text.startsWith("Failed to load resource:");
}
