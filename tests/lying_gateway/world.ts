/**
 * The material of the lies: an honest gateway, a fork of its log that two of three witnesses sign
 * behind its back, a gateway of other keys under the same name, and a peer.
 *
 * All three logs close tree heads at {@linkcode SIZES}. The fork has the first batch in common with
 * the honest log, since it goes on from a copy of the store; its witnesses forgot what they signed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import type {
  ConsistencyProof,
  CrossAnchor,
  InclusionProof,
  SignedAttestation,
} from "../../src/proof/format/bundle.ts";
import type { ExternalAnchor } from "../../src/proof/format/external_anchor.ts";
import type { NetworkConfiguration } from "../../src/proof/format/network.ts";
import { encodeRoundMessage } from "../../src/proof/format/round.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import {
  encodeCheckpointBody,
  type SignedTreeHead,
  type TreeHead,
} from "../../src/proof/format/tree_head.ts";
import { attestationLeaf } from "../../src/proof/verify/attestation.ts";
import { rootOfPath } from "../../src/proof/verify/merkle_checks.ts";
import {
  firstLog as rekor,
  recordOf,
  type TestRekorLog,
} from "../gateway/anchors/rekor/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/fixture.ts";
import { MemoryWitnessState } from "../witness/memory_state.ts";
import { RealGateway } from "./real_gateway.ts";

/** Sizes of the published tree heads. A client remembers the second before it meets a lie. */
export const SIZES = [4, 8, 12] as const;

/** Seconds that the network takes at most from an attestation to its batch. */
export const MERGE_DELAY_SECONDS = 3600;

/** The digest that clients ask about. It is of the second batch, at another place in the fork. */
export const HASH = digestOf("the content");

/** Another digest of the same batch. */
export const OTHER_HASH = digestOf("honest 6");

const SHARED = [0, 1, 2, 3].map((i) => digestOf(`shared ${i}`));
const HONEST = [digestOf("honest 4"), HASH, OTHER_HASH, digestOf("honest 7")];
const FORKED = [digestOf("forked 4"), digestOf("forked 5"), digestOf("forked 6"), HASH];

export class World implements AsyncDisposable {
  readonly keys: TestNetwork;
  readonly peer: TestNetwork;
  readonly network: NetworkConfiguration;
  readonly honest: RealGateway;
  readonly fork: RealGateway;
  readonly twin: RealGateway;
  /** The keys of the twin, whose ids are the honest witnesses'. */
  readonly twinKeys: TestNetwork;
  readonly #opened: AsyncDisposableStack;

  private constructor(
    parts: Pick<World, "keys" | "peer" | "network" | "honest" | "fork" | "twin" | "twinKeys">,
    opened: AsyncDisposableStack,
  ) {
    this.keys = parts.keys;
    this.peer = parts.peer;
    this.network = parts.network;
    this.honest = parts.honest;
    this.fork = parts.fork;
    this.twin = parts.twin;
    this.twinKeys = parts.twinKeys;
    this.#opened = opened;
  }

  static async start(scheme: SignatureScheme): Promise<World> {
    await using opening = new AsyncDisposableStack();
    const folder = await Deno.makeTempDir();
    opening.defer(() => Deno.remove(folder, { recursive: true }));
    const peer = new TestNetwork("peer.example/log", { scheme });
    const options = {
      scheme,
      federation: { enabled: true, peer_networks: [{ id: peer.id }], cross_anchor_threshold: 1 },
    };
    const keys = new TestNetwork("home.example/log", options);
    const seeds = keys.configuration.witnesses.map(({ id }) => id);
    const twinSeeds = ["twin 1", "twin 2", "twin 3"];
    const twinKeys = new TestNetwork(keys.id, { ...options, seeds: twinSeeds });
    const states = newStates();
    const start = async (name: string, over: Parameters<typeof startIn>[1]) =>
      opening.use(await startIn(join(folder, name), over));

    const before = await startIn(join(folder, "before"), { keys, seeds, states });
    await before.publish(SHARED);
    await before[Symbol.asyncDispose]();
    for (const name of ["honest", "fork"]) {
      await copyFolder(join(folder, "before"), join(folder, name));
    }

    const honest = await start("honest", { keys, seeds, states });
    await publishAll(honest, HONEST, "honest");
    // The third witness keeps its memory, and refuses.
    const colluding = newStates().with(2, states[2]!);
    const fork = await start("fork", { keys, seeds, states: colluding });
    await publishAll(fork, FORKED, "forked");
    const twin = await start("twin", {
      keys: twinKeys,
      seeds: twinSeeds,
      states: newStates(),
      // Never in the same second, so that all its answers differ.
      behindSeconds: 100,
    });
    await twin.publish(SHARED);
    await publishAll(twin, HONEST, "honest");

    const parts = { keys, peer, network: configurationOf(keys), honest, fork, twin, twinKeys };
    return new World(parts, opening.move());
  }

