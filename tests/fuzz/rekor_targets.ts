/**
 * Answers and proofs of a Rekor log, and the files that users and operators have for it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import {
  encodeRekorBundle,
  parseRekorBundle,
  readFirstAnswer,
  readSecondAnswer,
} from "../../src/gateway/anchors/rekor/bundle.ts";
import { parseRekorCheckpoint } from "../../src/gateway/anchors/rekor/verify.ts";
import {
  decodeEntryBody,
  encodeEntryBody,
  type RekorEntry,
} from "../../src/gateway/anchors/rekor/entry.ts";
import {
  decodeSpki,
  encodeSpki,
  parseTrustedLogs,
  readSubmitterKey,
} from "../../src/gateway/anchors/rekor/keys.ts";
import { base64Of, type Bytes, utf8 } from "../../src/base/bytes.ts";
import { verifyP256 } from "../../src/proof/crypto/p256.ts";
import { encodeNote } from "../../src/proof/format/note_writer.ts";
import { encodePem, parsePem } from "../../src/proof/format/pem.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import {
  DIGEST,
  firstLog,
  recordOf,
  secondLog,
  signDigest,
  submitterPem,
  type TestRekorLog,
} from "../gateway/anchors/rekor/test_log.ts";
import { LOGS, verdict } from "../gateway/anchors/rekor/verdicts.ts";
import { ofText, type Target } from "./engine.ts";

const proofs = LOGS.map((log) => JSON.stringify(log.proof()));
const keyFile = await submitterPem();

/** The target of a log's answers: what is read of one is all of it that is known. */
function answersOf(log: TestRekorLog, read: (answer: Bytes) => RekorEntry): Target {
  const { version } = log;
  const entry = log.entry(encodeEntryBody(version, recordOf()));
  return {
    name: read.name,
    covers: [`gateway/anchors/rekor/bundle.ts#${read.name}`],
    codes: ["anchor_refused"],
    seeds: [JSON.stringify(log.answer(entry))],
    read(input) {
      const found = read(input);
      assert.equal(found.version, version);
      assert.deepEqual(read(utf8(JSON.stringify(log.answer(found)))), found);
      const said = JSON.stringify(JSON.parse(new TextDecoder().decode(input)));
      assert.ok(said.includes(base64Of(found.body)) && said.includes(String(found.logIndex)));
    },
  };
}

const READERS: readonly Target[] = [
  answersOf(firstLog, readFirstAnswer),
  answersOf(secondLog, readSecondAnswer),
  {
    name: "parseRekorBundle",
    covers: ["gateway/anchors/rekor/bundle.ts#parseRekorBundle"],
    codes: ["malformed_json", "malformed_bundle"],
    seeds: proofs,
    read: ofText((text) => {
      const proof = parseRekorBundle(parseStrictJson(text, "malformed_json"));
      assert.deepEqual(JSON.parse(JSON.stringify(encodeRekorBundle(proof))), JSON.parse(text));
    }),
  },
  ...LOGS.map(({ version }): Target => ({
    name: `decodeEntryBody ${version}`,
    covers: ["gateway/anchors/rekor/entry.ts#decodeEntryBody"],
    codes: ["malformed_bundle"],
    seeds: [encodeEntryBody(version, recordOf())],
    read(input) {
      assert.deepEqual(encodeEntryBody(version, decodeEntryBody(version, input)), input);
    },
  })),
  {
    name: "parseRekorCheckpoint",
    covers: ["gateway/anchors/rekor/verify.ts#parseRekorCheckpoint"],
    codes: ["malformed_text"],
    seeds: LOGS.map((log) => log.checkpoint(12, DIGEST)),
    read: ofText((text) => {
      const { origin, size, root, note } = parseRekorCheckpoint(text);
      assert.ok(note.text.startsWith(`${origin}\n${size}\n${base64Of(root)}\n`));
      assert.equal(encodeNote(note), text);
    }),
  },
];

const FILES: readonly Target[] = [
  {
    name: "parseTrustedLogs",
    covers: ["gateway/anchors/rekor/keys.ts#parseTrustedLogs"],
    codes: ["malformed_text"],
    seeds: LOGS.flatMap((log) => [log.trustedRoot(), log.pem()]),
    read(input) {
      for (const { publicKey, algorithm, keyId, validFrom } of parseTrustedLogs(input)) {
        assert.equal(publicKey.length, algorithm === "p256" ? 65 : 32);
        assert.equal(keyId.length, 32);
        assert.ok(Number.isFinite(validFrom));
      }
    },
  },
  {
    name: "parsePem",
    covers: ["proof/format/pem.ts#parsePem"],
    codes: ["malformed_text"],
    seeds: [keyFile, `a key\r\n${keyFile.replaceAll("\n", "\r\n")}${keyFile}`],
    read: ofText((text) => {
      const blocks = parsePem(text);
      assert.deepEqual(parsePem(blocks.map(encodePem).join("")), blocks);
    }),
  },
  {
    name: "decodeSpki",
    covers: ["gateway/anchors/rekor/keys.ts#decodeSpki"],
    codes: [],
    seeds: LOGS.map(({ key }) => encodeSpki(key)),
    read(input) {
      const key = decodeSpki(input);
      if (key === undefined) return false;
      assert.deepEqual(encodeSpki(key), input);
      return true;
    },
  },
  {
    name: "readSubmitterKey",
    covers: ["gateway/anchors/rekor/keys.ts#readSubmitterKey"],
    codes: ["invalid_configuration"],
    seeds: [keyFile],
    share: 0.3,
    async read(input) {
      const { secret, publicKey } = await readSubmitterKey(input);
      assert.ok(await verifyP256(publicKey, DIGEST, signDigest(secret, DIGEST)));
    },
  },
];

/** What verifies is what the log said: no damaged proof is another one that holds. */
const VERIFIER: Target = {
  name: "rekor.verify",
  covers: ["verify.ts#verifyEntry", "verify.ts#verifyLog", "keys.ts#verifyLogSignature"]
    .map((name) => `gateway/anchors/rekor/${name}`),
  codes: ["malformed_json"],
  seeds: proofs,
  share: 0.3,
  read: ofText(async (text) => {
    const proof = parseStrictJson(text, "malformed_json");
    const found = await Promise.all(LOGS.map((log) => verdict(log, proof)));
    if (!found.some(({ status }) => status === "verified")) return false;
    const plain = JSON.parse(text);
    assert.ok(proofs.some((valid) => isDeepStrictEqual(JSON.parse(valid), plain)));
    return true;
  }),
};

export const REKOR_TARGETS: readonly Target[] = [...READERS, ...FILES, VERIFIER];
