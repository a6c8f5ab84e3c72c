/**
 * Debian's Chromium, without a window, on one page of a site of this process.
 *
 * @module
 */

/** Milliseconds that a page has to report. */
const REPORT_TIMEOUT_MS = 240_000;

/** No window, nothing of its own to fetch, and no host but the site's. */
const FLAGS = [
  "--headless",
  // The sandbox cannot be had as root, and every page is ours.
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

/** A browser that is running. */
class Browser implements AsyncDisposable {
  readonly #folder: string;
  readonly #process: Deno.ChildProcess;
  readonly #output: Promise<Deno.CommandOutput>;

  private constructor(folder: string, process: Deno.ChildProcess) {
    this.#folder = folder;
    this.#process = process;
    this.#output = process.output();
  }

  static async start(url: string): Promise<Browser> {
    const folder = await Deno.makeTempDir();
    try {
      const command = new Deno.Command("chromium", {
        args: [...FLAGS, `--user-data-dir=${folder}`, url],
        env: { HOME: folder, TMPDIR: folder },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      });
      return new Browser(folder, command.spawn());
    } catch (error) {
      await Deno.remove(folder, { recursive: true });
      throw error;
    }
  }

  /** Rejects when it ends, with what it said. */
  async ended(): Promise<never> {
    const { code, stderr } = await this.#output;
    throw new Error(`Chromium ended with ${code}: ${new TextDecoder().decode(stderr)}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#process.kill("SIGTERM");
    } catch (error) {
      // It has ended by itself.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
    await this.#output;
    await Deno.remove(this.#folder, { recursive: true });
  }
}

/**
 * Opens `path` of a site on the loopback interface that answers with `answer`, and waits for what
 * the page there posts to `/report` as JSON.
 */
export async function reportOf(
  path: string,
  answer: (path: string) => Response,
): Promise<unknown> {
  const report = Promise.withResolvers<unknown>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname !== "/report") return answer(pathname);
      report.resolve(await request.json());
      return new Response(null, { status: 204 });
    },
  );
  const timer = setTimeout(
    () => report.reject(new Error(`No report from ${path} in ${REPORT_TIMEOUT_MS} ms`)),
    REPORT_TIMEOUT_MS,
  );
  try {
    await using browser = await Browser.start(`http://127.0.0.1:${server.addr.port}${path}`);
    return await Promise.race([report.promise, browser.ended()]);
  } finally {
    clearTimeout(timer);
    await server.shutdown();
  }
}
