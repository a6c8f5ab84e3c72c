/**
 * A gateway killed with kill -9 under load, again and again: what was answered with 2xx is there,
 * and what was published is never contradicted.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  parseBundle,
  parseConsistencyProof,
  parseSignedAttestation,
  parseSignedTreeHead,
} from "../../src/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/format/network.ts";
import type { SignedTreeHead } from "../../src/format/tree_head.ts";
import { verifyBundle } from "../../src/verify/bundle.ts";
import { verifyConsistencyProof } from "../../src/verify/log_proofs.ts";
import { eachSchemeInSteps, nativeCrypto } from "../schemes.ts";
import { Deployment, eventually } from "./deployment.ts";

const KILLS = 3;
const ACCEPTED_BETWEEN_KILLS = 1_000;
const HEADS_BETWEEN_KILLS = 3;
/** Batches closed as fast as witnesses answer, so that a kill falls into one of them. */
const GATEWAY_ARGS = ["--batch-max-age-ms", "20"];
const SINGLE_CLIENTS = 24;
const BULK_CLIENTS = 2;
const BULK_SIZE = 50;
const READERS = 64;

/** Submits without a pause until it is stopped, and remembers what was answered with 2xx. */
class Load {
  readonly accepted = new Set<string>();
  #sent = 0;
  #inFlight = 0;
  #isStopped = false;
  readonly #clients: Promise<void>[];

  constructor(url: string, seed: string) {
    const next = () => createHash("sha256").update(`${seed} ${this.#sent++}`).digest("hex");
    const single = async () => {
      const hash = next();
      await this.#submit(url, "/v1/attestations", { hash }, [hash]);
    };
    const bulk = async () => {
      const hashes = Array.from({ length: BULK_SIZE }, next);
      await this.#submit(url, "/v1/attestations/batch", { hashes }, hashes);
    };
    this.#clients = [
      ...Array.from({ length: SINGLE_CLIENTS }, () => this.#repeat(single)),
      ...Array.from({ length: BULK_CLIENTS }, () => this.#repeat(bulk)),
    ];
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#clients);
  }

  async #repeat(submit: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) await submit();
  }

  async #submit(
    url: string,
    path: string,
    body: unknown,
    hashes: readonly string[],
  ): Promise<void> {
    this.#inFlight++;
    try {
      const response = await fetch(new URL(path, url), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      if (response.ok) { for (const hash of hashes) this.accepted.add(hash); }
    } catch {
      // The gateway was killed: nothing was promised. Not to spin until the load is stopped:
      await new Promise((resolve) => setTimeout(resolve, 5));
    } finally {
      this.#inFlight--;
    }
  }
}

/** Tree heads as they were served, by size. */
class SeenHeads {
  readonly bySize = new Map<number, string>();

  async look(deployment: Deployment): Promise<void> {
    const { status, text } = await deployment.get("/v1/log/sth").catch(() => ({
      status: 0,
      text: "",
    }));
    if (status === 200) this.bySize.set(parseSignedTreeHead(text).tree_head.tree_size, text);
  }
}

async function confirmConsistency(
  deployment: Deployment,
  network: NetworkConfiguration,
  seen: SeenHeads,
): Promise<number> {
  const sizes = [...seen.bySize.keys()].toSorted((a, b) => a - b);
  const served = new Map<number, SignedTreeHead>();
  for (const size of sizes) {
    const { status, text } = await deployment.get(`/v1/log/sth/${size}`);
    assert.equal(status, 200, `the head of size ${size} is still published`);
    served.set(size, parseSignedTreeHead(text));
    assert.deepEqual(served.get(size), parseSignedTreeHead(seen.bySize.get(size)!));
  }
  let pairs = 0;
  for (const [i, first] of sizes.entries()) {
    for (const second of sizes.slice(i + 1)) {
      const { text } = await deployment.get(
        `/v1/log/consistency?first=${first}&second=${second}`,
      );
      const proof = parseConsistencyProof(text);
      assert.deepEqual(proof.first_sth, served.get(first));
      const { valid } = await verifyConsistencyProof(nativeCrypto, network, proof, {
        first,
        second,
      });
      assert.ok(valid, `${first} is a prefix of ${second}`);
      pairs++;
    }
  }
  return pairs;
}

