/**
 * Resources that break two rules, so that the order of the rules shows, and texts at the edge of what
 * can be read.
 *
 * @module
 */

import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import { encodeVkey, NOTE_TYPE } from "../../../../src/proof/format/note_key.ts";
import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../../../src/proof/format/succession.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, TestNetwork } from "../test_network.ts";
import { closeLink, propose, signSuccession, threeEpochs } from "../test_succession.ts";
import { epochLogs } from "./succession_cases.ts";
import type { Vector } from "./vector.ts";
import {
  BATCH_SIZE,
  HEAD_TIME,
  type Home,
  homes,
  PEER_TIME,
  ROUND_TIME,
  SEQUENCE,
} from "./world.ts";

const GARBAGE = "00".repeat(64);

/** What two rules refuse: the first one gives the reason. */
export function orderCases(scheme: SignatureScheme): Vector[] {
  return [...linkOrder(scheme), ...headOrder(scheme), ...coreCases(scheme)];
}

function chainCase(
  scheme: SignatureScheme,
  name: string,
  rules: readonly string[],
  links: readonly unknown[],
  followed?: readonly SuccessionLink[],
): Vector {
  return {
    name: `${scheme}: order: ${name}`,
    kind: "bundle",
    ...(rules.length > 0 && { rules }),
    network: `${scheme} epoch 0`,
    ...(followed && { followed: [JSON.stringify(followed)] }),
    input: JSON.stringify({ ...epochLogs[scheme].log.bundle(3), succession: links }),
  };
}

function linkOrder(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero, one], links: [first, second] } = epochLogs[scheme];
  const { predecessor, successor } = first.signatures;
  const { log: _, ...unlogged } = first.signatures;
  const { log: __, successor_log: ___, ...bare } = second.signatures;
  const damaged = { ...predecessor[0]!, signature: predecessor[1]!.signature };
  const nonce = digestOf("another");
  const otherLogKey = new TestNetwork("other.example/log").configuration.log_vkey!;
  const low = { ...first.successor!, threshold: 1 };
  const { log } = threeEpochs(scheme, zero.id);
  const early = closeLink(
    log,
    signSuccession(propose(zero, one, { treeSize: 25, nonce: "early" }), zero, one),
    zero,
  );
  const signed = (change: Partial<SuccessionLink["signatures"]>) => ({
    ...first,
    signatures: { ...first.signatures, ...change },
  });
  const ended = (change: Partial<SuccessionLink["end"]>, link: SuccessionLink = first) => ({
    ...link,
    end: { ...link.end, ...change },
  });
  const make = chainCase.bind(undefined, scheme);
  return [
    make("L2 before L3", ["L2"], [first, { ...ended({ tree_size: 8 }, second), nonce }], [
      first,
      second,
    ]),
    make("L3 before L4", ["L3"], [{ ...first, nonce, successor: low }], [first]),
    make("L4: the threshold before the rest", ["L4"], [{
      ...first,
      successor: { ...low, log_vkey: otherLogKey },
    }]),
    make("L4 before L5", ["L4"], [{ ...first, successor: { ...low, epoch: 2 } }]),
    make("L5 before L6", ["L5"], [{
      ...signed({ predecessor: [damaged] }),
      successor: { ...first.successor, epoch: 2 },
    }]),
    make("L6: the predecessor's signatures before the successor's", ["L6"], [
      signed({ predecessor: [damaged], successor: successor.toReversed() }),
    ]),
    make("L6: the order of ids before whether they are configured", ["L6"], [
      signed({ predecessor: [predecessor[0]!, { ...predecessor[1]!, witness_id: "0" }] }),
    ]),
    make("L6: each signature before the next id", ["L6"], [
      signed({ predecessor: [damaged, { ...predecessor[1]!, witness_id: "0" }] }),
    ]),
    make("L6: the successor's signatures before the log's", ["L6"], [
      signed({ successor: successor.toReversed(), log: GARBAGE }),
    ]),
    make("L6: the log's signature before the other log key's", ["L6"], [
      signed({ log: GARBAGE, successor_log: GARBAGE }),
    ]),
    make("L6 before L7", ["L6"], [signed({ predecessor: [], log: GARBAGE })]),
    make("L7 before L8", ["L7"], [{ ...first, signatures: { ...unlogged, predecessor: [] } }]),
    make("L8 before L9", ["L8"], [{ ...first, signatures: { ...unlogged, successor: [] } }]),
    make("L9 before L10", ["L9"], [first, {
      ...second,
      signatures: { ...bare, log: second.signatures.log!, successor: [] },
    }]),
    make("L9 before L11", ["L9"], [{
      ...early,
      signatures: { ...early.signatures, successor: [] },
    }]),
    make("L11 before L12", ["L11"], [ended({ inclusion_path: [] }, early)]),
    make("L12 before L6 of the end", ["L12"], [
      ended({ inclusion_path: [], signatures: [damaged] }),
    ]),
    make("L6 of the end before L13", ["L6"], [ended({ signatures: [damaged] })]),
    make("L13 at last", ["L13"], [ended({ signatures: [] })]),
  ];
}

