/**
 * A proxy that serves a gateway below a path, as `location /attest/ { proxy_pass http://gateway/; }` of
 * nginx does.
 *
 * @module
 */

const PREFIX = "/attest/";

export class PrefixProxy implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** Passes requests on to the gateway at `target`, without a slash at the end. */
  constructor(target: string) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname, search } = new URL(request.url);
        if (!pathname.startsWith(PREFIX)) return new Response("Not the gateway", { status: 404 });
        const headers = new Headers(request.headers);
        headers.delete("Host");
        // The body of the answer arrives decoded.
        headers.delete("Accept-Encoding");
        const { method, body } = request;
        const path = pathname.slice(PREFIX.length - 1);
        return await fetch(target + path + search, {
          method,
          headers,
          body,
          redirect: "manual",
        });
      },
    );
  }

  /** Where clients find the gateway. Ends with a slash. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}${PREFIX}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
