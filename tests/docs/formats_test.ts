/**
 * The worked examples of `docs/formats.md`, each as the program's encoders make it from fixed keys;
 * and what is hashed and signed in them once more by `node:crypto` from the texts on the page.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { FORMAT_EXAMPLES } from "./format_examples.ts";

const PAGE = await Deno.readTextFile(new URL("../../docs/formats.md", import.meta.url));

/** The code blocks of the page that are examples, by name. */
function examplesOf(page: string): Map<string, string> {
  const found = page.matchAll(/^<!-- example: (.+) -->\n\n```\w+\n([\s\S]*?)^```$/gm);
  return new Map([...found].map(([, name, text]) => [name!, text!]));
}

const examples = examplesOf(PAGE);

function example(name: string): string {
  const text = examples.get(name);
  assert.ok(text !== undefined, `docs/formats.md has no example "${name}"`);
  return text;
}

const sha256 = (...parts: readonly (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hexBytes = (hex: string) => Uint8Array.fromHex(hex.replaceAll(/\s/g, ""));

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

Deno.test("every example of docs/formats.md is what the program encodes", () => {
  assert.deepEqual([...examples.keys()].toSorted(), Object.keys(FORMAT_EXAMPLES).toSorted());
  for (const [name, text] of examples) assert.equal(text, FORMAT_EXAMPLES[name], name);
  const changed = examplesOf(PAGE.replace("1766275200\n0\n", "1766275200\n1\n"));
  assert.notEqual(changed.get("attestation"), FORMAT_EXAMPLES["attestation"]);
});

Deno.test("the hashes of docs/formats.md follow from its texts by SHA-256 alone", () => {
  const leaf = sha256("\0", example("attestation"));
  assert.equal(`${leaf.toString("hex")}\n`, example("leaf hash"));
  const tree = new Map(
    [...example("attestation tree").matchAll(/^(.+?) {2,}([0-9a-f]{64})$/gm)]
      .map(([, name, hex]) => [name!, hexBytes(hex!)]),
  );
  assert.deepEqual(tree.get("leaf 0"), new Uint8Array(leaf));
  const node = sha256("\x01", tree.get("leaf 0")!, tree.get("leaf 1")!);
  assert.deepEqual(new Uint8Array(node), tree.get("node [0, 2)"));
  const root = sha256("\x01", node, tree.get("leaf 2")!);
  assert.deepEqual(new Uint8Array(root), tree.get("root of 3"));
  assert.equal(example("round message").split("\n")[4], node.toString("hex"));
  assert.equal(example("checkpoint body").split("\n")[2], root.toString("base64"));
  const paths = example("inclusion path") + example("consistency path");
  const siblings = ["leaf 1", "leaf 2", "leaf 2"].map((name) => `${tree.get(name)!.toHex()}\n`);
  assert.equal(paths, siblings.join(""));
  assert.equal(sha256(example("checkpoint body")).toString("hex"), example("anchor digest").trim());
  const fingerprint = sha256(example("network configuration")).toString("hex");
  assert.equal(fingerprint, example("fingerprint").trim());
  const preimage = ["name, newline", "type", "public key"]
    .map((name) => part(example("key ID preimage"), name)).join("");
  const keyId = sha256(hexBytes(preimage)).subarray(0, 4).toString("hex");
  assert.equal(keyId, part(example("key ID preimage"), "SHA-256[:4]"));
  assert.ok(example("vkeys").startsWith(`docs.example/log+${keyId}+`));
});

Deno.test("the signatures of docs/formats.md verify under the keys that it shows", () => {
  const signed: [message: string, signature: string, owner: string][] = [
    [example("round message"), example("round signature"), "docs.example/log/w1"],
    [example("cosignature message"), example("cosignature"), "docs.example/log/w1"],
    [example("checkpoint body"), part(example("log line"), "signature"), "docs.example/log (log)"],
  ];
  for (const [message, signature, owner] of signed) {
    assert.ok(isSigned(message, signature, owner), owner);
    assert.ok(!isSigned(`${message} `, signature, owner));
  }
  assert.equal(part(example("cosignature line"), "signature"), example("cosignature").trim());
});
