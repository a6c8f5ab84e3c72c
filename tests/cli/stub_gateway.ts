/**
 * A gateway on a loopback port with the answers of the test, lies included. By default
 * it answers for a {@linkcode TestLog} truthfully.
 *
 * @module
 */

import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { TestLog } from "../proof/verify/test_log.ts";

type Answer = (request: Request, url: URL) => Response | Promise<Response>;

/** A problem document of protocol.md "Errors". */
export function problem(
  status: number,
  code: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ type: "about:blank", title: code, status, detail: `No: ${code}`, code }, {
    status,
    headers: { "Content-Type": "application/problem+json", ...headers },
  });
}

export class StubGateway implements AsyncDisposable {
  readonly url: string;
  /** "METHOD path?query" of every request so far. */
  readonly requests: string[] = [];
  /** Answers in place of the truthful ones, by path. */
  readonly lies = new Map<string, Answer>();
  /** Sizes of the published tree heads, ascending. */
  readonly sizes: number[];
  readonly #log: TestLog;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(log: TestLog, sizes: readonly number[], port = 0) {
    this.#log = log;
    this.sizes = [...sizes];
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port, onListen: () => {} },
      (request) => this.#answer(request),
    );
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  sth(size: number): SignedTreeHead {
    return this.#log.sth(size, 1_766_275_300 + size);
  }

  bundle(sequence: number): ProofBundle {
    const size = this.sizes.find((closing) => closing > sequence);
    const inclusion = size === undefined
      ? null
      : this.#log.batchInclusion(sequence, this.sth(size));
    return this.#log.bundle(sequence, inclusion);
  }

  /** The job snapshot of a hash, confirmed when the log holds it. */
  job(hash: string): Record<string, unknown> {
    const sequence = this.#find(hash);
    const times = { attempts: 1, created_at: 1_766_275_200, updated_at: 1_766_275_201 };
    if (sequence === undefined) {
      return { hash, status: "pending", progress: "unconfirmed", ...times, next_attempt_at: 1 };
    }
    const size = this.sizes.find((closing) => closing > sequence);
    return {
      hash,
      status: "confirmed",
      progress: size === undefined ? "confirmed" : "batched",
      ...times,
      signed_attestation: this.#log.attestations[sequence],
      ...(size !== undefined && { batch_id: size }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const url = new URL(request.url);
    this.requests.push(`${request.method} ${url.pathname}${url.search}`);
    const lie = this.lies.get(url.pathname);
    if (lie !== undefined) return await lie(request, url);
    if (request.method === "POST") return await this.#submit(request, url);
    return this.#truth(url);
  }

  async #submit(request: Request, url: URL): Promise<Response> {
    const body = await request.json();
    if (url.pathname === "/v1/attestations") return Response.json(this.job(body.hash));
    return Response.json(body.hashes.map((hash: string) => this.job(hash)));
  }

  #truth(url: URL): Response {
    const [, version, kind = "", hash = ""] = url.pathname.split("/");
    if (version !== "v1") return problem(404, "route_not_found");
    if (kind === "network") return Response.json(this.#log.network.configuration);
    if (kind === "config") return Response.json(this.#summary());
    if (kind === "log") return this.#logAnswer(url);
    const sequence = this.#find(hash);
    if (sequence === undefined) return problem(404, "hash_unknown");
    switch (kind) {
      case "attestations":
        return Response.json(this.job(hash));
      case "bundle":
        return Response.json(this.bundle(sequence));
      case "anchors":
        return Response.json([]);
      case "proof": {
        const proof = this.bundle(sequence).batch_inclusion?.merkle_proof;
        return proof === undefined ? problem(404, "not_batched") : Response.json(proof);
      }
    }
    return problem(404, "route_not_found");
  }

  #logAnswer({ pathname, searchParams }: URL): Response {
    const number = (name: string) => Number(searchParams.get(name));
    const [, , , route, size] = pathname.split("/");
    switch (route) {
      case "sth":
        return this.#publishedSth(size === undefined ? this.sizes.at(-1) : Number(size));
      case "consistency":
        return this.#consistency(number("first"), number("second"));
      case "proof": {
        const sequence = this.#find(searchParams.get("hash") ?? "");
        if (sequence === undefined) return problem(404, "hash_unknown");
        return Response.json(this.#log.inclusionProof(sequence, this.sth(number("tree_size"))));
      }
    }
    return problem(404, "route_not_found");
  }

  #summary(): Record<string, unknown> {
    const { id, threshold, signature_scheme, witnesses } = this.#log.network.configuration;
    return { id, threshold, signature_scheme, witness_count: witnesses.length };
  }

  #publishedSth(size: number | undefined): Response {
    if (size === undefined) return problem(404, "no_tree_head");
    if (!this.sizes.includes(size)) return problem(404, "tree_size_not_published");
    return Response.json(this.sth(size));
  }

  #consistency(first: number, second: number): Response {
    if (!this.sizes.includes(first) || !this.sizes.includes(second)) {
      return problem(404, "tree_size_not_published");
    }
    return Response.json(this.#log.consistencyProof(this.sth(first), this.sth(second)));
  }

  #find(hash: string): number | undefined {
    const index = this.#log.attestations.findIndex(({ attestation }) => attestation.hash === hash);
    return index < 0 ? undefined : index;
  }
}
