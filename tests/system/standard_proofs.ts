/**
 * Verifies the files that `stamp --proofs all` writes with programs that are not ours, and has them refuse
 * each flip of a signed or hashed byte:
 *
 * - `.tlog-proof`: `spicy-torchwood`, whose files are tlog-proofs without header and extra data. It ignores
 *   cosignatures, which WebCrypto verifies.
 * - `.cose`: \@transmute/cose.
 * - `.tsr`: `openssl ts`.
 * - `.ots`: the reference implementation, Debian's `python3-opentimestamps`.
 * - `.sigstore.json`: \@sigstore/verify.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, createPublicKey, verify } from "node:crypto";
import { join } from "node:path";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { toSignedEntity, toTrustMaterial, Verifier } from "@sigstore/verify";
import * as cose from "@transmute/cose";
import { type Bytes, textOf } from "../../src/base/bytes.ts";
import { foreignAccepts } from "../proof/verify/foreign_receipts.ts";
import { opensslVerifies } from "./openssl_authority.ts";
import { runTool } from "./tools.ts";

/** Whether a verifier accepts a file. */
type Accepts = (file: Bytes) => boolean | Promise<boolean>;

/** `file` with one bit of the byte at `position` changed. */
function flipped(file: Bytes, position: number): Bytes {
  const bytes = file.slice();
  bytes[position]! ^= 1 << position % 8;
  return bytes;
}

/**
 * Requires that the file is accepted, and with a flip in each `stride`-th byte refused, unless `isUnsigned`:
 * what is signed or hashed did not change.
 */
export async function checkFlips(
  file: Bytes,
  accepts: Accepts,
  isUnsigned: (changed: Bytes, position: number) => boolean,
  stride = 1,
): Promise<void> {
  assert.equal(await accepts(file), true);
  let refused = 0;
  for (let position = 0; position < file.length; position += stride) {
    const changed = flipped(file, position);
    if (!await accepts(changed)) refused++;
    else assert.ok(isUnsigned(changed, position), `the byte at ${position} of ${file.length}`);
  }
  assert.ok(refused > file.length / stride / 2);
}

/** The public key in a verifier key, after the name, the key ID and a byte of type. */
function keyOf(vkey: string): Buffer {
  return Buffer.from(vkey.split("+").slice(2).join("+"), "base64").subarray(1);
}

function verifiesEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) {
  const key = { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") };
  return verify(null, message, createPublicKey({ key, format: "jwk" }), signature);
}

/** Of a network's log, with as many cosignatures as `witnesses`, verifier keys. */
export function tlogProofVerifier(
  folder: string,
  { log, witnesses }: { readonly log: string; readonly witnesses: readonly string[] },
): Accepts {
  return async (file) => {
    // A character is a byte.
    const text = Buffer.from(file).toString("latin1");
    const [head, extra] = /^c2sp\.org\/tlog-proof@v1\nextra (.*)\n/.exec(text) ?? [];
    if (head === undefined) return false;
    await Deno.writeFile(join(folder, "entry"), Buffer.from(extra!, "base64"));
    await Deno.writeFile(join(folder, "entry.spicy"), file.slice(head.length));
    const args = ["-verify", log, "entry"];
    if ((await runTool("spicy-torchwood", args, { cwd: folder })).code !== 0) return false;
    const [, body, lines] = /\n\n([^]*\n)\n([^]*)$/.exec(text)!;
    const cosigned = witnesses.filter((vkey) => {
      const dash = Buffer.from("\u2014").toString("latin1");
      const start = `${dash} ${vkey.split("+")[0]} `;
      const line = lines!.split("\n").find((one) => one.startsWith(start)) ?? "";
      const payload = Buffer.from(line.slice(start.length), "base64");
      const id = payload.subarray(0, 4).toString("hex");
      if (payload.length !== 76 || id !== vkey.split("+")[1]) return false;
      const message = `cosignature/v1\ntime ${payload.readBigUInt64BE(4)}\n${body}`;
      return verifiesEd25519(keyOf(vkey), Buffer.from(message, "latin1"), payload.subarray(12));
    });
    return cosigned.length === witnesses.length;
  };
}

/** The text with each base64 in its canonical spelling: many decoders ignore spare bits and padding. */
export function canonical(text: Uint8Array): string {
  return Buffer.from(text).toString("latin1").replaceAll(
    /[A-Za-z0-9+/]{40,}[^A-Za-z0-9+/\s"]{0,2}/g,
    (base64) => Buffer.from(base64, "base64").toString("base64"),
  );
}

/** Of a log's key, as a verifier key. */
export function receiptVerifier(log: string): Accepts {
  return async (file) => {
    let entry: Uint8Array | undefined;
    try {
      const { value: [, header] } = cose.cbor.decodeFirstSync(file);
      entry = header.get("countersign/entry");
    } catch {
      return false;
    }
    return entry instanceof Uint8Array &&
      await foreignAccepts(new Uint8Array(keyOf(log)), file, { entry });
  };
}

/** `checkpoint` is the anchored body. */
export function tokenVerifier(checkpoint: Uint8Array, root: Bytes): Accepts {
  return (file) => opensslVerifies(file, sha256(checkpoint), root);
}

/**
 * Positions in the token's signed or hashed values: TSTInfo, certificates but for the root that the reader
 * has, signed attributes and signature. A reader encodes headers of attributes again.
 */
export async function signedPositions(
  folder: string,
  token: Bytes,
  root: Bytes,
): Promise<ReadonlySet<number>> {
  await Deno.writeFile(join(folder, "token"), token);
  const args = ["asn1parse", "-inform", "DER", "-in", "token"];
  const { stdout } = await runTool("openssl", args, { cwd: folder });
  const items = [...stdout.matchAll(/^ *(\d+):d=(\d+) +hl=(\d+) l= *(\d+) (\w+): (.*)$/gm)].map(
    ([, at, depth, header, length, kind, type]) => {
      const start = Number(at) + Number(header);
      const end = start + Number(length);
      return { at: Number(at), depth: Number(depth), start, end, kind, type: type!.trim() };
    },
  );
  const content = items.find(({ type }) => type.startsWith("OCTET STRING"))!;
  const signer = items.findLast(({ depth }) => depth === 4)!;
  const attributes = items.find(({ at, type }) => at > signer.at && type === "cont [ 0 ]")!;
  const der = Buffer.from(textOf(root).replaceAll(/-----.*-----/g, ""), "base64");
  const rootAt = Buffer.from(token).indexOf(der);
  assert.ok(content.at < rootAt && rootAt < signer.at);
  const signed = items.filter(({ at, kind, end }) =>
    kind === "prim" && at >= content.at && !(at >= rootAt && at < rootAt + der.length) &&
    (at < signer.at || (at > attributes.at && end <= attributes.end) || end === token.length)
  );
  return new Set(
    signed.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)),
  );
}

