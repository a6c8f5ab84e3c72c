import assert from "node:assert/strict";
import { base64Of, type Bytes, textOf, utf8 } from "../../../../src/base/bytes.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";
import { encodePem } from "../../../../src/proof/format/pem.ts";
import type { JsonValue } from "../../../../src/proof/format/strict_json.ts";
import { encodeRekorBundle } from "../../../../src/gateway/anchors/rekor/bundle.ts";
import { encodeEntryBody } from "../../../../src/gateway/anchors/rekor/entry.ts";
import { encodeSpki } from "../../../../src/gateway/anchors/rekor/keys.ts";
import {
  DIGEST,
  firstLog,
  LOG_TIME,
  ORIGIN,
  p256Secret,
  recordOf,
  secondLog,
  TestRekorLog,
} from "./test_log.ts";
import { edited, LOGS, unsigned, verdict } from "./verdicts.ts";

const OTHER_DIGEST = portableKernels.sha256(utf8("another"));

/** An entry whose body is `body`, logged like any other, with the record that it should have. */
function logged(log: TestRekorLog, body: Bytes): JsonValue {
  return encodeRekorBundle({ entry: log.entry(body), record: recordOf() });
}

const ENTRY = (reason: string) => `Cannot verify Rekor entry: ${reason}`;
const PROOF = (reason: string) => `Cannot read Rekor bundle: ${reason}`;
const NOT_ITS_BUNDLE = PROOF("the bundle is not that of its entry");
const LIST = "Cannot read Rekor bundle.verificationMaterial.tlogEntries";
const NOT_ONE = `${LIST}: expected a list of 1 to 1 items`;
const NO_PATH = ENTRY("its inclusion proof does not lead to the root of the checkpoint");
const BODY = (reason: string) => `Cannot read body of Rekor entry: ${reason}`;

const NOT_CANONICAL = BODY("it is not a hashedrekord of version VERSION in canonical JSON");

