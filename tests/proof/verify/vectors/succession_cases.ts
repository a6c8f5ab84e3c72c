/**
 * Bundles of a network whose configuration changed twice, and damaged chains.
 *
 * @module
 */

import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import { fingerprintOf } from "../../../../src/proof/format/trust_core.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import {
  encodeEpochEnd,
  type Succession,
  type SuccessionLink,
} from "../../../../src/proof/format/succession.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, TestNetwork } from "../test_network.ts";
import {
  closeLink,
  eachSignature,
  propose,
  signSuccession,
  threeEpochs,
} from "../test_succession.ts";
import type { Vector } from "./vector.ts";

/** The largest tree of each epoch. */
const BATCHES = [8, 16, 24] as const;

/** The log of each scheme. */
export const epochLogs = {
  ed25519: threeEpochs("ed25519", "epochs.example/ed25519"),
  bls: threeEpochs("bls", "epochs.example/bls"),
} as const;

/** The bundle of `sequence` in the head of `size`, signed in the epoch of its size. */
export function bundleOf(
  scheme: SignatureScheme,
  sequence: number,
  size: number,
  signer = epochLogs[scheme].epochs[BATCHES.findIndex((end) => size <= end)]!,
): ProofBundle {
  const { log } = epochLogs[scheme];
  const sth = signer.signHead(log.head(size, 1_766_278_000 + size));
  return log.bundle(sequence, log.batchInclusion(sequence, sth));
}