/** Under a log's `trusted_root.json`, and `pem`, the key of who submitted. */
export function rekorVerifier(checkpoint: Uint8Array, trustedRoot: string, pem: string): Accepts {
  const rawBytes = createPublicKey(pem).export({ type: "spki", format: "der" });
  const hint = createHash("sha256").update(rawBytes).digest("base64");
  const root = TrustedRoot.fromJSON(JSON.parse(trustedRoot));
  const material = toTrustMaterial(root, { [hint]: { rawBytes, keyDetails: 5 } });
  const verifier = new Verifier(material, { ctlogThreshold: 0, timestampThreshold: 0 });
  return (file) => {
    try {
      const bundle = bundleFromJSON(JSON.parse(new TextDecoder().decode(file)));
      verifier.verify(toSignedEntity(bundle, Buffer.from(checkpoint)));
      return true;
    } catch {
      return false;
    }
  };
}

/**
 * The signed and hashed members of a bundle. Sigstore's verifier computes the root and takes size and root
 * from the checkpoint.
 */
export function signedMembers(file: Uint8Array): unknown {
  const { verificationMaterial: { publicKey, tlogEntries: [entry] }, messageSignature } = JSON
    .parse(
      new TextDecoder().decode(file),
    );
  const { logId, kindVersion, inclusionProof, canonicalizedBody } = entry;
  const { logIndex, hashes, checkpoint } = inclusionProof;
  const bytes = (text: string) => Buffer.from(text, "base64").toString("hex");
  return [
    publicKey,
    kindVersion,
    logIndex,
    bytes(logId.keyId),
    bytes(canonicalizedBody),
    hashes.map(bytes),
    canonical(Buffer.from(checkpoint.envelope)),
    bytes(messageSignature.signature),
    bytes(messageSignature.messageDigest.digest),
  ];
}

/**
 * Positions in the `.ots` file of which the reference accepts the flip: the digest is that of
 * `checkpoint`, and it leads to one of `headers` of Bitcoin blocks, by height.
 */
export async function acceptedOtsFlips(
  folder: string,
  file: Bytes,
  { checkpoint, headers }: {
    readonly checkpoint: Uint8Array;
    readonly headers: ReadonlyMap<number, Uint8Array>;
  },
): Promise<readonly number[]> {
  const files = [file, ...Array.from(file, (_, position) => flipped(file, position))];
  const request = {
    do: "accept",
    files: files.map((one) => one.toHex()),
    digest: sha256(checkpoint).toHex(),
    headers: Object.fromEntries([...headers].map(([height, header]) => [height, header.toHex()])),
  };
  await Deno.writeTextFile(join(folder, "ots.json"), JSON.stringify(request));
  const script = new URL("opentimestamps_reference.py", import.meta.url).pathname;
  const run = await runTool("/usr/bin/python3", [script, "ots.json"], { cwd: folder });
  assert.equal(run.code, 0, run.stderr);
  const [whole, ...flips]: boolean[] = JSON.parse(run.stdout);
  assert.equal(whole, true);
  return flips.flatMap((accepted, position) => accepted ? [position] : []);
}

/** Where a calendar's promise is, which proves nothing. */
export function pendingAttestation(file: Uint8Array): { start: number; end: number } {
  const start = Buffer.from(file).indexOf("83dfe30d2ef90c8e", 0, "hex");
  assert.ok(start > 0);
  // The tag, the length of the payload, the payload.
  return { start, end: start + 9 + file[start + 8]! };
}

function sha256(bytes: Uint8Array): Bytes {
  return new Uint8Array(createHash("sha256").update(bytes).digest());
}