/** Defects of both versions, each with its reason. */
const DEFECTS: readonly (readonly [string, (log: TestRekorLog) => JsonValue, string])[] = [
  [
    "another digest",
    (log) => log.proof(recordOf(OTHER_DIGEST)),
    ENTRY("it is for another digest"),
  ],
  ["a signature over another digest", (log) => {
    return log.proof({ ...recordOf(), signature: recordOf(OTHER_DIGEST).signature });
  }, ENTRY("its signature is invalid")],
  ["a signature by another key", (log) => {
    return log.proof({ ...recordOf(), signature: recordOf(DIGEST, p256Secret(8)).signature });
  }, ENTRY("its signature is invalid")],
  ["another path", (log) => {
    return edited(log.proof(), /(?<="hashes":\["[^"]*",")[^"]*/, base64Of(DIGEST));
  }, NO_PATH],
  ["a shorter path", (log) => {
    return edited(log.proof(), /(?<="hashes":\[)"[^"]*",/, "");
  }, NO_PATH],
  ["another root", (log) => {
    return edited(log.proof(), /(?<="rootHash":")[^"]*/, base64Of(DIGEST));
  }, ENTRY("its root is not that of the checkpoint")],
  ["another size", (log) => {
    return edited(log.proof(), '"treeSize":"12"', '"treeSize":"13"');
  }, ENTRY("its tree size is not that of the checkpoint")],
  [
    "a root that the log signed and that is not the tree's",
    (log) => {
      const root = base64Of(OTHER_DIGEST);
      const proof = log.proof(recordOf(), { root: OTHER_DIGEST });
      return edited(proof, /(?<="rootHash":")[^"]*/, root);
    },
    NO_PATH,
  ],
  ["a size that the log signed and that is not the tree's", (log) => {
    return edited(log.proof(recordOf(), { size: 40 }), '"treeSize":"12"', '"treeSize":"40"');
  }, NO_PATH],
  [
    "another origin",
    (log) => log.proof(recordOf(), { origin: "other.test" }),
    ENTRY(`the origin of the checkpoint is not ${ORIGIN}`),
  ],
  ["an origin that begins as the log's", (log) => {
    return log.proof(recordOf(), { origin: `${ORIGIN} - x` });
  }, ENTRY(`the origin of the checkpoint is not ${ORIGIN}`)],
  [
    "a line of another name",
    (log) => log.proof(recordOf(), { name: "rekor" }),
    unsigned("checkpoint"),
  ],
  ["another signature of the checkpoint", (log) => {
    const other = log.checkpoint(12, OTHER_DIGEST).split("\u2014")[1]!;
    const line = JSON.stringify(`\u2014${other}`).slice(1, -1);
    return edited(log.proof(), /\u2014[^"]*/, line);
  }, unsigned("checkpoint")],
  [
    "a checkpoint without lines",
    (log) => edited(log.proof(), /\u2014[^"]*/, ""),
    "Cannot read signed note: no signature line, or no newline at the end",
  ],
  ["a checkpoint without a root", (log) => {
    return edited(log.proof(), /\\n[A-Za-z0-9+/]{43}=\\n/, "\\n");
  }, "Cannot read checkpoint of Rekor log: the root is not 32 bytes"],
  [
    "a size in another spelling",
    (log) => edited(log.proof(), "\\n12\\n", "\\n0x0c\\n"),
    "Cannot read checkpoint of Rekor log: the size is not a decimal integer below 2^53",
  ],
  ["another log", (log) => {
    const other = new TestRekorLog({ ...log, algorithm: log.key.algorithm, seed: 12 });
    return other.proof();
  }, ENTRY("its log is not among the roots")],
  ["the ID of the log on another's entry", (log) => {
    const other = new TestRekorLog({ ...log, algorithm: log.key.algorithm, seed: 12 });
    return edited(other.proof(), base64Of(other.keyId), base64Of(log.keyId));
  }, unsigned("checkpoint")],
  ["a body that is not canonical", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace(",", ", ")));
  }, NOT_CANONICAL],
  ["a body with another member", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace('"spec":{', '"spec":{"a":1,')));
  }, NOT_CANONICAL],
  ["more hashes than any tree needs", (log) => {
    const hashes = JSON.stringify(Array.from({ length: 54 }, () => base64Of(DIGEST)));
    return edited(log.proof(), /(?<="hashes":)\[[^\]]*\]/, hashes);
  }, NO_PATH],
  ["a body with a key of another algorithm", (log) => {
    const spki = encodeSpki(secondLog.key);
    const pem = utf8(encodePem({ label: "PUBLIC KEY", bytes: spki }));
    const text = textOf(encodeEntryBody(log.version, recordOf()))
      .replace(/(?<="rawBytes":")[^"]*/, base64Of(spki))
      .replace(/(?<="publicKey":\{"content":")[^"]*/, base64Of(pem));
    return logged(log, utf8(text));
  }, BODY("its public key is not on P-256")],
  ["a body of another kind", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace("hashedrekord", "dsse")));
  }, NOT_CANONICAL],
  ["a body of another version", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace(log.version, "0.0.3")));
  }, NOT_CANONICAL],
  ["another digest beside the entry", (log) => {
    return edited(log.proof(), /(?<="digest":")[^"]*/, base64Of(OTHER_DIGEST));
  }, NOT_ITS_BUNDLE],
  ["another signature beside the entry", (log) => {
    return edited(log.proof(), /(?<="signature":")[^"]*/, base64Of(OTHER_DIGEST));
  }, NOT_ITS_BUNDLE],
  ["a hint of another key", (log) => {
    return edited(log.proof(), /(?<="hint":")[^"]*/, base64Of(OTHER_DIGEST));
  }, NOT_ITS_BUNDLE],
  ["a bundle of another type", (log) => {
    return edited(log.proof(), "bundle.v0.3", "bundle.v0.4");
  }, NOT_ITS_BUNDLE],
  ["two entries", (log) => {
    return edited(log.proof(), /"tlogEntries":\[(.*?)\]\}/, '"tlogEntries":[$1,{}]}');
  }, NOT_ONE],
  ["no entry", (log) => {
    return edited(log.proof(), /"tlogEntries":\[.*\]\}/, '"tlogEntries":[]}');
  }, NOT_ONE],
  ["a member that is not known", (log) => {
    return edited(log.proof(), '"publicKey":{', '"publicKey":{"a":1,');
  }, NOT_ITS_BUNDLE],
  ["an integer in another spelling", (log) => {
    return edited(log.proof(), '"treeSize":"12"', '"treeSize":"012"');
  }, `${LIST}[0].inclusionProof.treeSize: expected an integer from 0 to 2^53 - 1`],
  ["base64 in another spelling", (log) => {
    return edited(log.proof(), /(?<="rootHash":"[^"]*)=/, "");
  }, `${LIST}[0].inclusionProof.rootHash: expected padded base64`],
  ["another kind beside the entry", (log) => {
    return edited(log.proof(), '"kind":"hashedrekord"', '"kind":"dsse"');
  }, NOT_ITS_BUNDLE],
];

