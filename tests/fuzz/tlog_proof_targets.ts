/**
 * Proofs and policies of any log.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utf8 } from "../../src/bytes.ts";
import { leafHash } from "../../src/crypto/hashing.ts";
import { meetsQuorum, parseLogPolicy } from "../../src/format/log_policy.ts";
import { encodeTlogProof, parseTlogProof, tlogProofOf } from "../../src/format/tlog_proof.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { VERIFY_REASONS } from "../../src/verify/reasons.ts";
import { verifyTlogProof } from "../../src/verify/tlog_proof.ts";
import { nativeCrypto } from "../schemes.ts";
import { withLogSignature } from "../verify/vectors/head_cases.ts";
import { ofText, type Target } from "./engine.ts";
import { sides } from "./valid_inputs.ts";

const [{ network, bundle }] = sides;
const inclusion = bundle.batch_inclusion!;
const proof = tlogProofOf(network.configuration, {
  ...bundle,
  batch_inclusion: { ...inclusion, sth: withLogSignature(inclusion.sth, network.log) },
});
const POLICY = policyText(network.configuration)!;
const [log = "", w1 = "", w2 = "", w3 = ""] = POLICY.split("\n");
const policy = parseLogPolicy(utf8(POLICY));

export const TLOG_PROOF_TARGETS: readonly Target[] = [
  {
    name: "parseTlogProof",
    covers: ["format/tlog_proof.ts#parseTlogProof"],
    codes: ["malformed_text"],
    seeds: [proof, proof.replace(/^extra .*\n/m, ""), "c2sp.org/tlog-proof@v1\nindex 0\n\nx"],
    read: ofText((text) => assert.equal(encodeTlogProof(parseTlogProof(text)), text)),
  },
  {
    name: "parseLogPolicy",
    covers: ["format/log_policy.ts#parseLogPolicy"],
    codes: ["invalid_configuration", "invalid_key"],
    seeds: [
      POLICY,
      `# c\n\t${log} https://log.example/\nquorum none\n`,
      `${w1}\n${w2} u\n${w3}\ngroup a any w1 w2\ngroup b all a w3\nquorum b\n`,
    ],
    read: (bytes) => {
      const { witnesses, quorum, groups } = parseLogPolicy(bytes);
      const parsed = { witnesses, quorum, groups, logs: [] };
      assert.equal(meetsQuorum(parsed, new Set(witnesses.keys())), true);
      assert.equal(meetsQuorum(parsed, new Set()), quorum === "none");
    },
  },
  {
    name: "verifyTlogProof",
    covers: ["verify/tlog_proof.ts#verifyTlogProof"],
    codes: ["malformed_text"],
    seeds: [proof],
    read: ofText(async (text) => {
      const parsed = parseTlogProof(text);
      const leaf = leafHash(nativeCrypto.kernels, parsed.extra ?? utf8(""));
      const result = await verifyTlogProof(nativeCrypto, policy, parsed, leaf);
      if (!result.valid) {
        assert.ok(result.reason! in VERIFY_REASONS);
        return false;
      }
      assert.equal(result.head.origin, network.id);
      assert.deepEqual(parsed.extra, parseTlogProof(proof).extra);
      return true;
    }),
  },
];
