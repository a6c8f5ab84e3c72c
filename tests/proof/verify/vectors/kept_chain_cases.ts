/**
 * Bundles beside a chain that the verifier keeps: of the network, or of a peer.
 *
 * @module
 */

import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../../../src/proof/format/succession.ts";
import { encodeCheckpointBody } from "../../../../src/proof/format/tree_head.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, TestNetwork } from "../test_network.ts";
import { closeLink, propose, signSuccession } from "../test_succession.ts";
import { epochLogs } from "./succession_cases.ts";
import type { Vector } from "./vector.ts";

/** The network of each scheme that has the one with three epochs as its peer. */
export const anchoredHomes = {
  ed25519: homeOf("ed25519"),
  bls: homeOf("bls"),
} as const;

function homeOf(scheme: SignatureScheme): TestNetwork {
  return new TestNetwork(`anchored.example/${scheme}`, {
    scheme,
    federation: {
      enabled: true,
      peer_networks: [{ id: epochLogs[scheme].epochs[0].id }],
      cross_anchor_threshold: 1,
    },
  });
}

/** A leaf and a head of epoch 2, signed by the retired keys of epoch 0. */
export function retiredBundle(scheme: SignatureScheme): ProofBundle {
  const { epochs: [zero] } = epochLogs[scheme];
  const log = new TestLog(zero);
  for (let i = 0; i < 24; i++) {
    log.addRound([digestOf(`retired ${i}`)], { timestamp: 1_766_290_000 + i });
  }
  return log.bundle(20, log.batchInclusion(20, log.sth(24, 1_766_299_000)));
}

/** `links` with signatures over other texts. */
export function garbage(links: readonly SuccessionLink[]): SuccessionLink[] {
  return links.map((link, i) => ({ ...link, nonce: digestOf(`garbage ${i}`) }));
}

export function keptChainCases(scheme: SignatureScheme): Vector[] {
  const { links: [first, second] } = epochLogs[scheme];
  const whole = [first, second];
  const make = (
    name: string,
    bundle: ProofBundle,
    followed: readonly SuccessionLink[],
    links?: readonly SuccessionLink[],
    rules: readonly string[] = [],
  ): Vector => ({
    name: `${scheme}: kept chain: ${name}`,
    kind: "bundle",
    ...(rules.length > 0 && { rules }),
    network: `${scheme} epoch 0`,
    followed: [JSON.stringify(followed)],
    input: JSON.stringify({ ...bundle, ...(links && { succession: links }) }),
  });
  const forged = retiredBundle(scheme);
  const { ended, log } = frozenLog(scheme);
  const late = log.bundle(9, log.batchInclusion(9, log.sth(10, 1_766_299_000)));
  return [
    make("a leaf of epoch 2 by the retired keys", forged, whole),
    make("the same with a prefix of the chain", forged, whole, [first]),
    make(
      "the same with three links that nobody signed",
      forged,
      whole,
      garbage([...whole, first]),
      [
        "L3",
      ],
    ),
    make("the same with the chain and a further link that nobody signed", forged, whole, [
      ...whole,
      ...garbage([second]),
    ]),
    make("a leaf after the end of the log", late, [ended], undefined, ["L14"]),
    make("a leaf after the end, with three links that nobody signed", late, [ended], [
      ...garbage([first, second]),
      first,
    ], ["L3"]),
    make("a leaf after the end, with links after the end", late, [ended], [ended, second], ["L2"]),
    make("a succession of the log that ended", late, [ended], whole, ["L3"]),
    ...peerCases(scheme),
    ...resourceCases(scheme),
  ];
}