/** A bundle of another history of `size` leaves, signed by the epoch that ended with this size. */
function forked(
  scheme: SignatureScheme,
  size: 8 | 16,
  signer = epochLogs[scheme].epochs[size === 8 ? 0 : 1],
): ProofBundle {
  const log = new TestLog(signer);
  log.addRound(Array.from({ length: size }, (_, i) => digestOf(`fork ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const sequence = size - 1;
  return log.bundle(sequence, log.batchInclusion(sequence, log.sth(size, 1_766_278_000)));
}

/** A checkpoint that foreign witnesses may have cosigned, of another epoch than the bundle's batch. */
export function witnessedEpochCases(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero, one], links, log } = epochLogs[scheme];
  const time = 1_766_278_100;
  const make = (
    name: string,
    rules: readonly string[],
    signer: TestNetwork,
    { size, from = log }: { readonly size: number; readonly from?: TestLog },
  ): Vector => ({
    name: `${scheme}: succession: a checkpoint ${name}`,
    kind: "bundle",
    rules,
    network: `${scheme} epoch 0`,
    input: JSON.stringify({
      ...bundleOf(scheme, 3, 7),
      succession: links,
      witnessed: {
        checkpoint: signer.checkpoint(from.head(size, time), { 0: time, 1: time, 2: time }),
        inclusion_path: log.inclusionPath(3, size),
      },
    }),
  });
  const fork = new TestLog(zero);
  fork.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`fork ${i}`)), { timestamp: 5 });
  return [
    make("of the next epoch", ["W5"], one, { size: 14 }),
    make("of the last head of its epoch", ["W5"], zero, { size: 8 }),
    make("that the old epoch signed after its end", ["W2"], zero, { size: 14 }),
    make("that the next epoch signed before its beginning", ["W2"], one, { size: 8 }),
    make("of the last head with another root", ["L15"], zero, { size: 8, from: fork }),
  ];
}

/** Every case of the network of `scheme` with three epochs. */
export function successionCases(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero, one], links: [first, second] } = epochLogs[scheme];
  const make = (
    name: string,
    rules: readonly string[],
    bundle: ProofBundle,
    { pin = 0, links, followed }: {
      readonly pin?: number;
      readonly links?: readonly unknown[];
      readonly followed?: readonly SuccessionLink[];
    } = {},
  ): Vector => ({
    name: `${scheme}: succession: ${name}`,
    kind: "bundle",
    ...(rules.length > 0 && { rules }),
    network: `${scheme} epoch ${pin}`,
    ...(followed && { followed: [JSON.stringify(followed)] }),
    input: JSON.stringify({ ...bundle, ...(links && { succession: links }) }),
  });
  const whole = [first, second];
  const boundaries = [[6, 7], [7, 8], [7, 9], [8, 9], [15, 16], [15, 17], [16, 17], [23, 24]];
  const valid = [0, 1, 2].flatMap((pin) =>
    boundaries.map(([sequence, size]) =>
      make(
        `leaf ${sequence} in a tree of ${size} from epoch ${pin}`,
        [],
        bundleOf(scheme, sequence!, size!),
        { pin, links: whole },
      )
    )
  );
  const changed = (name: string, rules: readonly string[], links: readonly unknown[], pin = 0) =>
    make(name, rules, bundleOf(scheme, 3, 7), { pin, links });
  const signed = (succession: Succession, change: Partial<Succession["signatures"]>) => ({
    ...first,
    ...succession,
    signatures: { ...first.signatures, ...change },
  });
  const { predecessor, successor } = first.signatures;
  const { log: _, ...unlogged } = first.signatures;
  const { successor_log: __, ...unrotated } = second.signatures;
  /** A closed link of a log of 25 leaves. */
  const closed = (old: TestNetwork, next: TestNetwork | null, treeSize = 7, nonce = "again") => {
    const { log } = threeEpochs(scheme, zero.id);
    return closeLink(
      log,
      signSuccession(propose(old, next, { treeSize, nonce }), old, next),
      old,
    );
  };
  const again = closed(zero, one);
  const frozen = closed(zero, null);
  const half = new TestNetwork(zero.id, { scheme, epoch: 1, witnesses: 4, threshold: 2 });
  const stranger = new TestNetwork("stranger.example/log", { scheme, epoch: 1 });
  const lone = new TestNetwork(zero.id, { scheme, epoch: 2 });
  const next = new TestNetwork("next.example/log", { scheme });
  const nextLog = {
    origin: next.id,
    log_vkey: next.configuration.log_vkey!,
    core: fingerprintOf(next.configuration),
  };
  const log = new TestLog(zero);
  log.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`${i}`)), { timestamp: 1_766_275_900 });
  const freeze = signSuccession(propose(zero, null, { treeSize: 8, nextLog }), zero, null);
  const ended = closeLink(log, freeze, zero);
  log.addRound([digestOf("late")], { timestamp: 1_766_275_990 });
  const damagedKey = {
    ...first,
    successor: {
      ...first.successor!,
      witnesses: first.successor!.witnesses.map((witness, i) => {
        const proof = successor[0]!.signature;
        if (i > 0) return witness;
        return scheme === "bls"
          ? { ...witness, proof_of_possession: proof }
          : { ...witness, pubkey: "01".padEnd(64, "0") };
      }),
    },
  };
  const mlDsaCases = () => {
    const further = closed(zero, new TestNetwork(zero.id, { epoch: 1, mlDsa: true }));
    const { successor } = further;
    const [owner, ...others] = successor!.witnesses;
    const { ml_dsa_vkey: _, ...without } = owner!;
    const { log_ml_dsa_vkey: __, ...plain } = successor!;
    const damaged = owner!.ml_dsa_vkey!.replace("A", "B");
    const cases: readonly (readonly [string, readonly string[], unknown])[] = [
      ["a successor with ML-DSA-44 keys", [], successor],
      ["a successor without its log's ML-DSA-44 key", ["L6"], plain],
      ["a successor without a witness's ML-DSA-44 key", ["L6"], {
        ...successor,
        witnesses: [without, ...others],
      }],
      ["an ML-DSA-44 key that is none", [], {
        ...successor,
        witnesses: [{ ...owner, ml_dsa_vkey: damaged }, ...others],
      }],
    ];
    return cases.map(([name, rules, successor]) =>
      changed(name, rules, [{ ...further, successor }])
    );
  };
  const reordered = { ...first.predecessor, witnesses: first.predecessor.witnesses.toReversed() };
  return [
    ...valid,
    make("epoch 0 without a chain", [], bundleOf(scheme, 3, 7)),
    make("epoch 1 without a chain, under epoch 0", [], bundleOf(scheme, 9, 14)),
    make("epoch 0 without a chain, under epoch 2", [], bundleOf(scheme, 3, 7), { pin: 2 }),
    make("epoch 2 with a chain that ends in epoch 1", [], bundleOf(scheme, 20, 24), {
      links: [first],
    }),
    make("a head of S + 1 by the old epoch", [], bundleOf(scheme, 3, 9, zero), { links: whole }),
    make("a head of S with another root", ["L15"], forked(scheme, 8), { links: whole }),
    make("a head of S with another root, by the new epoch", [], forked(scheme, 8, one), {
      links: whole,
    }),
    make("a head of S with another root, without a chain", [], forked(scheme, 8)),
    make("a head of S with another root, and the chain kept", ["L15"], forked(scheme, 8), {
      followed: whole,
    }),
    make("a head of the second S with another root", ["L15"], forked(scheme, 16), {
      links: whole,
    }),
    make("a head of S by the new epoch", [], bundleOf(scheme, 3, 8, one), { links: whole }),
    make("epoch 2 with the chain that the verifier keeps", [], bundleOf(scheme, 20, 24), {
      followed: whole,
    }),
    make("a chain that is shorter than the kept one", [], bundleOf(scheme, 9, 14), {
      links: [first],
      followed: whole,
    }),
    changed("a chain that does not reach the pin", ["L1"], [first], 2),
    changed("a chain with a gap", ["L1"], [second]),
    changed("a chain with a gap, from the last epoch", ["L2"], [second, second], 2),
    changed("a chain out of order", ["L1"], [second, first]),
    changed("a link twice", ["L2"], [first, first]),
    changed(
      "a chain of another network",
      ["L1"],
      epochLogs[scheme === "bls" ? "ed25519" : "bls"].links,
    ),
    changed("an end that is not above the one before", ["L2"], [
      first,
      { ...second, end: { ...second.end, tree_size: 8 } },
    ]),
    make("another link than the one followed", ["L3"], bundleOf(scheme, 3, 7), {
      links: [again],
      followed: [first],
    }),
    make("the same link with other signatures", [], bundleOf(scheme, 3, 7), {
      links: [{ ...first, end: closeAgain(first, zero) }],
      followed: [first],
    }),
    changed("a threshold of half", ["L4"], [closed(zero, half)]),
    changed("a key that is none", ["L4"], [damagedKey]),
    changed("a successor of another network", ["L5"], [closed(zero, stranger)]),
    changed("a successor of the epoch after the next", ["L5"], [closed(zero, lone)]),
    changed("signatures out of order", ["L6"], [
      signed(first, { predecessor: predecessor.toReversed() }),
    ]),
    changed("a signature twice", ["L6"], [
      signed(first, { predecessor: [predecessor[0]!, predecessor[0]!] }),
    ]),
    changed("a signature by a witness that is not configured", ["L6"], [
      signed(first, { predecessor: [...predecessor, successor[2]!] }),
    ]),
    changed("a signature by another witness", ["L6"], [
      signed(first, {
        predecessor: [predecessor[0]!, {
          ...predecessor[1]!,
          signature: predecessor[0]!.signature,
        }],
      }),
    ]),
    changed("a signature of the epoch's end by another", ["L6"], [{
      ...first,
      end: { ...first.end, signatures: predecessor },
    }]),
    changed("the log key's signature damaged", ["L6"], [
      signed(first, { log: second.signatures.log! }),
    ]),
    changed("a second signature of the same log key", ["L6"], [
      signed(first, { successor_log: first.signatures.log! }),
    ]),
    changed("one signature less than the threshold", ["L7"], [
      signed(first, { predecessor: predecessor.slice(1) }),
    ]),
    changed("no signature of the log key", ["L8"], [{ ...first, signatures: unlogged }]),
    changed("a new witness that did not sign", ["L9"], [
      signed(first, { successor: successor.slice(1) }),
    ]),
    changed("no signature of the new log key", ["L10"], [
      first,
      { ...second, signatures: unrotated },
    ]),
    changed("an end before the tree that was seen", ["L11"], [closed(zero, one, 25)]),
    changed("a digest that is not in the tree", ["L12"], [{
      ...first,
      end: { ...first.end, timestamp: first.end.timestamp + 1 },
    }]),
    changed("an end signed by one less than the threshold", ["L13"], [{
      ...first,
      end: { ...first.end, signatures: first.end.signatures.slice(1) },
    }]),
    changed("a freeze", [], [frozen]),
    make("a leaf before the end of the log", [], log.bundle(8), { links: [ended] }),
    make("a leaf after the end of the log", ["L14"], log.bundle(9), { links: [ended] }),
    make(
      "a head after the end of the log",
      ["L14"],
      log.bundle(8, log.batchInclusion(8, log.sth(10, 1_766_276_000))),
      { links: [ended] },
    ),
    changed("a link after a freeze", ["L2"], [frozen, second]),
    changed("a next log beside a successor", [], [{ ...first, next_log: nextLog }]),
    changed("witnesses out of order", [], [{ ...first, predecessor: reordered }]),
    changed("an empty chain", [], []),
    ...(scheme === "ed25519" ? mlDsaCases() : []),
    changed("a member too many", [], [{ ...first, extra: 1 }]),
  ];
}

/** The end of `link` signed by the other witnesses. */
function closeAgain(link: SuccessionLink, old: TestNetwork): SuccessionLink["end"] {
  const message = encodeEpochEnd(link, link.end);
  return { ...link.end, signatures: eachSignature(old, message, [1, 2]) };
}
