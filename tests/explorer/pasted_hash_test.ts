import assert from "node:assert/strict";
import { readPastedHash } from "../../src/explorer/hashing/pasted_hash.ts";

const HASH = "0123456789abcdef".repeat(4);

Deno.test("readPastedHash() reads the output of hashing tools", () => {
  const texts = [
    HASH,
    ` ${HASH.toUpperCase()}\n`,
    `${HASH}  claim.txt`,
    `${HASH} *claim.txt`,
    `SHA256 (claim (1).txt) = ${HASH}`,
    `SHA2-256(claim.txt)= ${HASH}`,
  ];
  for (const text of texts) assert.deepEqual(readPastedHash(text), { hash: HASH }, text);
});

Deno.test("readPastedHash() says why a text is not a hash", () => {
  const faults = [
    ["", "Paste a SHA-256 hash: 64 hexadecimal digits"],
    ["abc", "A SHA-256 hash has 64 digits, this one has 3"],
    [`${HASH}0`, "A SHA-256 hash has 64 digits, this one has 65"],
    ["0x" + HASH, "A SHA-256 hash contains only the digits 0 to 9 and a to f"],
    [`MD5 (a) = ${HASH.slice(32)}`, "A SHA-256 hash contains only the digits 0 to 9 and a to f"],
    [`${HASH}\n${HASH}`, "A SHA-256 hash contains only the digits 0 to 9 and a to f"],
  ] as const;
  for (const [text, fault] of faults) assert.deepEqual(readPastedHash(text), { fault }, text);
});
