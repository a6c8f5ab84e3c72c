/**
 * Verifies COSE receipts with @transmute/cose, the implementation by an author of RFC 9942. It has no
 * EdDSA, so WebCrypto verifies the Sig_structure, encoded by its CBOR library. It misses one step of RFC
 * 9162 section 2.1.4.2, the first hash of trees whose older size is a power of two, and refuses those.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import * as cose from "@transmute/cose";

/** What the reader knows beforehand: the entry, or both roots. */
export type ForeignSubject =
  | { readonly entry: Uint8Array }
  | { readonly oldRoot: Uint8Array; readonly newRoot: Uint8Array };

/** The signed root; rejects unless the receipt verifies under the Ed25519 key. */
export async function foreignReceiptRoot(
  publicKey: Uint8Array,
  receipt: Uint8Array,
  subject: ForeignSubject,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey("raw", publicKey.slice(), "Ed25519", false, ["verify"]);
  const verifier = {
    async verify({ coseSign1, payload }: { coseSign1: ArrayBuffer; payload: ArrayBuffer }) {
      const { value: [header, , , signature] } = cose.cbor.decodeFirstSync(coseSign1);
      const root = Buffer.from(payload);
      const text = cose.cbor.encode(["Signature1", header, Buffer.alloc(0), root]);
      const isSigned = await crypto.subtle.verify("Ed25519", key, signature, new Uint8Array(text));
      if (!isSigned) throw new Error("The signature is wrong");
      return payload;
    },
  };
  const bytes = receipt.slice().buffer;
  const root = "entry" in subject
    // Its `entry` is the leaf's hash.
    ? await cose.receipt.inclusion.verify({
      entry: await cose.receipt.leaf(subject.entry),
      receipt: bytes,
      verifier,
    })
    : await cose.receipt.consistency.verify({
      oldRoot: subject.oldRoot.slice().buffer,
      newRoot: subject.newRoot.slice().buffer,
      receipt: bytes,
      verifier,
    }).then((isGrowth: unknown) => {
      if (isGrowth !== true) throw new Error("The path is wrong");
      return subject.newRoot;
    });
  // Its CBOR library sets timers of 0 ms, which have to end in the test.
  await new Promise((resolve) => setTimeout(resolve, 0));
  return new Uint8Array(root);
}

/** {@linkcode foreignReceiptRoot} as a boolean. */
export function foreignAccepts(...given: Parameters<typeof foreignReceiptRoot>): Promise<boolean> {
  return foreignReceiptRoot(...given).then(() => true, async () => {
    await new Promise((resolve) => setTimeout(resolve, 0));
    return false;
  });
}