/** L14 and L15 among the rules of attestations and heads. */
function headOrder(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero] } = epochLogs[scheme];
  const log = new TestLog(zero);
  log.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`ordered ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const freeze = signSuccession(propose(zero, null, { treeSize: 8 }), zero, null);
  const end = closeLink(log, freeze, zero);
  log.addRound([digestOf("late"), digestOf("later")], { timestamp: 1_766_275_990 });
  const fork = new TestLog(zero);
  fork.addRound(Array.from({ length: 9 }, (_, i) => digestOf(`fork ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const make = (name: string, rules: readonly string[], bundle: ProofBundle): Vector => ({
    name: `${scheme}: order: ${name}`,
    kind: "bundle",
    rules,
    network: `${scheme} epoch 0`,
    input: JSON.stringify({ ...bundle, succession: [end] }),
  });
  const late = log.bundle(9);
  const { signed_attestation: signed } = late;
  const misplaced = { ...signed, round: { ...signed.round, inclusion_path: [] } };
  const twice = "signatures" in signed
    ? { ...signed, signatures: [...signed.signatures, signed.signatures[0]!] }
    : { ...signed, signers: [...signed.signers, signed.signers[0]!] };
  const headOf = (from: TestLog, size: number, places?: readonly number[]) =>
    from.batchInclusion(3, from.sth(size, 1_766_276_000, places));
  const inFork = (places?: readonly number[], log_signature?: string) => {
    const inclusion = headOf(fork, 9, places);
    const sth = { ...inclusion.sth, ...(log_signature && { log_signature }) };
    return { ...fork.bundle(3), batch_inclusion: { ...inclusion, sth } };
  };
  return [
    make("A4 before L14", ["A4"], { ...late, signed_attestation: misplaced }),
    make("L14 before S3 of an attestation", ["L14"], { ...late, signed_attestation: twice }),
    make("L14 before S7 of a head", ["L14"], {
      ...log.bundle(3),
      batch_inclusion: headOf(log, 10, [0]),
    }),
    make("S7 before L15", ["S7"], inFork([0])),
    make("L15 before H5", ["L15"], inFork(undefined, GARBAGE)),
    make("L15 before B4", ["L15"], {
      ...inFork(),
      batch_inclusion: {
        ...inFork().batch_inclusion,
        batch: { ...inFork().batch_inclusion.batch, period_end: 1 },
      },
    }),
  ];
}