/** Other resources than bundles, of each epoch and at its end. */
function resourceCases(scheme: SignatureScheme): Vector[] {
  const { epochs, links, log } = epochLogs[scheme];
  const [zero, one, two] = epochs;
  const { ended, log: frozen } = frozenLog(scheme);
  const fork = new TestLog(zero);
  fork.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`fork ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const time = 1_766_278_000;
  const make = (
    kind: "checkpoint" | "contradiction" | "signed_attestation" | "tree_head",
    name: string,
    rules: readonly string[],
    input: unknown,
    followed: readonly SuccessionLink[] = links,
  ): Vector => ({
    name: `${scheme}: kept chain: a ${kind.replace("_", " ")} ${name}`,
    kind,
    ...(rules.length > 0 && { rules }),
    network: `${scheme} epoch 0`,
    followed: [JSON.stringify(followed)],
    input: typeof input === "string" ? input : JSON.stringify(input),
  });
  const both = (
    name: string,
    rules: readonly string[],
    signer: TestNetwork,
    from: TestLog,
    size: number,
    followed?: readonly SuccessionLink[],
  ) => [
    make("tree_head", name, rules, signer.signHead(from.head(size, time)), followed),
    make(
      "checkpoint",
      name,
      rules,
      signer.checkpoint(from.head(size, time), { 0: time, 1: time, 2: time }),
      followed,
    ),
  ];
  const logged = (signer: TestNetwork, from: TestLog, size: number) => {
    const sth = signer.signHead(from.head(size, time));
    return { sth, log_signature: signer.logSignature(encodeCheckpointBody(sth.tree_head)) };
  };
  const contradiction = (first: unknown, second: unknown, path: readonly string[] = []) => ({
    origin: zero.id,
    found_at: time,
    first,
    second,
    consistency_path: path,
  });
  return [
    ...both("of epoch 0", [], zero, log, 7),
    ...both("of epoch 2", [], two, log, 24),
    ...both("of epoch 2 by the keys of epoch 0", [], zero, log, 24),
    ...both("at an end, with another root", ["L15"], zero, fork, 8),
    ...both("after the end of the log", ["L14"], zero, frozen, 10, [ended]),
    make("signed_attestation", "of epoch 1", [], log.attestations[12]),
    make("signed_attestation", "after the end of the log", ["L14"], frozen.attestations[9], [
      ended,
    ]),
    make(
      "contradiction",
      "at an end",
      ["D7"],
      contradiction(logged(zero, log, 8), logged(zero, fork, 8)),
    ),
    make(
      "contradiction",
      "whose second head has the log key of another epoch",
      ["D5"],
      contradiction(logged(zero, log, 8), {
        ...logged(two, log, 24),
        log_signature: one.logSignature(encodeCheckpointBody(log.head(24, time))),
      }, log.consistencyPath(8, 24)),
    ),
  ];
}

/** A log that froze at size 9, and a leaf after its end. */
export function frozenLog(scheme: SignatureScheme) {
  const { epochs: [zero] } = epochLogs[scheme];
  const log = new TestLog(zero);
  log.addRound(Array.from({ length: 8 }, (_, i) => digestOf(`kept ${i}`)), {
    timestamp: 1_766_275_900,
  });
  const freeze = signSuccession(propose(zero, null, { treeSize: 8 }), zero, null);
  const ended = closeLink(log, freeze, zero);
  log.addRound([digestOf("late")], { timestamp: 1_766_275_990 });
  return { ended, log };
}

/** X7 with the chain of the peer. */
function peerCases(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero, one, two], links } = epochLogs[scheme];
  const home = anchoredHomes[scheme];
  const [{ end: { timestamp: firstEnd } }, { end: { timestamp: secondEnd } }] = links;
  const make = (
    name: string,
    signer: TestNetwork,
    time: number,
    followed: readonly SuccessionLink[] = links,
    pin = 0,
    peer = `${scheme} epoch ${pin}`,
  ): Vector => {
    const log = new TestLog(home);
    log.addRound([digestOf("one"), digestOf("two")], { timestamp: time - 5 });
    const anchor = log.crossAnchor(signer, { from: 2, size: 2, timestamp: time + 5 });
    const bundle = log.bundle(0, log.batchInclusion(0, log.sth(2, time)));
    return {
      name: `${scheme}: kept chain of a peer: ${name}`,
      kind: "bundle",
      rules: ["X7"],
      network: `${scheme} anchored home`,
      peers: [peer],
      followed: [JSON.stringify(followed)],
      input: JSON.stringify({ ...bundle, cross_anchors: [anchor] }),
    };
  };
  const { ended } = frozenLog(scheme);
  return [
    make("epoch 0, at its end", zero, firstEnd),
    make("epoch 0, after its end", zero, firstEnd + 1),
    make("epoch 0, after its end, under a pin of epoch 2", zero, firstEnd + 1, links, 2),
    make("epoch 1, at its end", one, secondEnd),
    make("epoch 1, after its end", one, secondEnd + 1),
    make("epoch 2", two, secondEnd + 1),
    make("epoch 2, under a pin of epoch 2", two, secondEnd + 1, links, 2),
    make(
      "epoch 0, after its end, with the file of the peer alone",
      zero,
      firstEnd + 1,
      [],
      0,
      `${scheme} epoch 0 with its chain`,
    ),
    make("a peer before the end of its log", zero, ended.end.timestamp, [ended]),
    make("a peer after the end of its log", zero, ended.end.timestamp + 1, [ended]),
  ];
}
