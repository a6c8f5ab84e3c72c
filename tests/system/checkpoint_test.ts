/**
 * `/checkpoint` read by nothing of ours: a C2SP signed note whose every line openssl verifies, and
 * whose bytes are those of the JSON routes.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { runTool } from "./tools.ts";

/** More than one tile. */
const COUNT = 300;
const HASHES = Array.from({ length: COUNT }, (_, i) => i.toString(16).padStart(64, "0"));

/** DER before the 32 bytes of an Ed25519 public key (RFC 8410 section 4). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

interface Vkey {
  readonly name: string;
  readonly type: number;
  readonly publicKey: Buffer;
}

/** c2sp.org/signed-note: `<name>+<8 hex key ID>+<base64(type || public key)>`. */
function readVkey(text: string): Vkey {
  const [name = "", id = "", ...encoded] = text.split("+");
  const typed = Buffer.from(encoded.join("+"), "base64");
  const hash = createHash("sha256").update(`${name}\n`).update(typed).digest("hex");
  assert.equal(hash.slice(0, 8), id);
  return { name, type: typed[0]!, publicKey: typed.subarray(1) };
}

function keyIdOf({ name, type, publicKey }: Vkey): string {
  return createHash("sha256").update(`${name}\n`).update(Uint8Array.of(type)).update(publicKey)
    .digest("hex").slice(0, 8);
}

async function opensslVerifies(
  folder: string,
  key: Vkey,
  message: string,
  signature: Uint8Array,
): Promise<boolean> {
  await Deno.writeFile(join(folder, "key.der"), Buffer.concat([SPKI_PREFIX, key.publicKey]));
  await Deno.writeTextFile(join(folder, "message"), message);
  await Deno.writeFile(join(folder, "signature"), signature);
  const { code } = await runTool(
    "openssl",
    [
      "pkeyutl",
      "-verify",
      "-rawin",
      "-pubin",
      "-keyform",
      "DER",
      "-inkey",
      "key.der",
      "-in",
      "message",
      "-sigfile",
      "signature",
    ],
    { cwd: folder },
  );
  return code === 0;
}

Deno.test("/checkpoint and its log are read by nothing of ours", async (t) => {
  await using deployment = await Deployment.start("ed25519");
  await deployment.post("/v1/attestations/batch", { hashes: HASHES });
  let note = "";
  await t.step("/checkpoint is a C2SP signed note with cosignatures, byte for byte", async () => {
    note = await checkSignatures(deployment);
  });
  await t.step(
    "tiles and entries rebuild the root of /checkpoint with sha256 alone",
    () => checkTiles(deployment, note),
  );
});

/** Requires that openssl verifies each line of the checkpoint of all hashes; the checkpoint. */
async function checkSignatures(deployment: Deployment): Promise<string> {
  const { folder } = deployment;
  const { note, sth } = await eventually("all are in the published tree", async () => {
    const found = await deployment.get("/checkpoint");
    if (found.status !== 200 || found.text.split("\n")[1] !== String(COUNT)) return undefined;
    const sth = JSON.parse((await deployment.get("/v1/log/sth")).text);
    // A late cosignature is added to both, and a head without growth is signed again.
    const { text } = await deployment.get("/checkpoint");
    return text === found.text ? { note: text, sth } : undefined;
  });

  // Split at the last empty line; each signature line is em dash, space, name, space, base64.
  const at = note.lastIndexOf("\n\n");
  const text = note.slice(0, at + 1);
  assert.ok(note.endsWith("\n"));
  const lines = note.slice(at + 2, -1).split("\n").map((line) => {
    const [, name = "", encoded = ""] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = Buffer.from(encoded, "base64");
    assert.equal(bytes.toString("base64"), encoded);
    return { name, id: bytes.subarray(0, 4).toString("hex"), payload: bytes.subarray(4) };
  });
  const network = JSON.parse(await Deno.readTextFile(deployment.publicFile));
  const head = sth.tree_head;
  const root = Buffer.from(head.root_hash, "hex").toString("base64");
  assert.equal(text, `${network.id}\n${head.tree_size}\n${root}\n`);

  const log = readVkey(network.log_vkey);
  assert.deepEqual([lines[0]?.name, lines[0]?.id], [log.name, keyIdOf(log)]);
  assert.equal(log.type, 0x01);
  assert.ok(await opensslVerifies(folder, log, text, lines[0]!.payload));
  assert.ok(!await opensslVerifies(folder, log, `${text}\n`, lines[0]!.payload));

  const witnesses: Vkey[] = network.witnesses.map(({ vkey }: { vkey: string }) => readVkey(vkey));
  const cosigned: { witness_id: string; signature: string }[] = [];
  for (const { name, id, payload } of lines.slice(1)) {
    const key = witnesses.find((witness) => witness.name === name);
    assert.ok(key !== undefined && key.type === 0x04 && keyIdOf(key) === id);
    assert.equal(payload.length, 8 + 64);
    const time = payload.readBigUInt64BE(0);
    const signature = payload.subarray(8);
    const message = `cosignature/v1\ntime ${time}\n${text}`;
    assert.ok(await opensslVerifies(folder, key, message, signature));
    assert.equal(Number(time), head.timestamp);
    cosigned.push({ witness_id: name, signature: signature.toString("hex") });
  }
  assert.deepEqual(cosigned, sth.signatures);
  assert.ok(cosigned.length >= network.threshold);
  return note;
}

async function checkTiles(deployment: Deployment, note: string): Promise<void> {
  const bytesAt = async (path: string) => {
    const response = await fetch(new URL(path, deployment.url));
    assert.equal(response.status, 200, path);
    return Buffer.from(await response.arrayBuffer());
  };
  const entries: Buffer[] = [];
  for (const path of ["/tile/entries/000", `/tile/entries/001.p/${COUNT - 256}`]) {
    let bundle = await bytesAt(path);
    while (bundle.length > 0) {
      const length = bundle.readUInt16BE(0);
      entries.push(bundle.subarray(2, 2 + length));
      bundle = bundle.subarray(2 + length);
    }
  }
  const { id } = await deployment.network();
  for (const [i, entry] of entries.entries()) {
    const [domain, network, hash, , sequence] = entry.toString().split("\n");
    const wanted = ["countersign/attestation/v1", id, HASHES[i], String(i)];
    assert.deepEqual([domain, network, hash, sequence], wanted);
  }
  const leaves = entries.map((entry) => sha256(Uint8Array.of(0), entry));
  const tiles = [await bytesAt("/tile/0/000"), await bytesAt(`/tile/0/001.p/${COUNT - 256}`)];
  assert.deepEqual(Buffer.concat(leaves), Buffer.concat(tiles));
  assert.equal(rootOf(leaves).toString("base64"), note.split("\n")[2]);
}

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** RFC 9162 section 2.1.1. */
function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return sha256(Uint8Array.of(1), rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}
