/**
 * A real gateway with real witnesses, for lies to stand in front of; and a fork of it that is really
 * signed, because witnesses collude.
 *
 * @module
 */

import { followedLog } from "../witness/fixture.ts";
import assert from "node:assert/strict";
import { join } from "node:path";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type { BatchInclusion, ProofBundle } from "../../src/proof/format/bundle.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { Gateway } from "../../src/gateway/gateway.ts";
import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import type { JobSnapshotMembers } from "../../src/proof/format/job_snapshot.ts";
import { gatewayApp } from "../../src/http/gateway/gateway_app.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { EmbeddedWitness } from "../../src/server/gateway/embedded_witness.ts";
import { Witness } from "../../src/witness/witness.ts";
import { until } from "../gateway/fixture.ts";
import { anyBeacons, nativeCrypto, schemeSigner } from "../schemes.ts";
import type { TestNetwork } from "../proof/verify/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";

/** The options of a real gateway. */
export interface RealGatewayOptions {
  readonly keys: TestNetwork;
  readonly network: NetworkConfiguration;
  /** Names of the witnesses' seeds. */
  readonly seeds: readonly string[];
  /** The state of each witness. */
  readonly states: readonly MemoryWitnessState[];
  /** The folder of the store, which may exist. */
  readonly folder: string;
  /** Seconds that its clocks are behind. */
  readonly behindSeconds?: number;
}

/** A bundle with its batch. */
export type BatchedBundle = ProofBundle & { readonly batch_inclusion: BatchInclusion };

/** One gateway, whole but for its listener. */
export class RealGateway implements AsyncDisposable {
  readonly #gateway: Gateway;
  /** Answers a request as the gateway's server does. */
  readonly answer: (request: Request) => Response | Promise<Response>;

  private constructor(gateway: Gateway) {
    this.#gateway = gateway;
    this.answer = gatewayApp({
      service: gateway,
      verifier: nativeCrypto,
      report: (error) => assert.fail(String(error)),
    });
  }

  static async start(options: RealGatewayOptions): Promise<RealGateway> {
    const { keys, network, folder, behindSeconds = 0 } = options;
    const clock = clockBehind(behindSeconds);
    const memo = new RoundTreeMemo(portableKernels);
    const gateway = await Gateway.start({
      network,
      store: await openKvLogStore(join(folder, "store.kv"), "lying"),
      witnesses: witnessesOf(options, memo, clock),
      logSigner: keys.log,
      kernels: portableKernels,
      verify: nativeCrypto.ed25519,
      bls: nativeCrypto.bls,
      buildTree: (round) => memo.build(round),
      clock,
      policy: { maxAgeMs: 10, maxLeaves: 16_384 },
      onFatal: (error) => assert.fail(String(error)),
      report: () => {},
    });
    return new RealGateway(gateway);
  }

  /** Attests `hashes` as one round and one batch; waits for the tree head that closes it. */
  async publish(hashes: readonly string[]): Promise<void> {
    const response = await this.answer(
      new Request("http://gateway.test/v1/attestations/batch", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
        body: JSON.stringify({ hashes }),
      }),
    );
    const jobs: JobSnapshotMembers[] = await response.json();
    const places = jobs.map((job) => job.signed_attestation!.attestation.sequence);
    const path = `/v1/log/sth/${Math.max(...places) + 1}`;
    await until(async () => (await this.#get(path)).ok);
  }

  /** The resource at `path`, which must be there. */
  async get<T>(path: string): Promise<T> {
    const response = await this.#get(path);
    assert.ok(response.ok, path);
    return await response.json();
  }

  /** The STH of a published size. */
  sth(size: number): Promise<SignedTreeHead> {
    return this.get(`/v1/log/sth/${size}`);
  }

  /** The bundle of a batched hash. */
  async bundle(hash: string): Promise<BatchedBundle> {
    return await this.get(`/v1/bundle/${hash}`);
  }

  async #get(path: string): Promise<Response> {
    return await this.answer(new Request(new URL(path, "http://gateway.test")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.stop();
  }
}

function witnessesOf(
  { keys, network, seeds, states }: RealGatewayOptions,
  memo: RoundTreeMemo,
  clock: Clock,
): EmbeddedWitness[] {
  return network.witnesses.map(({ id }, place) =>
    new EmbeddedWitness(
      new Witness({
        id,
        networkId: network.id,
        signer: schemeSigner(network.signature_scheme, seeds[place]!),
        logs: [followedLog(network.id, keys.log.publicKey)],
        state: states[place]!,
        clock,
        kernels: portableKernels,
        buildRoundTree: (round) => memo.build(round),
        beacons: anyBeacons,
        report: () => {},
      }),
    )
  );
}

function clockBehind(seconds: number): Clock {
  return {
    nowMs: () => systemClock.nowMs() - 1000 * seconds,
    elapsedMs: () => systemClock.elapsedMs(),
    sleep: (ms, signal) => systemClock.sleep(ms, signal),
  };
}
