import assert from "node:assert/strict";
import fc from "fast-check";
import { utf8 } from "../../src/base/bytes.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { Mismatch } from "../../src/proof/format/schema.ts";
import { SUBMISSION } from "../../src/http/schema/submission_schema.ts";
import {
  readAnySubmission,
  readBulkSubmission,
  readPlainBulk,
  readPlainSubmission,
  readShortest,
  readSubmission,
  readTokenSubmission,
} from "../../src/http/gateway/submission.ts";

const HASH = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

/** The hash, or the code of the refusal. */
function outcomeOf(read: (body: Uint8Array) => string, body: Uint8Array): string {
  try {
    return read(body);
  } catch (error) {
    assert.ok(error instanceof CountersignError);
    return error.code;
  }
}

/** What the schema says of a body, by a second JSON parser. `undefined` where that one is laxer. */
function verdictOfSchema(body: Uint8Array): string | undefined {
  let text;
  let value;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
    value = JSON.parse(text);
  } catch {
    return "malformed_json";
  }
  // JSON.parse keeps the last of duplicate members, which are refused here.
  if (text.split('"hash"').length > 2 || text.split('"issuer_token"').length > 2) return undefined;
  try {
    return SUBMISSION.read(value, "", { where: "request", code: "malformed_request" }).hash;
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return error.path === ".hash" ? "malformed_hash" : "malformed_request";
  }
}

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => new Uint8Array(bytes).toHex());
const token = fc.oneof(
  fc.constant("null"),
  fc.string({ unit: "grapheme-ascii" }).map((text) => JSON.stringify(text)),
  fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
  fc.constantFrom("1", "[]", "{}", "true", '"\\""', '"\\\\"', '"', '""'),
);
const body = fc.oneof(
  hash.map((hex) => `{"hash":"${hex}"}`),
  fc.tuple(hash, token).map(([hex, text]) => `{"hash":"${hex}","issuer_token":${text}}`),
  fc.tuple(hash, token).map(([hex, text]) => `{"issuer_token":${text}, "hash": "${hex}"}`),
  fc.tuple(hash, fc.string()).map(([hex, name]) =>
    JSON.stringify({ hash: hex, ...(name !== "hash" && { [name]: 1 }) })
  ),
).map(utf8);

/** A body after a few bytes were set, put in or taken out. */
const damagedBody = fc.tuple(
  body,
  fc.array(
    fc.tuple(
      fc.constantFrom("set", "insert", "delete"),
      fc.nat(200),
      fc.oneof(fc.constantFrom(...utf8('"\\{}:, aA0gG')), fc.integer({ min: 0, max: 255 })),
    ),
    { maxLength: 3 },
  ),
).map(([bytes, changes]) => {
  const damaged = [...bytes];
  for (const [kind, place, value] of changes) {
    const at = place % damaged.length;
    if (kind === "set") damaged[at] = value;
    else damaged.splice(at, kind === "delete" ? 1 : 0, ...(kind === "insert" ? [value] : []));
  }
  return Uint8Array.from(damaged);
});

/** Whether `read` answers nothing or what the general way answers, for bodies near to right. */
function agreesWithGeneralWay(read: (body: Uint8Array) => string | undefined): boolean {
  const property = fc.property(fc.oneof(body, damagedBody), (bytes) => {
    const plain = read(bytes);
    return plain === undefined ||
      plain === outcomeOf((body) => readAnySubmission(body).hash, bytes);
  });
  return !fc.check(property, { numRuns: 3000 }).failed;
}

Deno.test("readPlainSubmission() agrees with the general parser or returns undefined", () => {
  assert.ok(agreesWithGeneralWay(readPlainSubmission));
});

Deno.test("the comparison detects a parser that ignores part of a body", () => {
  const careless = (body: Uint8Array) =>
    body.length < 75
      ? undefined
      : new TextDecoder("latin1").decode(body.subarray(9, 73)).replace(/[^0-9a-f]/g, "0");
  assert.ok(!agreesWithGeneralWay(careless));
});

Deno.test("readSubmission() accepts what the schema accepts, with the same result", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(body, damagedBody), (bytes) => {
      const verdict = verdictOfSchema(bytes);
      const outcome = outcomeOf(readSubmission, bytes);
      if (verdict !== undefined) assert.equal(outcome, verdict);
      seen.add(verdict ?? "laxer");
    }),
    { numRuns: 2000 },
  );
  // The bodies reach every outcome, or the property would say little.
  for (const code of ["malformed_json", "malformed_hash", "malformed_request"]) {
    assert.ok(seen.has(code), code);
  }
});

Deno.test("readPlainSubmission() parses the plain spellings", () => {
  const plain = [
    `{"hash":"${HASH}"}`,
    `{"hash":"${HASH}","issuer_token":null}`,
    `{"hash":"${HASH}","issuer_token":""}`,
    `{"hash":"${HASH}","issuer_token":"a token}, ~"}`,
  ];
  for (const text of plain) assert.equal(readPlainSubmission(utf8(text)), HASH, text);
});

