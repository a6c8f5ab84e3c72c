/**
 * Messages between peer networks, and contradictions.
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  anyContradictionMembers,
  type Contradiction,
  contradictionMembers,
  type CrossAnchorRequest,
  encodeCrossAnchorRequest,
  forkEvidenceMembers,
  parseContradiction,
  parseContradictions,
  parseCrossAnchorRequest,
  parseEvidence,
  parsePeerCosignature,
  peerCosignatureMembers,
} from "../../src/proof/format/federation.ts";
import { verifyContradiction } from "../../src/proof/verify/contradiction.ts";
import { verifyLoggedTreeHead } from "../../src/proof/verify/logged_tree_head.ts";
import {
  contradictionOf,
  growthOf,
  historyOf,
  loggedHead,
} from "../gateway/federation/histories.ts";
import { nativeCrypto } from "../schemes.ts";
import { twoSuccessions } from "../proof/verify/test_succession.ts";
import { ofText, type Target } from "./engine.ts";
import { sides } from "./valid_inputs.ts";

const CODE = "malformed_bundle";

const worlds = sides.map(({ network, peer }) => {
  const log = historyOf(network, "one", 3, 9);
  const other = historyOf(network, "other", 3, 9);
  const request: CrossAnchorRequest = {
    ...loggedHead(log, 9),
    minWitnesses: 2,
    growth: growthOf(log, 9, 4, 5, 8),
  };
  const contradictions: Contradiction[] = [
    contradictionOf([log, 7], [other, 7]),
    contradictionOf([log, 4], [other, 9]),
  ];
  return { network: network.configuration, peer, request, contradictions };
});

const requests = worlds.map(({ request }) => encodeCrossAnchorRequest(request));
const contradictions = worlds.flatMap(({ contradictions }) => contradictions);
const cosignatures = worlds.map(({ peer, request: { sth } }) =>
  peerCosignatureMembers("net.example/peer", {
    treeHead: sth.tree_head,
    signatures: peer.signEach("anything"),
  })
);

/** A target that means what it says: what it reads is written as it came. */
function readerOf(
  name: string,
  seeds: readonly string[],
  readAndWrite: (text: string) => unknown,
): Target {
  return {
    name,
    covers: [`proof/format/federation.ts#${name}`],
    codes: [CODE],
    seeds,
    share: 0.5,
    read: ofText((text) =>
      assert.deepEqual(JSON.parse(JSON.stringify(readAndWrite(text))), JSON.parse(text))
    ),
  };
}

const READERS: readonly Target[] = [
  {
    ...readerOf(
      "parseCrossAnchorRequest",
      requests,
      (text) => JSON.parse(encodeCrossAnchorRequest(parseCrossAnchorRequest(text))),
    ),
    codes: ["malformed_json", "malformed_request"],
  },
  readerOf(
    "parsePeerCosignature",
    cosignatures.map((value) => JSON.stringify(value)),
    (text) =>
      peerCosignatureMembers(
        "net.example/peer",
        parsePeerCosignature(text, "net.example/peer", CODE),
      ),
  ),
  readerOf(
    "parseContradiction",
    contradictions.map((value) => JSON.stringify(contradictionMembers(value))),
    (text) => contradictionMembers(parseContradiction(text, CODE)),
  ),
  readerOf(
    "parseEvidence",
    contradictions.flatMap((value) => {
      const { first: { sth }, ...others } = value;
      return [value, { ...others, first: { sth } }];
    }).map((value) => JSON.stringify(forkEvidenceMembers(value))),
    (text) => {
      const read = parseEvidence(text, CODE);
      return "path" in read ? forkEvidenceMembers(read) : read;
    },
  ),
  readerOf(
    "parseContradictions",
    ["[]", JSON.stringify([...contradictions.map(contradictionMembers), twoSuccessions()])],
    (text) => parseContradictions(text, CODE).map(anyContradictionMembers),
  ),
];

/** Whatever is judged proved says what the network signed: both of its heads, as they were. */
function verifierOf({ network, request, contradictions }: (typeof worlds)[number]): Target[] {
  const scheme = network.signature_scheme;
  const share = scheme === "bls" ? 0.1 : 0.5;
  const heads = contradictions.flatMap(({ first, second }) => [first, second]);
  const signed = heads.map(({ sth }) => sth.tree_head);
  return [{
    name: `verifyContradiction ${scheme}`,
    covers: ["proof/verify/contradiction.ts#verifyContradiction"],
    codes: [CODE],
    seeds: contradictions.map((value) => JSON.stringify(contradictionMembers(value))),
    share,
    read: ofText(async (text) => {
      const read = parseContradiction(text, CODE);
      if (!(await verifyContradiction(nativeCrypto, network, read)).valid) return false;
      for (const { sth } of [read.first, read.second]) {
        assert.ok(signed.some(({ root_hash }) => root_hash === sth.tree_head.root_hash));
      }
      return true;
    }),
  }, {
    name: `verifyLoggedTreeHead ${scheme}`,
    covers: ["proof/verify/logged_tree_head.ts#verifyLoggedTreeHead"],
    codes: ["malformed_json", "malformed_request"],
    seeds: [encodeCrossAnchorRequest(request)],
    share,
    read: ofText(async (text) => {
      const read = parseCrossAnchorRequest(text);
      if (!(await verifyLoggedTreeHead(nativeCrypto, network, read)).valid) return false;
      assert.deepEqual(read.sth.tree_head, request.sth.tree_head);
      return true;
    }),
  }];
}

export const FEDERATION_TARGETS: readonly Target[] = [...READERS, ...worlds.flatMap(verifierOf)];
