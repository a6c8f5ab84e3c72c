/**
 * Stands between clients and a gateway, and holds everything that passes against the OpenAPI
 * document that this gateway serves.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ApiDocument } from "./api_document.ts";

/** Paths of pages, assets and event streams, which are not in the document. */
const UNDOCUMENTED = /^\/(ws\/|v1\/events|asyncapi\.json|assets\/|explorer|favicon|$)/;

/** Headers between two neighbours, which are not passed on. */
const HOP_HEADERS = ["connection", "content-encoding", "content-length", "transfer-encoding"];

/** A server on a free port. */
export class ValidatingProxy implements AsyncDisposable {
  readonly #target: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #faults: string[] = [];
  #document: Promise<ApiDocument> | undefined;
  #checked = 0;

  /** Passes everything on to the gateway at `target`, without a slash at the end. */
  constructor(target: string) {
    this.#target = target;
    this.#server = Deno.serve({
      hostname: "127.0.0.1",
      port: 0,
      onListen: () => {},
      // A gateway that dies in the midst of an answer takes the client's connection with it.
      onError: () => new Response(null, { status: 502 }),
    }, (request) => this.#pass(request));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Exchanges that were held against the document. */
  get checked(): number {
    return this.#checked;
  }

  /** Ends, and requires that there was no mismatch. */
  async close(): Promise<void> {
    await this.#server.shutdown();
    assert.deepEqual(this.#faults, []);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #pass(request: Request): Promise<Response> {
    const path = request.url.slice(new URL(request.url).origin.length);
    const body = await request.text();
    const answer = await fetch(this.#target + path, {
      method: request.method,
      headers: without(request.headers, ["host", ...HOP_HEADERS]),
      redirect: "manual",
      ...(body !== "" && { body }),
    });
    if (UNDOCUMENTED.test(path)) return answer;
    const bytes = await answer.bytes();
    const { method } = request;
    const { status, headers } = answer;
    const text = new TextDecoder().decode(bytes);
    await this.#check({ method, path, sent: request.headers, body, status, headers, text });
    const isEmpty = method === "HEAD" || status === 204 || status === 304;
    return new Response(isEmpty ? null : bytes, { status, headers: without(headers, HOP_HEADERS) });
  }

  async #check(exchange: Parameters<ApiDocument["check"]>[0]): Promise<void> {
    try {
      this.#document ??= this.#readDocument();
      (await this.#document).check(exchange);
      this.#checked++;
    } catch (error) {
      this.#faults.push(error instanceof Error ? error.message : String(error));
    }
  }

  async #readDocument(): Promise<ApiDocument> {
    return new ApiDocument(await (await fetch(`${this.#target}/openapi.json`)).text());
  }
}

function without(headers: Headers, names: readonly string[]): Headers {
  const left = new Headers(headers);
  for (const name of names) left.delete(name);
  return left;
}
