import assert from "node:assert/strict";
import { utf8 } from "../../../src/base/bytes.ts";
import { hasCode } from "../../../src/base/errors.ts";
import { meetsQuorum, parseLogPolicy } from "../../../src/proof/format/log_policy.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { policyText } from "../../../src/http/gateway/c2sp_routes.ts";
import { signerOf, TestNetwork } from "../verify/test_network.ts";

const keyOf = (name: string, type: number) =>
  encodeVkey({ name, type, publicKey: signerOf(name).publicKey });
const log = (name: string) => `log ${keyOf(name, NOTE_TYPE.ed25519)}\n`;
const witness = (name: string) => `witness ${name} ${keyOf(name, NOTE_TYPE.cosignature)}\n`;
const policyOf = (text: string) => parseLogPolicy(utf8(text));
const three = ["a", "b", "c"].map(witness).join("");

Deno.test("a policy has any number of logs, witnesses, groups and comments", () => {
  const { logs, witnesses, quorum } = policyOf(
    `# comment\n\n \t${
      log("log.example:8080/a b".replace(" ", "_")).trimEnd()
    } https://log.example/\t\n` +
      `${log("go.sum-database-tree")}${three}group g any a b\nquorum g\n`,
  );
  assert.deepEqual(logs.map(({ key, url }) => [key.name, url]), [
    ["log.example:8080/a_b", "https://log.example/"],
    ["go.sum-database-tree", undefined],
  ]);
  assert.deepEqual([[...witnesses.keys()], quorum], [["a", "b", "c"], "g"]);
  const many = Array.from({ length: 500 }, (_, i) => `w${i}`);
  const text = many.map(witness).join("") + `group g all ${many.join(" ")}\nquorum g\n`;
  const large = policyOf(text);
  assert.equal(meetsQuorum(large, new Set(many)), true);
  assert.equal(meetsQuorum(large, new Set(many.slice(1))), false);
});

Deno.test("the policy of a network is read, with its threshold", () => {
  const network = new TestNetwork("net.example/policy");
  const policy = policyOf(policyText(network.configuration)!);
  const met = (...names: string[]) => meetsQuorum(policy, new Set(names));
  assert.deepEqual([met("w1"), met("w1", "w3"), met("w1", "w2", "w3"), met()], [
    false,
    true,
    true,
    false,
  ]);
});

Deno.test("meetsQuorum() counts groups in groups", () => {
  const groups = "group two 2 a b c\ngroup both all two d\ngroup any any both e\n";
  const policy = policyOf(`${three}${witness("d")}${witness("e")}${groups}quorum any\n`);
  const met = (names: string) => meetsQuorum(policy, new Set(names));
  assert.deepEqual(["", "abc", "abd", "ad", "e", "d", "bcd"].map(met), [
    false,
    false,
    true,
    false,
    true,
    false,
    true,
  ]);
  assert.equal(meetsQuorum(policyOf(`${three}quorum b\n`), new Set("ac")), false);
  assert.equal(meetsQuorum(policyOf(`${three}quorum b\n`), new Set("b")), true);
  assert.equal(meetsQuorum(policyOf("quorum none\n"), new Set()), true);
});

Deno.test("names are octets: alike in Unicode is not the same", () => {
  const kelvin = witness("\u212a");
  const policy = policyOf(`${witness("K")}${kelvin}quorum \u212a\n`);
  assert.equal(policy.witnesses.size, 2);
  const invalidUtf8 = Uint8Array.of(0x23, 0xff, 0x0a, ...utf8("quorum none\n"));
  assert.equal(parseLogPolicy(invalidUtf8).quorum, "none");
});

const REFUSED: Readonly<Record<string, string>> = {
  "nothing": "",
  "no quorum": three,
  "two quorums": `${three}quorum a\nquorum a\n`,
  "a quorum of two names": `${three}quorum a b\n`,
  "a quorum that is defined below": `quorum a\n${three}`,
  "no newline at the end": "quorum none",
  "an unknown keyword": "quorums none\n",
  "an upper case keyword": "Quorum none\n",
  "a carriage return": "quorum none\r\n",
  "a witness named none": `${witness("none")}quorum none\n`,
  "a group named none": `${three}group none any a\nquorum none\n`,
  "a name twice": `${three}${witness("a").replace("a ", "a ")}quorum a\n`,
  "a group with a witness's name": `${three}group a any b\nquorum a\n`,
  "one key of two witnesses": `${three}${witness("a").replace("witness a", "witness x")}quorum a\n`,
  "one key of two logs": `${log("l")}${log("l")}quorum none\n`,
  "a witness's key for a log": `log ${keyOf("l", NOTE_TYPE.cosignature)}\nquorum none\n`,
  "a log's key for a witness": `witness l ${keyOf("l", NOTE_TYPE.ed25519)}\nquorum none\n`,
  "a log with three items": `${log("l").trimEnd()} u v\nquorum none\n`,
  "a witness without key": "witness a\nquorum none\n",
  "a group without members": `${three}group g any\nquorum a\n`,
  "a group of 0": `${three}group g 0 a\nquorum a\n`,
  "a group of more than its members": `${three}group g 3 a b\nquorum a\n`,
  "a group with a leading zero": `${three}group g 01 a\nquorum a\n`,
  "a member twice in a group": `${three}group g any a a\nquorum g\n`,
  "a member in two groups": `${three}group g any a b\ngroup h any a c\nquorum g\n`,
  "a member that is defined below": `group g any a\n${three}quorum g\n`,
  "a group in itself": `${three}group g any a g\nquorum g\n`,
  "the member none": `${three}group g any a none\nquorum g\n`,
  "a key with another key ID": `${log("l").replace(/\+[0-9a-f]{8}\+/, "+00000000+")}quorum none\n`,
  "more groups than any policy has": three +
    Array.from({ length: 1100 }, (_, i) => `group g${i} any ${i === 0 ? "a" : `g${i - 1}`}\n`)
      .join("") +
    "quorum a\n",
};

for (const [name, text] of Object.entries(REFUSED)) {
  Deno.test(`parseLogPolicy() refuses ${name}`, () => {
    assert.throws(
      () => policyOf(text),
      (error) => hasCode(error, "invalid_configuration") || hasCode(error, "invalid_key"),
    );
  });
}
