/**
 * Proofs and policies of any log.
 *
 * @module
 */

import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { leafHash } from "../../src/proof/crypto/hashing.ts";
import { encodeCbor } from "../../src/proof/format/cbor.ts";
import { decodeCbor } from "../../src/proof/format/cbor_reader.ts";
import {
  coseReceiptOf,
  encodeCoseReceipt,
  parseCoseReceipt,
} from "../../src/proof/format/cose_receipt.ts";
import { verifyCoseReceipt } from "../../src/proof/verify/cose_receipt.ts";
import { parseLogList } from "../../src/proof/format/log_list.ts";
import { meetsQuorum, parseLogPolicy, WITNESS_TYPES } from "../../src/proof/format/log_policy.ts";
import { parseVkey } from "../../src/proof/format/note_key.ts";
import { witnessesIn } from "../../src/proof/format/witness_list.ts";
import { encodeLogHistories, parseLogHistories } from "../../src/proof/format/log_histories.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { encodeTlogProof, parseTlogProof, tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { logKeysOf } from "../../src/logs/publishing/checkpoint_rule.ts";
import { verifyLogHistories } from "../../src/proof/verify/log_histories.ts";
import { verifyPolicyCheckpoint } from "../../src/proof/verify/policy_checkpoint.ts";
import { VERIFY_REASONS } from "../../src/proof/verify/reasons.ts";
import { verifyTlogProof } from "../../src/proof/verify/tlog_proof.ts";
import { SyntheticLog } from "../logs/publishing/synthetic_log.ts";
import { nativeCrypto } from "../schemes.ts";
import { withLogSignature, withReceiptSignature } from "../proof/verify/vectors/head_cases.ts";
import { ofText, type Target } from "./engine.ts";
import { sides } from "./valid_inputs.ts";

const [{ network, bundle }] = sides;
const inclusion = bundle.batch_inclusion!;
const proof = tlogProofOf(network.configuration, {
  ...bundle,
  batch_inclusion: { ...inclusion, sth: withLogSignature(inclusion.sth, network.log) },
});
const receipted = {
  ...bundle,
  batch_inclusion: { ...inclusion, sth: withReceiptSignature(inclusion.sth, network.log) },
};
const receipt = coseReceiptOf(network.configuration, receipted);
const POLICY = policyText(network.configuration)!;
const [log = "", w1 = "", w2 = "", w3 = ""] = POLICY.split("\n");
const policy = parseLogPolicy(utf8(POLICY));

const { checkpoint } = parseTlogProof(proof);
const HISTORIES = encodeLogHistories({
  origin: network.id,
  foundAt: 7,
  first: checkpoint,
  second: checkpoint,
  path: [new Uint8Array(32), new Uint8Array(32).fill(7)],
});

const forkedLogs = ["a", "b"].map((salt) => {
  const forked = new SyntheticLog("Any log", new Uint8Array(32).fill(9));
  forked.grow(4, salt);
  return forked;
}) as [SyntheticLog, SyntheticLog];
const fork = {
  origin: "Any log",
  foundAt: 7,
  path: [],
  first: await forkedLogs[0].checkpoint(),
  second: await forkedLogs[1].checkpoint(),
};
const forkPolicy = parseLogPolicy(utf8(`log ${forkedLogs[0].vkey}\nquorum none\n`));
const forkedLog = { policy: forkPolicy, logKeys: logKeysOf(forkPolicy, "Any log") };

export const TLOG_PROOF_TARGETS: readonly Target[] = [
  {
    name: "decodeCbor",
    covers: ["proof/format/cbor_reader.ts#decodeCbor"],
    codes: ["malformed_text"],
    seeds: [receipt, new Uint8Array([0xa1, 0x20, 0x82, 0xf6, 0x61, 0x78])],
    read: (bytes) => assert.deepEqual(encodeCbor(decodeCbor(bytes)), bytes.slice()),
  },
  {
    name: "parseCoseReceipt",
    covers: [
      "proof/format/cose_receipt.ts#parseCoseReceipt",
      "proof/verify/cose_receipt.ts#verifyCoseReceipt",
    ],
    codes: ["malformed_text"],
    seeds: [receipt],
    async read(bytes) {
      const parsed = parseCoseReceipt(bytes);
      assert.deepEqual(encodeCoseReceipt(parsed), bytes.slice());
      const leaf = leafHash(nativeCrypto.kernels, parsed.entry ?? utf8(""));
      const about = { leafHash: leaf };
      const result = await verifyCoseReceipt(nativeCrypto, [network.logKey], parsed, about);
      if (!result.valid) return false;
      assert.deepEqual(parsed.entry, parseCoseReceipt(receipt).entry);
      return true;
    },
  },
  {
    name: "parseTlogProof",
    covers: ["proof/format/tlog_proof.ts#parseTlogProof"],
    codes: ["malformed_text"],
    seeds: [proof, proof.replace(/^extra .*\n/m, ""), "c2sp.org/tlog-proof@v1\nindex 0\n\nx"],
    read: ofText((text) => assert.equal(encodeTlogProof(parseTlogProof(text)), text)),
  },
  {
    name: "parseLogList",
    covers: ["proof/format/log_list.ts#parseLogList"],
    codes: ["malformed_text"],
    seeds: [`# c\nlogs/v0\n\n${log.replace("log ", "vkey ")}\norigin none\nqpd 24\nbastion none\n`],
    read: ofText((text) => {
      const { logs } = parseLogList(text);
      assert.equal(new Set(logs.map(({ origin }) => origin)).size, logs.length);
    }),
  },
  {
    name: "witnessesIn",
    covers: ["proof/format/witness_list.ts#witnessesIn"],
    codes: [],
    seeds: [POLICY, `<b>${w1.split(" ")[2]}</b> https://w.example/add-checkpoint\n`],
    read: ofText((text) => {
      for (const { vkey } of witnessesIn(text)) parseVkey(vkey, WITNESS_TYPES);
    }),
  },
  {
    name: "parseLogPolicy",
    covers: ["proof/format/log_policy.ts#parseLogPolicy"],
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
    covers: ["proof/verify/tlog_proof.ts#verifyTlogProof"],
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
  {
    name: "verifyPolicyCheckpoint",
    covers: ["proof/verify/policy_checkpoint.ts#verifyPolicyCheckpoint"],
    codes: ["malformed_text"],
    seeds: [checkpoint],
    read: ofText(async (text) => {
      const { valid, head } = await verifyPolicyCheckpoint(nativeCrypto, policy, text);
      if (valid) assert.equal(head.origin, network.id);
      return valid;
    }),
  },
  {
    name: "parseLogHistories",
    covers: ["proof/format/log_histories.ts#parseLogHistories"],
    codes: ["malformed_bundle"],
    seeds: [HISTORIES],
    read: ofText((text) =>
      assert.deepEqual(
        JSON.parse(encodeLogHistories(parseLogHistories(text, "malformed_bundle"))),
        JSON.parse(text),
      )
    ),
  },
  {
    name: "verifyLogHistories",
    covers: ["proof/verify/log_histories.ts#verifyLogHistories"],
    codes: ["malformed_bundle", "malformed_text"],
    seeds: [encodeLogHistories(fork)],
    read: ofText(async (text) => {
      const read = parseLogHistories(text, "malformed_bundle");
      if (!(await verifyLogHistories(nativeCrypto, () => forkedLog, read)).valid) return false;
      assert.deepEqual(
        [read.first, read.second].map((note) => parseNote(note).text),
        [fork.first, fork.second].map((note) => parseNote(note).text),
      );
      return true;
    }),
  },
];