Deno.test("readSubmission() refuses nearly valid bodies with the right code", () => {
  const cases: [string | Uint8Array, string][] = [
    ["", "malformed_json"],
    ["{", "malformed_json"],
    [`{"hash":"${HASH}"`, "malformed_json"],
    [`{"hash":"${HASH}"}}`, "malformed_json"],
    [`\ufeff{"hash":"${HASH}"}`, "malformed_json"],
    [`{"hash":"${HASH}","hash":"${HASH}"}`, "malformed_json"],
    [`{"hash":"${HASH}","h\\u0061sh":"${HASH}"}`, "malformed_json"],
    [`{"hash":"${HASH}","x":1,"x":1}`, "malformed_json"],
    [`{"hash":"${HASH}","issuer_token":"\u0000"}`, "malformed_json"],
    [`{"hash":"${HASH}","issuer_token":"a"b"}`, "malformed_json"],
    [
      Uint8Array.from([...utf8(`{"hash":"${HASH}","issuer_token":"`), 0xff, 0x22, 0x7d]),
      "malformed_json",
    ],
    ["null", "malformed_request"],
    ["[]", "malformed_request"],
    [`"${HASH}"`, "malformed_request"],
    [`{"hash":"${HASH}","issuer_token":1}`, "malformed_request"],
    ["{}", "malformed_hash"],
    [`{"hash":null}`, "malformed_hash"],
    [`{"hash":["${HASH}"]}`, "malformed_hash"],
    [`{"hash":"${HASH.toUpperCase()}"}`, "malformed_hash"],
    [`{"hash":"${HASH.slice(1)}"}`, "malformed_hash"],
    [`{"hash":"${HASH}0"}`, "malformed_hash"],
    [`{"hash":"0x${HASH.slice(2)}"}`, "malformed_hash"],
    [`{"hash":"${HASH}\\n"}`, "malformed_hash"],
    [`{"__proto__":{"hash":"${HASH}"}}`, "malformed_hash"],
  ];
  for (const [text, code] of cases) {
    const bytes = typeof text === "string" ? utf8(text) : text;
    assert.equal(outcomeOf(readSubmission, bytes), code, new TextDecoder().decode(bytes));
  }
});

/** What a body holds, as one text. */
function tokenText(read: typeof readTokenSubmission): (body: Uint8Array) => string {
  return (body) => JSON.stringify(read(body));
}

Deno.test("readTokenSubmission() agrees with the general parser", () => {
  let tokens = 0;
  fc.assert(
    fc.property(fc.oneof(body, damagedBody), (bytes) => {
      const outcome = outcomeOf(tokenText(readTokenSubmission), bytes);
      assert.equal(outcome, outcomeOf(tokenText(readAnySubmission), bytes));
      if (readPlainSubmission(bytes) !== undefined && /"token":"./.test(outcome)) tokens++;
    }),
    { numRuns: 3000 },
  );
  assert.ok(tokens > 10, `${tokens} plain bodies with a token`);
});

Deno.test("tokens are returned verbatim", () => {
  for (const token of [null, "", "null", "a token}, ~", 'é"\\', "A".repeat(472)]) {
    const single = utf8(JSON.stringify({ hash: HASH, issuer_token: token }));
    assert.deepEqual(readTokenSubmission(single), { hash: HASH, token });
    const bulk = { hashes: [HASH, HASH], issuer_tokens: [token, null] };
    assert.deepEqual(readBulkSubmission(utf8(JSON.stringify(bulk))).tokens, [token, null]);
  }
  assert.deepEqual(readTokenSubmission(utf8(`{"hash":"${HASH}"}`)), { hash: HASH, token: null });
});

Deno.test("readSubmission() ignores unknown members and the order of the known ones", () => {
  const texts = [
    ` { "hash" : "${HASH}" } `,
    `{"issuer_token":"x","hash":"${HASH}"}`,
    `{"hash":"${HASH}","x":{"hash":1.5e3}}`,
    `{"h\\u0061sh":"${HASH}"}`,
    `{"hash":"${HASH}","issuer_token":"é\\""}`,
  ];
  for (const text of texts) assert.equal(readSubmission(utf8(text)), HASH, text);
});

/** Bodies of as many bytes as the shortest right one: right, damaged in place, and beyond UTF-8. */
const shortBody = fc.tuple(
  fc.uint8Array({ minLength: 32, maxLength: 32 }),
  fc.array(
    fc.tuple(fc.nat(74), fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0x5c, 0xef))),
    { maxLength: 3 },
  ),
).map(([digest, changes]) => {
  const bytes = utf8(`{"hash":"${digest.toHex()}"}`);
  for (const [place, value] of changes) bytes[place] = value;
  return bytes;
});

