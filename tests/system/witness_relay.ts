/**
 * Passes requests of one process to a witness, and records the answers.
 *
 * @module
 */

export class WitnessRelay implements AsyncDisposable {
  readonly url: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** `answered` gets the status of each answer. */
  constructor(witness: string, answered: (status: number) => void) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        const { pathname } = new URL(request.url);
        const { method, headers } = request;
        const body = await request.bytes();
        const answer = await fetch(new URL(pathname.slice(1), witness), { method, headers, body });
        answered(answer.status);
        const type = answer.headers.get("Content-Type") ?? "text/plain";
        return new Response(await answer.bytes(), {
          status: answer.status,
          headers: { "Content-Type": type },
        });
      },
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}/`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