for (const [what, proofOf, reason] of DEFECTS) {
  Deno.test(`refused for ${what}`, async () => {
    for (const log of LOGS) {
      assert.deepEqual(await verdict(log, proofOf(log)), {
        status: "failed",
        reason: reason.replace("VERSION", log.version),
      }, log.version);
    }
  });
}

/** Defects of members that only one version has. */
const OF_ONE:
  readonly (readonly [string, TestRekorLog, (log: TestRekorLog) => JsonValue, string])[] = [
    ["another promise", firstLog, (log) => {
      const other = log.proof(recordOf(), { integratedTime: 1 });
      const promise = /(?<="signedEntryTimestamp":")[^"]*/;
      return edited(log.proof(), promise, promise.exec(JSON.stringify(other))![0]);
    }, unsigned("time")],
    ["another time", firstLog, (log) => {
      return edited(log.proof(), `"integratedTime":"${LOG_TIME}"`, `"integratedTime":"1"`);
    }, unsigned("time")],
    ["another index of all shards", firstLog, (log) => {
      return edited(log.proof(), '"logIndex":"1006"', '"logIndex":"1007"');
    }, unsigned("time")],
    ["no promise", firstLog, (log) => {
      return edited(log.proof(), /"inclusionPromise":\{[^}]*\},/, "");
    }, `${LIST}[0]: member inclusionPromise is missing`],
    ["no time", firstLog, (log) => {
      return edited(log.proof(), /"integratedTime":"[0-9]*",/, "");
    }, `${LIST}[0]: member integratedTime is missing`],
    ["a time that nobody signs", secondLog, (log) => {
      return edited(log.proof(), '"logId"', '"integratedTime":"1","logId"');
    }, NOT_ITS_BUNDLE],
    ["two indexes", secondLog, (log) => {
      return edited(log.proof(), '"logIndex":"6"', '"logIndex":"7"');
    }, PROOF("the two indexes differ")],
    ["another index", secondLog, (log) => {
      return edited(
        log.proof(),
        /"logIndex":"6"(.*)"logIndex":"6"/,
        '"logIndex":"7"$1"logIndex":"7"',
      );
    }, NO_PATH],
    ["another version beside the entry", secondLog, (log) => {
      return edited(log.proof(), '"version":"0.0.2"', '"version":"0.0.3"');
    }, `${LIST}[0].kindVersion.version: expected 0.0.1 or 0.0.2`],
  ];

for (const [what, log, proofOf, reason] of OF_ONE) {
  Deno.test(`refused for ${what}, in version ${log.version}`, async () => {
    assert.deepEqual(await verdict(log, proofOf(log)), { status: "failed", reason });
  });
}