/** Trust cores that cannot be read, or that are not valid. */
function coreCases(scheme: SignatureScheme): Vector[] {
  const { links: [first] } = epochLogs[scheme];
  const successor = first.successor!;
  const [witness, ...others] = successor.witnesses;
  const make = (name: string, rules: readonly string[], change: object) =>
    chainCase(scheme, `a successor ${name}`, rules, [{
      ...first,
      successor: { ...successor, ...change },
    }]);
  const key = (name: string) => mlDsaVkey(name);
  const ownerOf = (ml_dsa_vkey: string) => [{ ...witness, ml_dsa_vkey }, ...others];
  return [
    make("without witnesses", [], { witnesses: [] }),
    make("with a key of the other scheme's length", [], {
      witnesses: [{ ...witness, pubkey: "00".repeat(scheme === "bls" ? 32 : 96) }, ...others],
    }),
    make("with an ML-DSA-44 key of another name", ["L4"], {
      witnesses: ownerOf(key("other.example/w")),
    }),
    make("whose log has an ML-DSA-44 key of another name", ["L4"], {
      log_ml_dsa_vkey: key("other.example/log"),
    }),
    ...(scheme === "bls"
      ? [
        make("of scheme bls with an ML-DSA-44 key", ["L4"], {
          witnesses: ownerOf(key(witness!.id)),
        }),
      ]
      : []),
  ];
}

/** A verifier key of type 0x06 whose key nobody has: its bytes are not checked (C14). */
function mlDsaVkey(name: string, first = 7): string {
  const publicKey = new Uint8Array(1312).fill(first);
  return encodeVkey({ name, type: NOTE_TYPE.mlDsaCosignature, publicKey });
}

/** Names of keys, strings, and times. */
export function edgeCases(home: Home): Vector[] {
  return [...keyNames(home), ...furtherKeys(home), ...strings(home), ...countedPeers(home)];
}

/** Characters, and whether they are white space (the property White_Space of Unicode). */
const CHARACTERS = [
  ["U+0085", "\u0085", true],
  ["U+00A0", "\u00a0", true],
  ["U+1680", "\u1680", true],
  ["U+2003", "\u2003", true],
  ["U+2028", "\u2028", true],
  ["U+3000", "\u3000", true],
  ["U+180E", "\u180e", false],
  ["U+200B", "\u200b", false],
  ["U+FEFF", "\ufeff", false],
] as const;

function keyNames({ scheme, network, log }: Home): Vector[] {
  const { publicKey } = network.logKey;
  const good = publicNetwork(network.configuration);
  const head = log.head(BATCH_SIZE, HEAD_TIME);
  const checkpoint = network.checkpoint(head, { 0: HEAD_TIME, 1: HEAD_TIME });
  const configured = (name: string, rules: readonly string[], log_vkey: string): Vector => ({
    name: `${scheme}: configuration with a log key ${name}`,
    kind: "configuration",
    rules,
    input: JSON.stringify({ ...good, log_vkey }),
  });
  const vkey = (name: string) => encodeVkey({ name, type: NOTE_TYPE.ed25519, publicKey });
  return [
    ...CHARACTERS.flatMap(([code, character, isSpace]): Vector[] => [
      configured(`whose name has ${code}`, ["C9"], vkey(`a${character}b`)),
      {
        name: `${scheme}: checkpoint with a line whose name has ${code}`,
        kind: "checkpoint",
        rules: [isSpace ? "K1" : "K5"],
        network: scheme,
        input: `${checkpoint}\u2014 a${character}b ${btoa("12345678")}\n`,
      },
    ]),
    configured("whose name has a surrogate", ["C9"], vkey("a\ud800b")),
    configured("whose name has U+001C", ["C9"], vkey("a\u001cb")),
    configured("of type 0x06", ["C9"], mlDsaVkey(good.id)),
  ];
}

function furtherKeys({ scheme, network }: Home): Vector[] {
  const good = publicNetwork(network.configuration);
  const [first, second, ...others] = good.witnesses;
  const make = (name: string, rules: readonly string[], change: object): Vector => ({
    name: `${scheme}: configuration with ${name}`,
    kind: "configuration",
    ...(rules.length > 0 && { rules }),
    input: JSON.stringify({ ...good, ...change }),
  });
  const witnesses = (one: unknown, two?: unknown) => ({
    witnesses: [
      { ...first, ml_dsa_vkey: one },
      two === undefined ? second : { ...second, ml_dsa_vkey: two },
      ...others,
    ],
  });
  return [
    make("an ML-DSA-44 key", ["C14"], witnesses(mlDsaVkey(first!.id))),
    make("an ML-DSA-44 key of another name", ["C14"], witnesses(mlDsaVkey(second!.id))),
    make("a log's ML-DSA-44 key of another name", ["C14"], {
      log_ml_dsa_vkey: mlDsaVkey("other.example/log"),
    }),
    make("an ML-DSA-44 key that is none", ["C14"], witnesses("none")),
    make("an ML-DSA-44 key that is a number", ["J7"], witnesses(5)),
    make("an ML-DSA-44 key of another type", ["C14"], witnesses(good.log_vkey)),
    make("an ML-DSA-44 key twice", ["C15"], witnesses(mlDsaVkey(first!.id), mlDsaVkey(second!.id))),
    make("two ML-DSA-44 keys", ["C15"], witnesses(mlDsaVkey(first!.id), mlDsaVkey(second!.id, 8))),
  ];
}

