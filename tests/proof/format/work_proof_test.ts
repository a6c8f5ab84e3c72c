import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { portableKernels } from "../../../src/proof/crypto/portable_kernels.ts";
import {
  checkWork,
  checkWorkTime,
  encodeWorkChallenge,
  encodeWorkProof,
  findWork,
  parseWorkChallenge,
  parseWorkProof,
  type WorkSubject,
} from "../../../src/proof/format/work_proof.ts";

const TIME = 1_800_000_000;
const BITS = 10;
/** Fixed, because a random proof would be valid by chance once in 1,024 runs. */
const SUBJECT: WorkSubject = {
  issuerName: "issuer.example",
  requestDigest: new Uint8Array(32).fill(7),
};

/** The hash by docs/tokens.md, independent of the product's code. */
function hashOf({ issuerName, requestDigest }: WorkSubject, time: number, counter: number) {
  const text =
    `countersign/work-proof/v1\n${issuerName}\n${time}\n${requestDigest.toHex()}\n${counter}\n`;
  return createHash("sha256").update(Uint8Array.of(0)).update(text).digest();
}

Deno.test("findWork() returns the first counter with enough zero bits", () => {
  const { time, counter } = findWork(SUBJECT, { time: TIME, bits: BITS }, portableKernels);
  assert.equal(time, TIME);
  const isProof = (counter: number) => hashOf(SUBJECT, TIME, counter).readUInt32BE(0) >>> 22 === 0;
  assert.ok(isProof(counter));
  for (let i = 0; i < counter; i++) assert.ok(!isProof(i), String(i));
});

Deno.test("a proof is bound to its request, issuer, time and counter", () => {
  const proof = findWork(SUBJECT, { time: TIME, bits: BITS }, portableKernels);
  const check = (subject: WorkSubject, given = proof, bits = BITS) =>
    checkWork(subject, given, bits, portableKernels);
  check(SUBJECT);
  const refused = { code: "work_refused" };
  assert.throws(() => check({ ...SUBJECT, requestDigest: new Uint8Array(32) }), refused);
  assert.throws(() => check({ ...SUBJECT, issuerName: "issuer.exampl" }), refused);
  assert.throws(() => check(SUBJECT, { ...proof, time: TIME + 1 }), refused);
  assert.throws(() => check(SUBJECT, { ...proof, counter: proof.counter + 1 }), refused);
  const zeros = Math.clz32(hashOf(SUBJECT, TIME, proof.counter).readUInt32BE(0));
  check(SUBJECT, proof, zeros);
  assert.throws(() => check(SUBJECT, proof, zeros + 1), refused);
});

Deno.test("a proof is valid for five minutes before and after its time", () => {
  for (const time of [TIME - 300, TIME, TIME + 300]) checkWorkTime({ time, counter: 0 }, TIME);
  for (const time of [0, TIME - 301, TIME + 301, Number.MAX_SAFE_INTEGER]) {
    assert.throws(() => checkWorkTime({ time, counter: 0 }, TIME), { code: "work_refused" });
  }
});

Deno.test("parseWorkProof() and parseWorkChallenge() accept only canonical headers", () => {
  const proof = { time: TIME, counter: 42 };
  assert.deepEqual(parseWorkProof(encodeWorkProof(proof)), proof);
  const wrong = [
    "",
    "CountersignWork",
    `CountersignWork time="1"`,
    `CountersignWork counter="1", time="1"`,
    `CountersignWork time="01", counter="1"`,
    `CountersignWork time="1", counter="-1"`,
    `CountersignWork time="1", counter="9007199254740992"`,
    `CountersignWork time="1", counter="1" `,
    `Bearer CountersignWork time="1", counter="1"`,
  ];
  for (const text of wrong) assert.equal(parseWorkProof(text), undefined, text);
  for (const name of ["issuer.example", 'a "b" \\ c', "x, CountersignWork"]) {
    assert.equal(parseWorkChallenge(encodeWorkChallenge(name, 20)), 20);
    assert.equal(
      parseWorkChallenge(`Bearer realm="${name.length}", ${encodeWorkChallenge(name, 1)}`),
      1,
    );
  }
  for (const bits of [0, 27, 99, 100]) {
    assert.equal(parseWorkChallenge(encodeWorkChallenge("issuer.example", bits)), undefined);
  }
  assert.equal(parseWorkChallenge("Bearer"), undefined);
});

Deno.test("the example of docs/tokens.md is a valid proof", async () => {
  const document = await Deno.readTextFile(new URL("../../../docs/tokens.md", import.meta.url));
  const [, digest = "", hash] = /([0-9a-f]{64}) \| sha256sum\n# ([0-9a-f]{64})\n/.exec(document) ??
    [];
  const subject = { issuerName: "issuer.example", requestDigest: Uint8Array.fromHex(digest) };
  const proof = parseWorkProof(/^Authorization: (.*)$/m.exec(document)?.[1] ?? "");
  assert.deepEqual(proof, findWork(subject, { time: TIME, bits: 12 }, portableKernels));
  assert.equal(hashOf(subject, proof.time, proof.counter).toString("hex"), hash);
});
