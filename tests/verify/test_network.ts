/**
 * A whole network for tests: keys derived from names, everything signed for real, so that all of it
 * is a function of the names and numbers given.
 *
 * @module
 */

import { hexOf, utf8 } from "../../src/bytes.ts";
import { Ed25519Signer, verifyNative } from "../../src/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../src/crypto/portable_kernels.ts";
import {
  checkNetwork,
  type FederationPolicy,
  type NetworkConfiguration,
} from "../../src/format/network.ts";
import { cosignatureLine, encodeNote, noteSignature } from "../../src/format/note.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../src/format/note_key.ts";
import type { Ed25519SignatureSet } from "../../src/format/signature_set.ts";
import {
  type CheckpointBody,
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../src/format/tree_head.ts";
import type { VerifierCrypto } from "../../src/verify/verifier_crypto.ts";

/** The server's crypto: the fast path for tests. */
export const nativeCrypto: VerifierCrypto = { kernels, ed25519: verifyNative };

/** The digest of `text` in hex, as a client would submit it. */
export function digestOf(text: string): string {
  return hexOf(kernels.sha256(utf8(text)));
}

/** The signer whose seed is SHA-256(`name`): the same in every run. */
export function signerOf(name: string): Ed25519Signer {
  return new Ed25519Signer(kernels.sha256(utf8(name)));
}

/** What a test network may be told. */
export interface NetworkOptions {
  readonly witnesses?: number;
  readonly threshold?: number;
  readonly federation?: FederationPolicy;
  /** Names of seeds in place of the witness ids, to share a key between networks. */
  readonly seeds?: readonly string[];
}

/** A network of which the test holds every key. */
export class TestNetwork {
  readonly id: string;
  readonly configuration: NetworkConfiguration;
  readonly log: Ed25519Signer;
  readonly #signers: readonly Ed25519Signer[];

  constructor(id: string, options: NetworkOptions = {}) {
    const { witnesses = 3, threshold = 2, federation, seeds = [] } = options;
    this.id = id;
    this.log = signerOf(`${id}/log`);
    const ids = Array.from({ length: witnesses }, (_, i) => `${id}/w${i + 1}`);
    this.#signers = ids.map((witness, i) => signerOf(seeds[i] ?? witness));
    this.configuration = {
      id,
      threshold,
      signature_scheme: "ed25519",
      witnesses: ids.map((witness, i) => ({
        id: witness,
        pubkey: hexOf(this.#signers[i]!.publicKey),
      })),
      log_vkey: encodeVkey(this.logKey),
      federation: federation ??
        { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    };
    checkNetwork(this.configuration);
  }

  get logKey(): NoteKey {
    return { name: this.id, type: NOTE_TYPE.ed25519, publicKey: this.log.publicKey };
  }

  /** The C2SP key of the witness at `place`. */
  witnessKey(place: number): NoteKey {
    const { id: name, pubkey } = this.configuration.witnesses[place]!;
    return { name, type: NOTE_TYPE.cosignature, publicKey: Uint8Array.fromHex(pubkey) };
  }

  /** The places of as many witnesses as the threshold, the first ones. */
  get quorum(): number[] {
    return Array.from({ length: this.configuration.threshold }, (_, i) => i);
  }

  /** Signatures over `message` by the witnesses at `places`, in that order. */
  sign(message: string, places: readonly number[] = this.quorum): Ed25519SignatureSet {
    return {
      signatures: places.map((place) => ({
        witness_id: this.configuration.witnesses[place]!.id,
        signature: hexOf(this.#signers[place]!.sign(utf8(message))),
      })),
    };
  }

  /** `head` signed by the witnesses at `places`. */
  signHead(
    head: TreeHead,
    places?: readonly number[],
  ): { tree_head: TreeHead } & Ed25519SignatureSet {
    return { tree_head: head, ...this.sign(encodeCosignatureMessage(head), places) };
  }

  /** `head` as a checkpoint: the log's line, then each witness's own time. */
  checkpoint(head: CheckpointBody, times: Readonly<Record<number, number>>): string {
    const text = encodeCheckpointBody(head);
    const lines = Object.entries(times).map(([place, timestamp]) => {
      const message = utf8(encodeCosignatureMessage({ ...head, timestamp }));
      const signature = this.#signers[Number(place)]!.sign(message);
      return cosignatureLine(this.witnessKey(Number(place)), timestamp, signature);
    });
    const own = noteSignature(this.logKey, this.log.sign(utf8(text)));
    return encodeNote({ text, signatures: [own, ...lines] });
  }
}