function bundleOf({ log }: Home): ProofBundle {
  return log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, log.sth(BATCH_SIZE, HEAD_TIME)));
}

function strings(home: Home): Vector[] {
  const { scheme, log } = home;
  const bundle = bundleOf(home);
  const anchor = log.externalAnchor({ from: BATCH_SIZE, size: 14, timestamp: PEER_TIME });
  const make = (name: string, rules: readonly string[], input: string): Vector => ({
    name: `${scheme}: ${name}`,
    kind: "bundle",
    rules,
    network: scheme,
    peers: ["alpha"],
    input,
  });
  const anchored = (change: object) =>
    JSON.stringify({ ...bundle, external_anchors: [{ ...anchor, ...change }] });
  const proofOf = (members: string) => anchored({ proof: "PROOF" }).replace('"PROOF"', members);
  const cross = log.crossAnchor(homes.ed25519.network, {
    from: BATCH_SIZE,
    size: 14,
    timestamp: PEER_TIME,
  });
  const early = ROUND_TIME - 100;
  const alpha = log.crossAnchor(new TestNetwork("alpha.example/log"), {
    from: BATCH_SIZE,
    size: 14,
    timestamp: early - 100,
  });
  const before = log.bundle(SEQUENCE, log.batchInclusion(SEQUENCE, log.sth(BATCH_SIZE, early)));
  return [
    make("a provider that is half of a surrogate pair", ["E6"], anchored({ provider: "\ud800" })),
    make(
      "a peer that is half of a surrogate pair",
      ["X4"],
      JSON.stringify({
        ...bundle,
        cross_anchors: [{ ...cross, witnessing_network: "\udc00" }],
      }),
    ),
    make("a member of half a surrogate pair, twice", ["J2"], proofOf('{"\\ud800":1,"\\uD800":2}')),
    make("members of different halves", ["J2"], proofOf('{"\\ud800":1,"\\udc00":2}')),
    make(
      "times in another order than their layers",
      ["T5"],
      JSON.stringify({
        ...before,
        cross_anchors: [alpha],
      }),
    ),
  ];
}

/** X11 before X12. */
function countedPeers(home: Home): Vector[] {
  const { scheme, log, homeKeyPeer } = home;
  const anchorBy = (peer: TestNetwork, timestamp: number, places?: readonly number[]) =>
    log.crossAnchor(peer, { from: BATCH_SIZE, size: 14, timestamp, ...(places && { places }) });
  const twice = [anchorBy(homeKeyPeer, PEER_TIME), anchorBy(homeKeyPeer, PEER_TIME + 1)];
  const alpha = new TestNetwork("alpha.example/log");
  const shared = new TestNetwork("shared.example/log", { seeds: ["alpha.example/log/w2"] });
  const make = (
    name: string,
    peers: readonly string[],
    cross_anchors: ProofBundle["cross_anchors"],
  ): Vector => ({
    name: `${scheme}: cross-anchored ${name}`,
    kind: "bundle",
    rules: ["X11"],
    network: scheme,
    peers,
    input: JSON.stringify({ ...bundleOf(home), cross_anchors }),
  });
  return [
    make("twice by a peer that shares our key", [`homekey ${scheme}`], twice),
    make("by a peer that shares the key of one whose anchor fails", ["alpha", "shared"], [
      anchorBy(alpha, PEER_TIME, [0]),
      anchorBy(shared, PEER_TIME),
    ]),
  ];
}
