import assert from "node:assert/strict";
import { base64Of, type Bytes, textOf, utf8 } from "../../../src/bytes.ts";
import { portableKernels } from "../../../src/crypto/portable_kernels.ts";
import { encodePem } from "../../../src/format/pem.ts";
import type { JsonValue } from "../../../src/format/strict_json.ts";
import { encodeRekorBundle } from "../../../src/anchors/rekor/bundle.ts";
import { encodeEntryBody } from "../../../src/anchors/rekor/entry.ts";
import { encodeSpki } from "../../../src/anchors/rekor/keys.ts";
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

const ENTRY = (required: string) => `Cannot verify Rekor entry: ${required}`;
const PROOF = (required: string) =>
  `Cannot read Rekor proof: ${required} required, found otherwise`;
const BODY = (required: string) => `Cannot read body of Rekor entry: ${required}`;

/** Single defects of both versions, and the reason why each is refused. */
const DEFECTS: readonly (readonly [string, (log: TestRekorLog) => JsonValue, string])[] = [
  [
    "another digest",
    (log) => log.proof(recordOf(OTHER_DIGEST)),
    ENTRY("an entry of the digest required, found of another"),
  ],
  ["a signature over another digest", (log) => {
    return log.proof({ ...recordOf(), signature: recordOf(OTHER_DIGEST).signature });
  }, ENTRY("a signature that verifies under the entry's key required, found another")],
  ["a signature by another key", (log) => {
    return log.proof({ ...recordOf(), signature: recordOf(DIGEST, p256Secret(8)).signature });
  }, ENTRY("a signature that verifies under the entry's key required, found another")],
  ["another path", (log) => {
    return edited(log.proof(), /(?<="hashes":\["[^"]*",")[^"]*/, base64Of(DIGEST));
  }, ENTRY("a path to the root of the checkpoint required, found another")],
  ["a shorter path", (log) => {
    return edited(log.proof(), /(?<="hashes":\[)"[^"]*",/, "");
  }, ENTRY("a path to the root of the checkpoint required, found another")],
  ["another root", (log) => {
    return edited(log.proof(), /(?<="rootHash":")[^"]*/, base64Of(DIGEST));
  }, ENTRY("the root of the checkpoint required, found another")],
  ["another size", (log) => {
    return edited(log.proof(), '"treeSize":"12"', '"treeSize":"13"');
  }, ENTRY("the size of the checkpoint required, found another")],
  [
    "a root that the log signed and that is not the tree's",
    (log) => {
      const root = base64Of(OTHER_DIGEST);
      const proof = log.proof(recordOf(), { root: OTHER_DIGEST });
      return edited(proof, /(?<="rootHash":")[^"]*/, root);
    },
    ENTRY("a path to the root of the checkpoint required, found another"),
  ],
  ["a size that the log signed and that is not the tree's", (log) => {
    return edited(log.proof(recordOf(), { size: 40 }), '"treeSize":"12"', '"treeSize":"40"');
  }, ENTRY("a path to the root of the checkpoint required, found another")],
  [
    "another origin",
    (log) => log.proof(recordOf(), { origin: "other.test" }),
    ENTRY(`origin ${ORIGIN} required, found another`),
  ],
  ["an origin that begins as the log's", (log) => {
    return log.proof(recordOf(), { origin: `${ORIGIN} - x` });
  }, ENTRY(`origin ${ORIGIN} required, found another`)],
  [
    "a line of another name",
    (log) => log.proof(recordOf(), { name: "rekor" }),
    unsigned("a checkpoint"),
  ],
  ["another signature of the checkpoint", (log) => {
    const other = log.checkpoint(12, OTHER_DIGEST).split("\u2014")[1]!;
    const line = JSON.stringify(`\u2014${other}`).slice(1, -1);
    return edited(log.proof(), /\u2014[^"]*/, line);
  }, unsigned("a checkpoint")],
  [
    "a checkpoint without lines",
    (log) => edited(log.proof(), /\u2014[^"]*/, ""),
    "Cannot read signed note: signature lines, each ended required, found otherwise",
  ],
  ["a checkpoint without a root", (log) => {
    return edited(log.proof(), /\\n[A-Za-z0-9+/]{43}=\\n/, "\\n");
  }, "Cannot read checkpoint of Rekor log: a root of 32 bytes required, found otherwise"],
  [
    "a size in another spelling",
    (log) => edited(log.proof(), "\\n12\\n", "\\n0x0c\\n"),
    "Cannot read checkpoint of Rekor log: a decimal size below 2^53 required, found otherwise",
  ],
  ["another log", (log) => {
    const other = new TestRekorLog({ ...log, algorithm: log.key.algorithm, seed: 12 });
    return other.proof();
  }, ENTRY("a log of the roots required, found another")],
  ["the ID of the log on another's entry", (log) => {
    const other = new TestRekorLog({ ...log, algorithm: log.key.algorithm, seed: 12 });
    return edited(other.proof(), base64Of(other.keyId), base64Of(log.keyId));
  }, unsigned("a checkpoint")],
  ["a body that is not canonical", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace(",", ", ")));
  }, BODY("canonical JSON required, found another spelling")],
  ["a body with another member", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace('"spec":{', '"spec":{"a":1,')));
  }, 'Cannot read body.spec: known members only, found "a"'],
  ["more hashes than any tree needs", (log) => {
    const hashes = JSON.stringify(Array.from({ length: 54 }, () => base64Of(DIGEST)));
    return edited(log.proof(), /(?<="hashes":)\[[^\]]*\]/, hashes);
  }, PROOF("at most 53 hashes")],
  ["a body with a key of another algorithm", (log) => {
    const spki = encodeSpki(secondLog.key);
    const pem = utf8(encodePem({ label: "PUBLIC KEY", bytes: spki }));
    const text = textOf(encodeEntryBody(log.version, recordOf()))
      .replace(/(?<="rawBytes":")[^"]*/, base64Of(spki))
      .replace(/(?<="publicKey":\{"content":")[^"]*/, base64Of(pem));
    return logged(log, utf8(text));
  }, BODY("a P-256 public key required, found another")],
  ["a body of another kind", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace("hashedrekord", "dsse")));
  }, BODY(`a hashedrekord of version VERSION required, found another kind of entry`)],
  ["a body of another version", (log) => {
    const text = textOf(encodeEntryBody(log.version, recordOf()));
    return logged(log, utf8(text.replace(log.version, "0.0.3")));
  }, BODY(`a hashedrekord of version VERSION required, found another kind of entry`)],
  ["another digest beside the entry", (log) => {
    return edited(log.proof(), /(?<="digest":")[^"]*/, base64Of(OTHER_DIGEST));
  }, PROOF("the digest of the entry")],
  ["another signature beside the entry", (log) => {
    return edited(log.proof(), /(?<="signature":")[^"]*/, base64Of(OTHER_DIGEST));
  }, PROOF("the signature of the entry")],
  ["a hint of another key", (log) => {
    return edited(log.proof(), /(?<="hint":")[^"]*/, base64Of(OTHER_DIGEST));
  }, PROOF("the hint of the entry's key")],
  ["a bundle of another type", (log) => {
    return edited(log.proof(), "bundle.v0.3", "bundle.v0.4");
  }, PROOF("media type application/vnd.dev.sigstore.bundle.v0.3+json")],
  ["two entries", (log) => {
    return edited(log.proof(), /"tlogEntries":\[(.*?)\]\}/, '"tlogEntries":[$1,{}]}');
  }, PROOF("one entry")],
  ["no entry", (log) => {
    return edited(log.proof(), /"tlogEntries":\[.*\]\}/, '"tlogEntries":[]}');
  }, PROOF("one entry")],
  ["a member that is not known", (log) => {
    return edited(log.proof(), '"publicKey":{', '"publicKey":{"a":1,');
  }, 'Cannot read proof.verificationMaterial.publicKey: known members only, found "a"'],
  ["an integer in another spelling", (log) => {
    return edited(log.proof(), '"treeSize":"12"', '"treeSize":"012"');
  }, PROOF("a decimal integer below 2^53 in treeSize")],
  ["base64 in another spelling", (log) => {
    return edited(log.proof(), /(?<="rootHash":"[^"]*)=/, "");
  }, PROOF("32 bytes in base64 in each hash")],
  ["another kind beside the entry", (log) => {
    return edited(log.proof(), '"kind":"hashedrekord"', '"kind":"dsse"');
  }, PROOF("kind hashedrekord")],
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

