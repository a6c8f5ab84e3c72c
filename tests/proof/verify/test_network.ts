/**
 * A whole network for tests with keys derived from names and real signatures; a function of the
 * given names and numbers.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../../../src/base/bytes.ts";
import { Ed25519Signer } from "../../../src/proof/crypto/ed25519_native.ts";
import { mlDsaPublicKey } from "../../../src/proof/crypto/ml_dsa_signer.ts";
import { portableKernels as kernels } from "../../../src/proof/crypto/portable_kernels.ts";
import type { FederationPolicy, NetworkConfiguration } from "../../../src/proof/format/network.ts";
import { checkNetwork } from "../../../src/proof/format/network_check.ts";
import { aggregateKey } from "../../../src/proof/format/aggregate_line.ts";
import { aggregateLine } from "../../../src/proof/format/note_writer.ts";
import { type NoteSignature } from "../../../src/proof/format/note.ts";
import {
  cosignatureLine,
  encodeNote,
  noteSignature,
} from "../../../src/proof/format/note_writer.ts";
import { encodeVkey, NOTE_TYPE, type NoteKey } from "../../../src/proof/format/note_key.ts";
import type {
  BlsSignatureSet,
  Ed25519SignatureSet,
  SignatureScheme,
  SignatureSet,
} from "../../../src/proof/format/signature_set.ts";
import {
  type CheckpointBody,
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type SignedTreeHead,
  type TreeHead,
} from "../../../src/proof/format/tree_head.ts";
import { bls, configuredWitness, schemeSigner, type TestSigner } from "../../schemes.ts";

export { nativeCrypto } from "../../schemes.ts";

/** The SHA-256 of `text` in hex. */
export function digestOf(text: string): string {
  return hexOf(kernels.sha256(utf8(text)));
}

/** The signer whose seed is SHA-256(`name`): the same in every run. */
export function signerOf(name: string): Ed25519Signer {
  return new Ed25519Signer(kernels.sha256(utf8(name)));
}

/** Options of a test network. */
export interface NetworkOptions {
  readonly scheme?: SignatureScheme;
  readonly witnesses?: number;
  readonly threshold?: number;
  readonly federation?: FederationPolicy;
  /** Names of seeds instead of the witness ids, to share a key between networks. */
  readonly seeds?: readonly string[];
  /** Number of the configuration in its succession. */
  readonly epoch?: number;
  /** Ids of the witnesses, ascending; else `<id>/w1` and so on. */
  readonly witnessIds?: readonly string[];
  /** Name of the seed of the log's key. */
  readonly logSeed?: string;
  /** The log and the first witness have ML-DSA-44 keys. */
  readonly mlDsa?: boolean;
}

/** The seed of the ML-DSA-44 key of the witness or log `name`. */
export function mlDsaSeedOf(name: string): Bytes {
  return kernels.sha256(utf8(`ML-DSA-44 of ${name}`));
}

function mlDsaVkeyOf(name: string): string {
  const publicKey = mlDsaPublicKey(mlDsaSeedOf(name));
  return encodeVkey({ name, type: NOTE_TYPE.mlDsaCosignature, publicKey });
}

/** A network whose keys the test holds. */
export class TestNetwork {
  readonly id: string;
  readonly configuration: NetworkConfiguration;
  readonly log: Ed25519Signer;
  readonly #signers: readonly TestSigner[];