/** As Deno reads a body as text. */
function textOfBody(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

Deno.test("readShortest() accepts only bodies that the general parser accepts", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(shortBody, (bytes) => {
      const general = outcomeOf((body) => readAnySubmission(body).hash, bytes);
      const outcome = outcomeOf(() => readShortest(textOfBody(bytes)), bytes);
      // What is no UTF-8 may be a malformed hash to one and malformed JSON to the other.
      if (/^[0-9a-f]{64}$/.test(general)) assert.equal(outcome, general);
      else assert.match(outcome, /^malformed_(json|hash|request)$/);
      seen.add(general);
    }),
    { numRuns: 3000 },
  );
  for (const code of ["malformed_json", "malformed_hash"]) assert.ok(seen.has(code), code);
});

Deno.test("readShortest() refuses a body that is not valid UTF-8 or has a byte order mark", () => {
  const rest = utf8(`{"hash":"${HASH}`);
  const cases: readonly Uint8Array[] = [
    // Behind a byte order mark, which the Fetch standard drops.
    new Uint8Array([0xef, 0xbb, 0xbf, ...rest.subarray(0, 70), 0x22, 0x7d]),
    new Uint8Array([...rest.subarray(0, 73), 0xff, 0x7d]),
    new Uint8Array([...rest.subarray(0, 72), 0xf0, 0x9f, 0x7d]),
  ];
  for (const bytes of cases) {
    assert.equal(bytes.length, 75);
    const outcome = outcomeOf(() => readShortest(textOfBody(bytes)), bytes);
    assert.equal(outcome, "malformed_json");
  }
});

/** Bulk bodies that are plainly spelt, or nearly. */
const bulkBody = fc.tuple(
  fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 4 }),
  fc.array(
    fc.tuple(
      fc.constantFrom("set", "insert", "delete"),
      fc.nat(300),
      fc.constantFrom(...utf8('"\\{}[]:, aA0gG')),
    ),
    { maxLength: 2 },
  ),
  fc.constantFrom("", " ", ',"issuer_tokens":null', ',"other":1'),
).map(([digests, changes, tail]) => {
  const list = digests.map((digest) => `"${digest.toHex()}"`).join();
  const bytes = [...utf8(`{"hashes":[${list}]${tail}}`)];
  for (const [kind, place, value] of changes) {
    const at = place % bytes.length;
    if (kind === "set") bytes[at] = value;
    else bytes.splice(at, kind === "delete" ? 1 : 0, ...(kind === "insert" ? [value] : []));
  }
  return Uint8Array.from(bytes);
});

/** What a bulk body holds, as one text. */
function bulkText(body: Uint8Array): string {
  const { digests, tokens } = readBulkSubmission(body);
  return `${digests.toHex()} ${JSON.stringify(tokens)}`;
}

/** How often `read` answered, when it never answered otherwise than the general way. */
function agreeingAnswers(read: (body: Uint8Array) => Uint8Array | undefined): number | undefined {
  let answers = 0;
  const property = fc.property(bulkBody, (bytes) => {
    const plain = read(bytes);
    if (plain === undefined) return true;
    answers++;
    const [digests, tokens] = outcomeOf(bulkText, bytes).split(" ");
    return plain.toHex() === digests && tokens === "null";
  });
  return fc.check(property, { numRuns: 2000 }).failed ? undefined : answers;
}

Deno.test("readPlainBulk() agrees with the general parser or returns undefined", () => {
  const answers = agreeingAnswers(readPlainBulk);
  assert.ok(answers !== undefined && answers > 50, `${answers} plain bodies`);
});

Deno.test("the comparison detects a bulk parser that ignores the bytes between hashes", () => {
  const careless = (body: Uint8Array) => {
    const count = (body.length - 12) / 67;
    if (!Number.isInteger(count) || count < 1) return undefined;
    const text = new TextDecoder("latin1").decode(body);
    const hashes = Array.from({ length: count }, (_, i) => text.slice(12 + 67 * i, 76 + 67 * i));
    const isHex = hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash));
    return isHex ? Uint8Array.fromHex(hashes.join("")) : undefined;
  };
  assert.equal(agreeingAnswers(careless), undefined);
});

Deno.test("readBulkSubmission() accepts up to 1,000 hashes in any spelling", () => {
  const hashes = Array.from({ length: 1_000 }, (_, i) => i.toString(16).padStart(64, "0"));
  const plain = utf8(JSON.stringify({ hashes }));
  assert.equal(readPlainBulk(plain)?.toHex(), hashes.join(""));
  const spaced = utf8(JSON.stringify({ hashes }, undefined, 1));
  assert.equal(readPlainBulk(spaced), undefined);
  assert.equal(bulkText(spaced), `${hashes.join("")} null`);
  const more = utf8(JSON.stringify({ hashes: [...hashes, HASH] }));
  assert.equal(outcomeOf(bulkText, more), "malformed_request");
});

Deno.test("readPlainBulk() refuses a body with any byte changed", () => {
  const plain = utf8(JSON.stringify({ hashes: [HASH, HASH, HASH] }));
  assert.equal(readPlainBulk(plain)?.length, 96);
  for (let at = 0; at < plain.length; at++) {
    const body = plain.slice();
    body[at] = 0x3b;
    assert.equal(readPlainBulk(body), undefined, `";" at ${at}`);
  }
});
