/**
 * The worked examples of the documents, held equal to what the program's encoders make from fixed
 * keys. `node:crypto` checks the hashes and signatures in them again, from the texts of the pages.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { PROTOCOL_EXAMPLES, STORED_EXAMPLES } from "./format_examples.ts";

const PAGES = {
  "docs/protocol.md": PROTOCOL_EXAMPLES,
  "docs/examples.md": PROTOCOL_EXAMPLES,
  "docs/formats.md": STORED_EXAMPLES,
};

/** The code blocks of a page that are examples, by name. */
function examplesOf(page: string): Map<string, string> {
  const found = page.matchAll(/^<!-- example: (.+) -->\n\n```\w+\n([\s\S]*?)^```$/gm);
  return new Map([...found].map(([, name, text]) => [name!, text!]));
}

const texts = new Map(
  await Promise.all(
    Object.keys(PAGES).map(async (path) =>
      [path, await Deno.readTextFile(new URL(`../../${path}`, import.meta.url))] as const
    ),
  ),
);
const examples = new Map([...texts.values()].flatMap((text) => [...examplesOf(text)]));

function example(name: string): string {
  const text = examples.get(name);
  assert.ok(text !== undefined, `no page has the example "${name}"`);
  return text;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hexBytes = (hex: string) => Uint8Array.fromHex(hex.replaceAll(/\s/g, ""));

/** The last three lines of the cosignature message. */
function checkpointBody(): string {
  return example("cosignature message").split("\n").slice(2).join("\n");
}

/** Whether `signature` over `message` is one by the key that the page has for `owner`. */
function isSigned(message: string, signature: string, owner: string): boolean {
  const [, key = ""] = new RegExp(`^([0-9a-f]{64}) {2}${RegExp.escape(owner)}$`, "m")
    .exec(example("keys")) ?? [];
  const der = hexBytes(`302a300506032b6570032100${key}`);
  const publicKey = createPublicKey({ key: der as never, format: "der", type: "spki" });
  return verify(null, new TextEncoder().encode(message), publicKey, hexBytes(signature));
}

/** A part of a byte layout, in hex. */
function part(layout: string, name: string): string {
  const [, hex = ""] = new RegExp(`^${RegExp.escape(name)} +((?:[0-9a-f]+\\n? *)+)`, "m")
    .exec(layout) ?? [];
  return hex.replaceAll(/\s/g, "");
}

Deno.test("every worked example equals the program's encoding, and is on one page only", () => {
  const named: string[] = [];
  for (const [path, made] of Object.entries(PAGES)) {
    for (const [name, text] of examplesOf(texts.get(path)!)) {
      assert.equal(text, made[name], `${path}: ${name}`);
      named.push(name);
    }
  }
  const names = Object.keys({ ...PROTOCOL_EXAMPLES, ...STORED_EXAMPLES });
  assert.deepEqual(named.toSorted(), names.toSorted());
  const changed = examplesOf(
    texts.get("docs/protocol.md")!.replace("1766275200\n0\n", "1766275200\n1\n"),
  );
  assert.notEqual(changed.get("attestation"), PROTOCOL_EXAMPLES["attestation"]);
});

Deno.test("the hashes of the examples follow from their texts by SHA-256 alone", () => {
  const tree = new Map(
    [...example("attestation tree").matchAll(/^(.+?) {2,}([0-9a-f]{64})$/gm)]
      .map(([, name, hex]) => [name!, hexBytes(hex!)]),
  );
  const leaf = sha256("\0", example("attestation"));
  assert.deepEqual(tree.get("leaf 0"), new Uint8Array(leaf));
  const node = sha256("\x01", tree.get("leaf 0")!, tree.get("leaf 1")!);
  assert.deepEqual(new Uint8Array(node), tree.get("node [0, 2)"));
  const root = sha256("\x01", node, tree.get("leaf 2")!);
  assert.deepEqual(new Uint8Array(root), tree.get("root of 3"));
  assert.equal(example("round message").split("\n")[4], node.toString("hex"));
  assert.equal(checkpointBody().split("\n")[2], root.toString("base64"));
  assert.equal(sha256(checkpointBody()).toString("hex"), example("anchor digest").trim());
  const fingerprint = sha256(example("trust core")).toString("hex");
  assert.equal(fingerprint, example("fingerprint").trim());
  const preimage = ["name, newline", "type", "public key"]
    .map((name) => part(example("key ID preimage"), name)).join("");
  const keyId = sha256(hexBytes(preimage)).subarray(0, 4).toString("hex");
  assert.equal(keyId, part(example("key ID preimage"), "SHA-256[:4]"));
  assert.ok(example("vkeys").startsWith(`docs.example/log+${keyId}+`));
});

Deno.test("the signatures of the examples verify under their keys", () => {
  const [log, cosignature] = [
    ...example("checkpoint lines").matchAll(
      /signature +((?:[0-9a-f]+\n? *)+)/g,
    ),
  ].map(([, hex]) => hex!.replaceAll(/\s/g, ""));
  const signed: [message: string, signature: string, owner: string][] = [
    [example("round message"), example("round signature"), "docs.example/log/w1"],
    [example("cosignature message"), example("cosignature"), "docs.example/log/w1"],
    [checkpointBody(), log!, "docs.example/log (log)"],
  ];
  for (const [message, signature, owner] of signed) {
    assert.ok(isSigned(message, signature, owner), owner);
    assert.ok(!isSigned(`${message} `, signature, owner));
  }
  assert.equal(cosignature, example("cosignature").trim());
});