  constructor(id: string, options: NetworkOptions = {}) {
    const { scheme = "ed25519", witnesses = 3, threshold = 2, federation, seeds = [] } = options;
    const { epoch, logSeed = `${id}/log`, mlDsa = false } = options;
    this.id = id;
    this.log = signerOf(logSeed);
    const ids = options.witnessIds ??
      Array.from({ length: witnesses }, (_, i) => `${id}/w${i + 1}`);
    this.#signers = ids.map((witness, i) => schemeSigner(scheme, seeds[i] ?? witness));
    this.configuration = {
      id,
      ...(epoch !== undefined && { epoch }),
      threshold,
      signature_scheme: scheme,
      // Without vkeys, which follow from the other members.
      witnesses: ids.map((witness, i) => {
        const { vkey: _, ...configured } = configuredWitness(witness, this.#signers[i]!);
        return mlDsa && i === 0 ? { ...configured, ml_dsa_vkey: mlDsaVkeyOf(witness) } : configured;
      }),
      log_vkey: encodeVkey(this.logKey),
      ...(mlDsa && { log_ml_dsa_vkey: mlDsaVkeyOf(id) }),
      federation: federation ??
        { enabled: false, peer_networks: [], cross_anchor_threshold: 0 },
    };
    checkNetwork(this.configuration, bls);
  }

  get logKey(): NoteKey {
    return { name: this.id, type: NOTE_TYPE.ed25519, publicKey: this.log.publicKey };
  }

  /** The C2SP key of the witness at `place`. */
  witnessKey(place: number): NoteKey {
    const { id: name, pubkey } = this.configuration.witnesses[place]!;
    return { name, type: NOTE_TYPE.cosignature, publicKey: Uint8Array.fromHex(pubkey) };
  }

  /** The indices of the first witnesses, as many as the threshold. */
  get quorum(): number[] {
    return Array.from({ length: this.configuration.threshold }, (_, i) => i);
  }

  /** Signatures over `message` by the witnesses at `places`, in that order. */
  sign(message: string, places: readonly number[] = this.quorum): SignatureSet {
    if (this.configuration.signature_scheme === "ed25519") return this.signEach(message, places);
    return this.signTogether(message, places);
  }

  /** {@linkcode sign} of an `ed25519` network. */
  signEach(message: string, places: readonly number[] = this.quorum): Ed25519SignatureSet {
    return {
      signatures: places.map((place) => ({
        witness_id: this.configuration.witnesses[place]!.id,
        signature: hexOf(this.share(message, place)),
      })),
    };
  }

  /** {@linkcode sign} of a `bls` network; without places, a set without a valid signature. */
  signTogether(message: string, places: readonly number[] = this.quorum): BlsSignatureSet {
    const aggregate = bls.aggregate(places.map((place) => this.share(message, place)));
    return {
      signature: hexOf(aggregate ?? new Uint8Array(48)),
      signers: places.map((place) => this.configuration.witnesses[place]!.id),
    };
  }

  /** The log key's signature over `message`, in hex. */
  logSignature(message: string): string {
    return hexOf(this.log.sign(utf8(message)));
  }

  /** The own signature over `message` of the witness at `place`. */
  share(message: string, place: number): Bytes {
    return this.#signers[place]!.sign(utf8(message));
  }

  /** `head` signed by the witnesses at `places`. */
  signHead(
    head: TreeHead,
    places?: readonly number[],
  ): SignedTreeHead {
    return { tree_head: head, ...this.sign(encodeCosignatureMessage(head), places) };
  }

  /** `head` as a checkpoint: the log's line, then the cosignatures with separate times. */
  checkpoint(head: CheckpointBody, times: Readonly<Record<number, number>>): string {
    const text = encodeCheckpointBody(head);
    const entries = Object.entries(times).map(([place, time]) => [Number(place), time] as const);
    const lines = this.configuration.signature_scheme === "ed25519"
      ? entries.map(([place, timestamp]) => {
        const share = this.share(encodeCosignatureMessage({ ...head, timestamp }), place);
        return cosignatureLine(this.witnessKey(place), timestamp, share);
      })
      : [...Map.groupBy(entries, ([, timestamp]) => timestamp)].map(([timestamp, signing]) =>
        this.aggregateLine(head, timestamp, signing.map(([place]) => place))
      );
    const own = noteSignature(this.logKey, this.log.sign(utf8(text)));
    return encodeNote({ text, signatures: [own, ...lines] });
  }

  /** The aggregate line of a `bls` network's witnesses at `places` over `head`. */
  aggregateLine(
    head: CheckpointBody,
    timestamp: number,
    places: readonly number[],
  ): NoteSignature {
    const message = encodeCosignatureMessage({ ...head, timestamp });
    const signature = Uint8Array.fromHex(this.signTogether(message, places).signature);
    return aggregateLine(aggregateKey(this.configuration), {
      timestamp,
      signers: places,
      signature,
    });
  }
}
