/**
 * Successions of test networks: documents, closed links, and a log with three epochs.
 *
 * @module
 */

import type { SignatureScheme, WitnessSignature } from "../../../src/proof/format/signature_set.ts";
import {
  encodeEpochEnd,
  encodeSuccession,
  type NextLog,
  type Succession,
  successionDigest,
  type SuccessionLink,
  type SuccessionTerms,
} from "../../../src/proof/format/succession.ts";
import type { SuccessionConflict } from "../../../src/proof/format/succession_conflict.ts";
import { coreOf } from "../../../src/proof/format/trust_core.ts";
import { TestLog } from "./test_log.ts";
import { digestOf, TestNetwork } from "./test_network.ts";
import { hexOf } from "../../../src/base/bytes.ts";

/** What a test proposes. */
export interface ProposalOptions {
  /** Size of a published head. */
  readonly treeSize: number;
  readonly timestamp?: number;
  readonly nonce?: string;
  readonly nextLog?: NextLog;
}

/** The terms of the succession from `old` to `next`; without `next`, of a freeze. */
export function propose(
  old: TestNetwork,
  next: TestNetwork | null,
  { treeSize, timestamp = 1_766_275_400, nonce = "nonce", nextLog }: ProposalOptions,
): SuccessionTerms {
  return {
    predecessor: coreOf(old.configuration),
    successor: next && coreOf(next.configuration),
    ...(nextLog && { next_log: nextLog }),
    tree_size: treeSize,
    timestamp,
    nonce: digestOf(nonce),
  };
}

/** Each own signature over `message` of the witnesses at `places`, by default of all. */
export function eachSignature(
  network: TestNetwork,
  message: string,
  places: readonly number[] = network.configuration.witnesses.map((_, i) => i),
): WitnessSignature[] {
  return places.map((place) => ({
    witness_id: network.configuration.witnesses[place]!.id,
    signature: hexOf(network.share(message, place)),
  }));
}

/** The finished document of `terms`, signed by the old witnesses at `places` and all new ones. */
export function signSuccession(
  terms: SuccessionTerms,
  old: TestNetwork,
  next: TestNetwork | null,
  places: readonly number[] = old.quorum,
): Succession {
  const message = encodeSuccession(terms);
  const isRotated = next !== null && next.configuration.log_vkey !== old.configuration.log_vkey;
  return {
    ...terms,
    signatures: {
      predecessor: eachSignature(old, message, places),
      successor: next === null ? [] : eachSignature(next, message),
      log: old.logSignature(message),
      ...(isRotated && { successor_log: next.logSignature(message) }),
    },
  };
}

/** Logs the digest of `succession` as the last leaf of the epoch of `old`, and ends it. */
export function closeLink(
  log: TestLog,
  succession: Succession,
  old: TestNetwork,
  { timestamp = 1_766_275_450, places = old.quorum } = {},
): SuccessionLink {
  log.addRound([successionDigest(succession)], { timestamp });
  const { tree_size, root_hash } = log.head(log.size, timestamp);
  const inclusion_path = log.inclusionPath(tree_size - 1, tree_size);
  const message = encodeEpochEnd(succession, { tree_size, root_hash });
  const signatures = eachSignature(old, message, places);
  return { ...succession, end: { tree_size, root_hash, timestamp, inclusion_path, signatures } };
}

/** A log of three epochs. */
export interface EpochLog {
  readonly log: TestLog;
  readonly epochs: readonly [TestNetwork, TestNetwork, TestNetwork];
  readonly links: readonly [SuccessionLink, SuccessionLink];
}

/**
 * A log of 24 leaves. Epoch 0: witnesses a, b, c, 2 of 3, leaves 0 to 7. Epoch 1: b with a new key,
 * c with its old one, and d; leaves 8 to 15. Epoch 2: c to g, 3 of 5, with another log key.
 */
export function threeEpochs(scheme: SignatureScheme = "ed25519", id = "epochs.example"): EpochLog {
  const named = (...names: string[]) => names.map((name) => `${id}/${name}`);
  const epochs = [
    new TestNetwork(id, { scheme, witnessIds: named("a", "b", "c") }),
    new TestNetwork(id, {
      scheme,
      epoch: 1,
      witnessIds: named("b", "c", "d"),
      seeds: named("b2", "c", "d"),
    }),
    new TestNetwork(id, {
      scheme,
      epoch: 2,
      witnesses: 5,
      threshold: 3,
      witnessIds: named("c", "d", "e", "f", "g"),
      logSeed: `${id}/log2`,
    }),
  ] as const;
  const log = new TestLog(epochs[0]);
  let count = 0;
  const grow = (size: number) =>
    log.addRound(Array.from({ length: size }, () => digestOf(`leaf ${count++}`)), {
      timestamp: 1_766_275_200 + 100 * count,
    });
  grow(7);
  const first = closeLink(
    log,
    signSuccession(propose(epochs[0], epochs[1], { treeSize: 7 }), epochs[0], epochs[1]),
    epochs[0],
    { timestamp: 1_766_276_000 },
  );
  log.network = epochs[1];
  grow(7);
  const second = closeLink(
    log,
    signSuccession(propose(epochs[1], epochs[2], { treeSize: 15 }), epochs[1], epochs[2]),
    epochs[1],
    { timestamp: 1_766_277_000 },
  );
  log.network = epochs[2];
  grow(8);
  return { log, epochs, links: [first, second] };
}

/**
 * The log of {@linkcode threeEpochs} with another succession of epoch 0, to witnesses x, y and z, and
 * another leaf.
 */
export function rivalEpochs(
  scheme: SignatureScheme = "ed25519",
  id = "epochs.example",
  nonce = "rival",
): { readonly log: TestLog; readonly link: SuccessionLink } {
  const { epochs: [zero] } = threeEpochs(scheme, id);
  const rival = new TestNetwork(id, { scheme, epoch: 1, witnessIds: ["x", "y", "z"] });
  const log = new TestLog(zero);
  log.addRound(Array.from({ length: 7 }, (_, i) => digestOf(`leaf ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const terms = propose(zero, rival, { treeSize: 7, nonce });
  const link = closeLink(log, signSuccession(terms, zero, rival), zero, { places: [1, 2] });
  log.network = rival;
  log.addRound([digestOf("rival leaf")], { timestamp: 1_766_276_100 });
  return { log, link };
}

/** Evidence of two successions of epoch 0 of {@linkcode threeEpochs}; witness b signed both ends. */
export function twoSuccessions(
  scheme: SignatureScheme = "ed25519",
  id = "epochs.example",
  nonce = "rival",
): SuccessionConflict {
  const { links: [first] } = threeEpochs(scheme, id);
  const { link: second } = rivalEpochs(scheme, id, nonce);
  return { origin: id, found_at: 1_766_280_000, first, second };
}
