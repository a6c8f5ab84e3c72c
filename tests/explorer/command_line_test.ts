import assert from "node:assert/strict";
import {
  bundleName,
  headCommand,
  shellWord,
  verifyCommand,
} from "../../src/explorer/stamp/command_line.ts";

const hash = "ab".repeat(32);

Deno.test("verifyCommand() quotes file names", () => {
  assert.equal(
    verifyCommand({ name: "claim.txt", hash }),
    "countersign verify claim.txt",
  );
  assert.equal(
    verifyCommand({ name: "it's $HOME; rm -rf *.pdf", hash }),
    "countersign verify 'it'\\''s $HOME; rm -rf *.pdf'",
  );
  assert.equal(
    verifyCommand({ name: "--online", hash }),
    "countersign verify ./--online",
  );
  assert.equal(
    verifyCommand({ hash }),
    `countersign verify-proof --bundle ${hash.slice(0, 16)}.countersign.json --hash ${hash}`,
  );
  assert.equal(bundleName({ name: "a b", hash }), "a b.countersign.json");
});

Deno.test("bundleName() has at most 255 bytes, in whole characters", () => {
  for (
    const [name, stem] of [
      ["a".repeat(244), "a".repeat(238)],
      ["é".repeat(122), "é".repeat(119)],
      ["x" + "é".repeat(121), "x" + "é".repeat(118)],
      ["€".repeat(80), "€".repeat(79)],
      ["a".repeat(238), "a".repeat(238)],
    ] as const
  ) {
    const bundle = bundleName({ name, hash });
    assert.equal(bundle, `${stem}.countersign.json`);
    assert.equal(bundleName({ name: `folder/${name}`, hash }), `folder/${bundle}`);
    assert.ok(new TextEncoder().encode(bundle).length <= 255);
  }
  const name = "a".repeat(244);
  assert.equal(
    verifyCommand({ name, hash }),
    `countersign verify --proof ${"a".repeat(238)}.countersign.json ${name}`,
  );
});

Deno.test("headCommand() names the gateway or the copy of the page", () => {
  assert.equal(
    headCommand(new URL("https://log.example/a/?x=1#/log"), false),
    "countersign log sth --verify --gateway https://log.example/a/",
  );
  assert.equal(
    headCommand(new URL("http://127.0.0.1:8080/copy/index.html"), true),
    "countersign log sth --verify --mirror http://127.0.0.1:8080/copy/",
  );
});

Deno.test("shellWord() quotes every special character of a shell", () => {
  for (const character of " \t\n!\"#$&'()*;<>?[]\\^`{|}~é") {
    assert.match(shellWord(`a${character}b`), /^'[^]*'$/, character);
  }
  assert.equal(shellWord(""), "''");
});