/** Defects of what one version alone has. */
const OF_ONE:
  readonly (readonly [string, TestRekorLog, (log: TestRekorLog) => JsonValue, string])[] = [
    ["another promise", firstLog, (log) => {
      const other = log.proof(recordOf(), { integratedTime: 1 });
      const promise = /(?<="signedEntryTimestamp":")[^"]*/;
      return edited(log.proof(), promise, promise.exec(JSON.stringify(other))![0]);
    }, unsigned("a time")],
    ["another time", firstLog, (log) => {
      return edited(log.proof(), `"integratedTime":"${LOG_TIME}"`, `"integratedTime":"1"`);
    }, unsigned("a time")],
    ["another index of all shards", firstLog, (log) => {
      return edited(log.proof(), '"logIndex":"1006"', '"logIndex":"1007"');
    }, unsigned("a time")],
    ["no promise", firstLog, (log) => {
      return edited(log.proof(), /"inclusionPromise":\{[^}]*\},/, "");
    }, PROOF("a time and a promise in entries of version 0.0.1 alone")],
    ["no time", firstLog, (log) => {
      return edited(log.proof(), /"integratedTime":"[0-9]*",/, "");
    }, PROOF("a time and a promise in entries of version 0.0.1 alone")],
    ["a time that nobody signs", secondLog, (log) => {
      return edited(log.proof(), '"logId"', '"integratedTime":"1","logId"');
    }, PROOF("a time and a promise in entries of version 0.0.1 alone")],
    ["two indexes", secondLog, (log) => {
      return edited(log.proof(), '"logIndex":"6"', '"logIndex":"7"');
    }, PROOF("one index")],
    ["another index", secondLog, (log) => {
      return edited(
        log.proof(),
        /"logIndex":"6"(.*)"logIndex":"6"/,
        '"logIndex":"7"$1"logIndex":"7"',
      );
    }, ENTRY("a path to the root of the checkpoint required, found another")],
    ["another version beside the entry", secondLog, (log) => {
      return edited(log.proof(), '"version":"0.0.2"', '"version":"0.0.3"');
    }, PROOF("version 0.0.1 or 0.0.2")],
  ];

for (const [what, log, proofOf, reason] of OF_ONE) {
  Deno.test(`refused for ${what}, in version ${log.version}`, async () => {
    assert.deepEqual(await verdict(log, proofOf(log)), { status: "failed", reason });
  });
}