  /** The STH of one of {@linkcode SIZES}, as the honest gateway published it. */
  sth(size: number): Promise<SignedTreeHead> {
    return this.honest.sth(size);
  }

  /** The honest gateway's proof that the tree of `first` is a prefix of that of `second`. */
  consistency(first: number, second: number): Promise<ConsistencyProof> {
    return this.honest.get(`/v1/log/consistency?first=${first}&second=${second}`);
  }

  /** The honest gateway's proof that `hash` is in the tree of `size`. */
  inclusion(hash: string, size: number): Promise<InclusionProof> {
    return this.honest.get(`/v1/log/proof?hash=${hash}&tree_size=${size}`);
  }

  /** The latest head, cosigned by the peer's witnesses, for a batch that closes at `from`. */
  async crossAnchor(from: number): Promise<CrossAnchor> {
    const { tree_head } = await this.sth(SIZES[2]);
    const { consistency_path } = await this.consistency(from, SIZES[2]);
    const { id } = this.peer;
    return { witnessing_network: id, consistency_path, ...this.peer.signHead(tree_head) };
  }

  /** The latest head in the log that users trust, for a batch that closes at `from`. */
  async externalAnchor(from: number): Promise<ExternalAnchor> {
    const { tree_head } = await this.sth(SIZES[2]);
    const { consistency_path } = await this.consistency(from, SIZES[2]);
    return { ...anchorIn(rekor, tree_head), consistency_path };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

/** `head` as an entry of `log`, taken a second later. */
export function anchorIn(log: TestRekorLog, head: TreeHead): ExternalAnchor {
  const digest = portableKernels.sha256(utf8(encodeCheckpointBody(head)));
  const timestamp = head.timestamp + 1;
  return {
    provider: "rekor",
    status: "confirmed",
    timestamp,
    tree_head: head,
    consistency_path: [],
    digest: hexOf(digest),
    proof: log.proof(recordOf(digest), { integratedTime: timestamp }),
  };
}

/** The text that witnesses signed for the round of `signed`. */
export function roundMessage({ attestation, round }: SignedAttestation): string {
  const leafHash = attestationLeaf(portableKernels, attestation);
  const root = rootOfPath(portableKernels, { ...round, leafHash }, round.inclusion_path);
  assert.ok(root !== undefined);
  const { network_id, timestamp } = attestation;
  return encodeRoundMessage({
    network_id,
    timestamp,
    size: round.size,
    root,
    beacon: round.beacon,
  });
}

function newStates(): MemoryWitnessState[] {
  return Array.from({ length: 3 }, () => new MemoryWitnessState());
}

function configurationOf(keys: TestNetwork): NetworkConfiguration {
  return publicNetwork({ ...keys.configuration, merge_delay_seconds: MERGE_DELAY_SECONDS });
}

async function startIn(
  folder: string,
  parts: {
    readonly keys: TestNetwork;
    readonly seeds: readonly string[];
    readonly states: readonly MemoryWitnessState[];
    readonly behindSeconds?: number;
  },
): Promise<RealGateway> {
  await Deno.mkdir(folder, { recursive: true });
  return await RealGateway.start({ ...parts, folder, network: configurationOf(parts.keys) });
}

/** The second and the third batch. */
async function publishAll(
  gateway: RealGateway,
  second: readonly string[],
  name: string,
): Promise<void> {
  await gateway.publish(second);
  await gateway.publish([8, 9, 10, 11].map((i) => digestOf(`${name} ${i}`)));
}

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name } of Deno.readDir(from)) {
    await Deno.copyFile(join(from, name), join(to, name));
  }
}
