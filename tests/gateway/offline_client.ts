/**
 * A client that requests every read route of a gateway and verifies each answer offline. Tiles,
 * entries and batches are not signed, so they are compared with those of the log before the damage.
 *
 * @module
 */

import { equalBytes, textOf } from "../../src/base/bytes.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedTreeHead,
} from "../../src/proof/format/bundle.ts";
import { parseJobSnapshot } from "../../src/proof/format/job_snapshot.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { tilePath } from "../../src/proof/merkle/tile.ts";
import { verifySignedAttestation } from "../../src/proof/verify/attestation.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import {
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
} from "../../src/proof/verify/log_proofs.ts";
import { verifyCheckpoint } from "../../src/proof/verify/checkpoint.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { nativeCrypto } from "../schemes.ts";

/** A log before the damage. */
export interface KnownLog {
  readonly network: NetworkConfiguration;
  /** By sequence. */
  readonly hashes: readonly string[];
  /** Published heads, ascending. */
  readonly heads: readonly SignedTreeHead[];
}

/** The answers that a client received. */
export interface Answers {
  /** Paths of correct answers with status 200. */
  readonly right: readonly string[];
  /** Paths of wrong answers with status 200. */
  readonly wrong: readonly string[];
  /** Paths by the code of a problem document with a request id. */
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

type IsRight = (body: Uint8Array) => Promise<boolean> | boolean;

/** Sends requests to gateways over copies of one log. */
export class OfflineClient {
  readonly #log: KnownLog;
  /** Answers of the undamaged log, by path. */
  readonly #truth = new Map<string, Uint8Array>();

  private constructor(log: KnownLog) {
    this.#log = log;
  }

  /** Records tiles, entries and batches of `service`, whose log is undamaged. */
  static async of(service: GatewayService, log: KnownLog): Promise<OfflineClient> {
    const client = new OfflineClient(log);
    const app = appOf(service);
    for (const path of client.#plainPaths()) {
      client.#truth.set(path, new Uint8Array(await (await get(app, path)).arrayBuffer()));
    }
    return client;
  }

  hashOf(sequence: number): string {
    return this.#log.hashes[sequence]!;
  }

  /** Requests the log and the attestations of `sequences`. */
  async ask(service: GatewayService, sequences: Iterable<number>): Promise<Answers> {
    const right: string[] = [];
    const wrong: string[] = [];
    const refused = new Map<string, string[]>();
    const app = appOf(service);
    for (const [path, isRight] of this.#questions(sequences)) {
      const answer = await get(app, path);
      const body = new Uint8Array(await answer.arrayBuffer());
      if (answer.status === 200) {
        const list = await isTrue(isRight, body) ? right : wrong;
        list.push(path);
      } else {
        const { code, request_id } = JSON.parse(textOf(body));
        const name = /^[0-9a-f]{16}$/.test(request_id) ? code : "no request id";
        refused.set(name, [...refused.get(name) ?? [], path]);
      }
    }
    return { right, wrong, refused };
  }

  #plainPaths(): string[] {
    const size = this.#log.hashes.length;
    const tiles: string[] = [];
    for (let index = 0; index * 256 < size; index++) {
      const width = Math.min(256, size - index * 256);
      tiles.push(tilePath(0, index, width), tilePath("entries", index, width));
      if (width === 256) tiles.push(tilePath(0, index, 10));
    }
    tiles.push(tilePath(1, 0, Math.floor(size / 256)));
    return [
      ...tiles.map((path) => `/${path}`),
      "/v1/batches",
      ...this.#log.heads.map(({ tree_head }) => `/v1/batches/${tree_head.tree_size}`),
    ];
  }

  #questions(sequences: Iterable<number>): Map<string, IsRight> {
    const questions = new Map<string, IsRight>();
    for (const path of this.#plainPaths()) {
      questions.set(path, (body) => equalBytes(body, this.#truth.get(path)!));
    }
    this.#addHeads(questions);
    for (const sequence of sequences) this.#addAttestation(questions, sequence);
    return questions;
  }

  #addHeads(questions: Map<string, IsRight>): void {
    const { network, heads } = this.#log;
    const isHead = async (body: Uint8Array) =>
      (await verifySignedTreeHead(nativeCrypto, network, parseSignedTreeHead(textOf(body)))).valid;
    questions.set("/v1/log/sth", isHead);
    questions.set(
      "/checkpoint",
      async (body) => (await verifyCheckpoint(nativeCrypto, network, textOf(body))).valid,
    );
    const sizes = heads.map(({ tree_head }) => tree_head.tree_size);
    for (const first of sizes) {
      questions.set(`/v1/log/sth/${first}`, isHead);
      for (const second of sizes.filter((size) => size >= first)) {
        const path = `/v1/log/consistency?first=${first}&second=${second}`;
        questions.set(path, async (body) => {
          const proof = parseConsistencyProof(textOf(body));
          const expected = { first, second };
          return (await verifyConsistencyProof(nativeCrypto, network, proof, expected)).valid;
        });
      }
    }
  }

  #addAttestation(questions: Map<string, IsRight>, sequence: number): void {
    const { network, heads } = this.#log;
    const hash = this.#log.hashes[sequence]!;
    questions.set(`/v1/attestations/${hash}`, async (body) => {
      const { hash: stated, signed_attestation: signed } = parseJobSnapshot(textOf(body));
      return stated === hash && signed?.attestation.hash === hash &&
        (await verifySignedAttestation(nativeCrypto, network, signed)).valid;
    });
    questions.set(`/v1/bundle/${hash}`, async (body) => {
      const bundle = parseBundle(textOf(body));
      const { level } = await verifyBundle(nativeCrypto, { network, peers: [] }, bundle, { hash });
      return level === "batched";
    });
    questions.set(`/v1/proof/${hash}`, async (body) => {
      const proof = parseMerkleProof(textOf(body));
      const sth = heads.find(({ tree_head }) => tree_head.tree_size === proof.tree_size);
      if (sth === undefined || proof.leaf_index !== sequence) return false;
      return (await verifyMerkleProof(nativeCrypto, network, { proof, sth }, { hash })).valid;
    });
    const treeSize = heads.at(-1)!.tree_head.tree_size;
    questions.set(`/v1/log/proof?hash=${hash}&tree_size=${treeSize}`, async (body) => {
      const proof = parseInclusionProof(textOf(body));
      const expected = { hash, treeSize };
      return proof.leaf_index === sequence &&
        (await verifyInclusionProof(nativeCrypto, network, proof, expected)).valid;
    });
  }
}

type App = ReturnType<typeof gatewayApp>;

function appOf(service: GatewayService): App {
  return gatewayApp({ service, verifier: nativeCrypto, report: () => {} });
}

async function get(app: App, path: string): Promise<Response> {
  return await app(new Request(`http://gateway.test${path}`));
}

/** An answer that cannot be parsed is wrong. */
async function isTrue(isRight: IsRight, body: Uint8Array): Promise<boolean> {
  try {
    return await isRight(body);
  } catch {
    return false;
  }
}