/** The attestation of an accepted hash, once it is batched; a 404 at any time is a loss. */
async function batchedAttestation(deployment: Deployment, hash: string) {
  return await eventually(`${hash} is batched`, async () => {
    const { status, text } = await deployment.get(`/v1/attestations/${hash}`);
    assert.equal(status, 200, `${hash}: ${text}`);
    const job = JSON.parse(text);
    if (job.progress !== "batched") return undefined;
    return parseSignedAttestation(JSON.stringify(job.signed_attestation));
  });
}

eachSchemeInSteps.test("kill -9 under load loses nothing accepted and contradicts nothing published", async ({ scheme, t }) => {
  await using deployment = await Deployment.start(scheme, ...GATEWAY_ARGS);
  const network = await deployment.network();
  const accepted = new Set<string>();
  const seen = new SeenHeads();

  for (let kill = 0; kill < KILLS; kill++) {
    await t.step(`kill ${kill + 1}, with 1,000 accepted and many in flight`, async () => {
      const load = new Load(deployment.url, `load ${kill}`);
      try {
        const before = seen.bySize.size;
        await eventually("enough accepted and published", async () => {
          await seen.look(deployment);
          const published = seen.bySize.size - before;
          const isEnough = load.accepted.size >= ACCEPTED_BETWEEN_KILLS &&
            published >= HEADS_BETWEEN_KILLS;
          return isEnough ? true : undefined;
        });
        assert.ok(load.inFlight >= SINGLE_CLIENTS / 2, `${load.inFlight} in flight`);
        await deployment.killGateway();
      } finally {
        await load.stop();
      }
      assert.ok(load.accepted.size >= ACCEPTED_BETWEEN_KILLS);
      for (const hash of load.accepted) accepted.add(hash);
      await deployment.startGateway(...GATEWAY_ARGS);
      await seen.look(deployment);
    });
  }

  await t.step("every job that was answered with 2xx is there, and ends batched", async () => {
    const hashes = [...accepted];
    assert.ok(hashes.length >= KILLS * ACCEPTED_BETWEEN_KILLS);
    const sequences = new Set<number>();
    // By GET alone: to submit again would make what was lost.
    for (let start = 0; start < hashes.length; start += READERS) {
      await Promise.all(
        hashes.slice(start, start + READERS).map(async (hash) => {
          const { attestation } = await batchedAttestation(deployment, hash);
          assert.equal(attestation.hash, hash);
          sequences.add(attestation.sequence);
        }),
      );
    }
    assert.equal(sequences.size, hashes.length, "one place for each");
    const never = await deployment.get(`/v1/attestations/${"0".repeat(64)}`);
    assert.equal(never.status, 404, "what was never accepted is not there");
  });

  await t.step(
    "every head published before is served and a prefix of every later one",
    async () => {
      await seen.look(deployment);
      assert.ok(seen.bySize.size >= KILLS, `${seen.bySize.size} heads`);
      assert.ok(await confirmConsistency(deployment, network, seen) >= KILLS);
    },
  );

  await t.step("bundles of any age verify offline", async () => {
    const hashes = [...accepted];
    for (
      const hash of [0, 0.25, 0.5, 0.75, 0.999].map((at) => hashes[Math.floor(at * hashes.length)])
    ) {
      const { text } = await deployment.get(`/v1/bundle/${hash}`);
      const verdict = await verifyBundle(nativeCrypto, { network, peers: [] }, parseBundle(text), {
        hash: hash!,
      });
      assert.equal(verdict.level, "batched");
    }
  });
});
