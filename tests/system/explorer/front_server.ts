/**
 * A listener of this process, behind which a test exchanges what answers.
 *
 * @module
 */

import { loadPageFiles } from "../../../src/http/gateway/explorer_assets.ts";
import { answerPage } from "../../../src/http/gateway/explorer_routes.ts";
import { RequestContext } from "../../../src/http/request_context.ts";

/** Answers one request. */
export type Answer = (request: Request) => Response | Promise<Response>;

export class FrontServer implements AsyncDisposable {
  readonly url: string;
  /** What answers from now on. */
  answer: Answer;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #ending = new AbortController();

  constructor(answer: Answer) {
    this.answer = answer;
    const { signal } = this.#ending;
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, signal, onListen: () => {} },
      (request) => this.answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#server.finished;
  }
}

/** Answers with the explorer as the gateway serves it, and with `answer` whatever is no part of it. */
export async function withPage(answer: Answer): Promise<Answer> {
  const files = await loadPageFiles();
  return (request) => answerPage(files, new RequestContext(request)) ?? answer(request);
}
