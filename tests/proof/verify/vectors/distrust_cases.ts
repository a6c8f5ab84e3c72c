/**
 * Resources under a verifier that does not trust some witnesses ("Distrust" of verification.md).
 *
 * @module
 */

import type { ProofBundle } from "../../../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../../../src/proof/format/succession.ts";
import { TestLog } from "../test_log.ts";
import { digestOf, TestNetwork } from "../test_network.ts";
import { closeLink, propose, signSuccession } from "../test_succession.ts";
import { anchoredHomes, frozenLog, garbage, retiredBundle } from "./kept_chain_cases.ts";
import { bundleOf, epochLogs } from "./succession_cases.ts";
import type { Vector } from "./vector.ts";

const RULES = ["S11"];

export function distrustCases(scheme: SignatureScheme): Vector[] {
  const { epochs: [zero, , two], links: [first, second], log } = epochLogs[scheme];
  const whole = [first, second];
  const make = (
    name: string,
    distrust: readonly string[],
    resource: unknown,
    rest: Partial<Vector> = {},
  ): Vector => ({
    name: `${scheme}: distrust of ${distrust.join(" and ")}: ${name}`,
    kind: "bundle",
    rules: RULES,
    network: `${scheme} epoch 0`,
    followed: [JSON.stringify(whole)],
    distrust: distrust.map((one) => `${zero.id}/${one}`),
    input: typeof resource === "string" ? resource : JSON.stringify(resource),
    ...rest,
  });
  /** A bundle of epoch 0 whose head the witnesses at `places` signed. */
  const early = (places?: number[]) => {
    const sth = zero.signHead(log.head(7, 1_766_278_000), places);
    return log.bundle(3, log.batchInclusion(3, sth));
  };
  // Rounds are signed by the first witnesses: a and b, then b and c, then c, d and e.
  const later = bundleOf(scheme, 20, 24);
  return [
    make("a signer", ["a"], early()),
    make("a signer of the leaf, and a head that others signed", ["a"], early([1, 2])),
    make("a hash that is not expected, in a head that others signed", ["a"], early([1, 2]), {
      expected: { hash: digestOf("other") },
    }),
    make("a head with a spare signature", ["a", "c"], early([0, 1, 2])),
    make("a witness that did not sign", ["c"], early()),
    make("from the leaf's sequence on", ["a@3"], early()),
    make("from after the leaf on", ["a@4"], early()),
    make("from the head's size on", ["a@7"], early()),
    make("a signer of the first link", ["a"], later),
    make("from the end of the first epoch on", ["a@8"], later),
    make("a later witness", ["g"], later),
    make("a signer of the last epoch", ["c@16"], later),
    make("a witness whose former key is of another", ["b"], later),
    make("a signer of the first link, under a pin of epoch 2", ["a"], early(), {
      network: `${scheme} epoch 2`,
    }),
    make("the last epoch, under a pin of epoch 2", ["a"], later, {
      network: `${scheme} epoch 2`,
    }),
    ...renamed(scheme, make),
    ...retiredKeys(scheme, make),
    ...peers(scheme, make),
    make("a tree head", ["c"], two.signHead(log.head(24, 1_766_278_000)), { kind: "tree_head" }),
    make("a checkpoint", ["c"], two.checkpoint(log.head(24, 5), { 0: 5, 1: 5, 2: 5 }), {
      kind: "checkpoint",
    }),
    make(
      "a checkpoint with a spare line",
      ["c@16"],
      two.checkpoint(log.head(24, 5), {
        0: 5,
        1: 5,
        2: 5,
        3: 5,
      }),
      { kind: "checkpoint" },
    ),
    make("a signed attestation", ["a"], log.attestations[3], { kind: "signed_attestation" }),
  ];
}

type Make = (
  name: string,
  distrust: readonly string[],
  resource: unknown,
  rest?: Partial<Vector>,
) => Vector;

/** In epoch 1 the witness x has the key that a had in epoch 0. */
function renamed(scheme: SignatureScheme, make: Make): Vector[] {
  const { epochs: [zero] } = epochLogs[scheme];
  const named = (...names: string[]) => names.map((name) => `${zero.id}/${name}`);
  const one = new TestNetwork(zero.id, {
    scheme,
    epoch: 1,
    witnessIds: named("b", "c", "x"),
    seeds: named("b", "c", "a"),
  });
  const log = new TestLog(zero);
  const time = 1_766_275_900;
  log.addRound([digestOf("one")], { timestamp: time });
  const signed = signSuccession(propose(zero, one, { treeSize: 1 }), zero, one, [1, 2]);
  const link = closeLink(log, signed, zero, { places: [1, 2] });
  log.network = one;
  log.addRound([digestOf("two")], { timestamp: time + 1 });
  const bundle = log.bundle(2, log.batchInclusion(2, one.signHead(log.head(3, time), [0, 2])));
  const followed = { followed: [JSON.stringify([link])] };
  const early = log.bundle(0, null);
  return [
    make("another witness than the signers", ["c"], bundle, followed),
    make("a witness whose key another id has later", ["a"], bundle, followed),
    make("a witness whose key another id had before", ["x"], early, followed),
    make("the same from its own epoch on", ["x@2"], early, followed),
  ];
}

/** Distrust of a witness that signed no link must not give the log back to the keys of epoch 0. */
function retiredKeys(scheme: SignatureScheme, make: Make): Vector[] {
  const { links: [first, second] } = epochLogs[scheme];
  const forged = retiredBundle(scheme);
  const shown: readonly (readonly [string, readonly SuccessionLink[] | undefined])[] = [
    ["no chain", undefined],
    ["links that nobody signed", garbage([first, second, first])],
    ["a prefix of the chain", [first]],
  ];
  const { ended, log } = frozenLog(scheme);
  const late: ProofBundle = log.bundle(9, log.batchInclusion(9, log.sth(10, 1_766_299_000)));
  return ["a", "b", "c", "d", "e", "g"].flatMap((one) => [
    ...shown.map(([name, succession]) =>
      make(`retired keys with ${name}`, [one], { ...forged, ...(succession && { succession }) })
    ),
    ...(one < "d"
      ? [make("a leaf after the end of the log", [one], late, {
        followed: [JSON.stringify([ended])],
      })]
      : []),
  ]);
}

/** Cross-anchors count no signature of a named witness, whatever its size. */
function peers(scheme: SignatureScheme, make: Make): Vector[] {
  const { epochs: [zero, , two] } = epochLogs[scheme];
  const home = anchoredHomes[scheme];
  const log = new TestLog(home);
  const time = 1_766_290_000;
  log.addRound([digestOf("one"), digestOf("two")], { timestamp: time - 5 });
  const bundle = log.bundle(0, log.batchInclusion(0, log.sth(2, time)));
  const anchored = (name: string, signer: typeof zero, one: string, followed: readonly string[]) =>
    make(name, [one], {
      ...bundle,
      cross_anchors: [log.crossAnchor(signer, { from: 2, size: 2, timestamp: time + 5 })],
    }, { network: `${scheme} anchored home`, peers: [`${scheme} epoch 0`], followed });
  const chain = JSON.stringify(epochLogs[scheme].links);
  return [
    anchored("an anchor of a peer", zero, "a@99", []),
    anchored("an anchor of a peer that it did not sign", zero, "c", []),
    anchored("an anchor of a peer's last epoch", two, "c@99", [chain]),
    anchored("an anchor of a peer's last epoch, to which no link leads", two, "a", [chain]),
    anchored("an anchor of a peer's last epoch that it did not sign", two, "g", [chain]),
  ];
}
