/**
 * {@linkcode Bls} over an instance of the BLS module (`wasm/README.md`): copies inputs into the
 * module's memory regions and results out of them. Decoded and validated public keys are cached in
 * the module's affine form.
 *
 * @module
 */

import { type Bytes, hexOf, utf8 } from "../../base/bytes.ts";
import { CountersignError } from "../../base/errors.ts";
import { type Bls, BLS_SECRET_LENGTH, type BlsCheck, invalidSecret } from "./bls.ts";
import { KeyCache } from "./key_cache.ts";
import type { BlsExports } from "./wasm_bls_exports.ts";

const SIGNATURE_LENGTH = 48;
const PUBLIC_KEY_LENGTH = 96;
const POINT_LENGTH = 256;
const COEFFICIENT_LENGTH = 16;

/** The scheme over one instance; nothing else may use the instance. */
export function wasmBls(exports: BlsExports): Bls {
  return new WasmBls(exports);
}

/** A check whose points are in a slot. */
interface LoadedCheck {
  readonly index: number;
  readonly slot: number;
  readonly group: KeyGroup;
}

/** The checks under one aggregate key. */
interface KeyGroup {
  readonly point: Bytes;
}

/** A check with a valid key, with its index in the list of all checks. */
interface Candidate {
  readonly index: number;
  readonly check: BlsCheck;
  readonly group: KeyGroup;
}

class WasmBls implements Bls {
  readonly #wasm: BlsExports;
  // The memory has a fixed size, so its views stay valid.
  readonly #bytes: Bytes;
  readonly #slots: Uint32Array<ArrayBuffer>;
  readonly #message: number;
  readonly #messageBytes: number;
  readonly #secret: number;
  readonly #signature: number;
  readonly #key: number;
  readonly #point: number;
  readonly #points = new KeyCache<Bytes>(1024);

  constructor(wasm: BlsExports) {
    const buffer = wasm.memory.buffer as ArrayBuffer;
    this.#wasm = wasm;
    this.#bytes = new Uint8Array(buffer);
    this.#slots = new Uint32Array(buffer, wasm.slotsRegion(), wasm.slotLimit());
    this.#message = wasm.messageRegion();
    this.#messageBytes = wasm.messageBytes();
    this.#secret = wasm.secretRegion();
    this.#signature = wasm.signatureRegion();
    this.#key = wasm.keyRegion();
    this.#point = wasm.pointRegion();
  }

  skToPk(secretKey: Uint8Array): Bytes {
    this.#putSecret(secretKey);
    if (this.#wasm.skToPk() === 0) throw invalidSecret();
    return this.#bytes.slice(this.#key, this.#key + PUBLIC_KEY_LENGTH);
  }

  sign(secretKey: Uint8Array, message: Uint8Array, dst: string): Bytes {
    this.#putMessage(message, dst);
    this.#putSecret(secretKey);
    if (this.#wasm.sign() === 0) throw invalidSecret();
    return this.#takeSignature();
  }

  keyValidate(publicKey: Uint8Array): boolean {
    return this.#pointOf(publicKey) !== undefined;
  }

  signatureValidate(signature: Uint8Array): boolean {
    if (signature.length !== SIGNATURE_LENGTH) return false;
    this.#bytes.set(signature, this.#signature);
    this.#wasm.startSignatureSum();
    return this.#wasm.addSignatures(1) !== 0;
  }

  hashToG1(message: Uint8Array, dst: string): Bytes {
    this.#putMessage(message, dst);
    this.#wasm.hashToG1();
    return this.#takeSignature();
  }

  verify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array, dst: string): boolean {
    return this.fastAggregateVerify([publicKey], message, signature, dst);
  }

  aggregate(signatures: readonly Uint8Array[]): Bytes | undefined {
    if (!signatures.every((signature) => signature.length === SIGNATURE_LENGTH)) return undefined;
    this.#wasm.startSignatureSum();
    for (let i = 0; i < signatures.length; i += 2) {
      const count = this.#putSignatures(signatures[i]!, signatures[i + 1]);
      if (this.#wasm.addSignatures(count) === 0) return undefined;
    }
    // The sum of no signatures is the identity.
    return this.#wasm.finishSignatureSum() === 0 ? undefined : this.#takeSignature();
  }

  aggregateKeys(publicKeys: readonly Uint8Array[]): Bytes | undefined {
    const point = this.#sumOfKeys(publicKeys);
    if (point === undefined) return undefined;
    this.#bytes.set(point, this.#point);
    this.#wasm.encodeKey();
    return this.#bytes.slice(this.#key, this.#key + PUBLIC_KEY_LENGTH);
  }

  fastAggregateVerify(
    publicKeys: readonly Uint8Array[],
    message: Uint8Array,
    signature: Uint8Array,
    dst: string,
  ): boolean {
    const point = this.#sumOfKeys(publicKeys);
    if (point === undefined || signature.length !== SIGNATURE_LENGTH) return false;
    this.#bytes.set(point, this.#point);
    this.#bytes.set(signature, this.#signature);
    this.#putMessage(message, dst);
    return this.#wasm.verify() !== 0;
  }

  batchVerify(checks: readonly BlsCheck[], dst: string): boolean[] {
    const verdicts = checks.map(() => false);
    const candidates = this.#candidates(checks);
    const limit = this.#wasm.slotLimit();
    for (let first = 0; first < candidates.length; first += limit) {
      const part = candidates.slice(first, first + limit);
      const loaded = this.#load(part, dst);
      if (this.#wasm.finishSlots(part.length) !== 0) {
        this.#bisect(loaded, ({ index }) => verdicts[index] = true);
      } else {
        for (const { index, check: { publicKeys, message, signature } } of part) {
          verdicts[index] = this.fastAggregateVerify(publicKeys, message, signature, dst);
        }
      }
    }
    return verdicts;
  }

  /** The module's form of a valid key; `undefined` for other bytes. */
  #pointOf(publicKey: Uint8Array): Bytes | undefined {
    if (publicKey.length !== PUBLIC_KEY_LENGTH) return undefined;
    const kept = this.#points.get(publicKey);
    if (kept !== undefined) return kept;
    this.#bytes.set(publicKey, this.#key);
    if (this.#wasm.decodeKey() === 0) return undefined;
    const point = this.#takePoint();
    this.#points.set(publicKey, point);
    return point;
  }

  #sumOfKeys(publicKeys: readonly Uint8Array[]): Bytes | undefined {
    if (publicKeys.length === 1) return this.#pointOf(publicKeys[0]!);
    const points = publicKeys.map((publicKey) => this.#pointOf(publicKey));
    this.#wasm.startKeySum();
    for (const point of points) {
      if (point === undefined) return undefined;
      this.#bytes.set(point, this.#point);
      this.#wasm.addKey();
    }
    return this.#wasm.finishKeySum() === 0 ? undefined : this.#takePoint();
  }

  /** The checks with valid keys and signatures of the right length. Only these get a slot. */
  #candidates(checks: readonly BlsCheck[]): Candidate[] {
    const groups = new Map<string, KeyGroup | undefined>();
    return checks.flatMap((check, index) => {
      const id = check.publicKeys.map(hexOf).join();
      if (!groups.has(id)) {
        const point = this.#sumOfKeys(check.publicKeys);
        groups.set(id, point && { point });
      }
      const group = groups.get(id);
      const isComplete = group !== undefined && check.signature.length === SIGNATURE_LENGTH;
      return isComplete ? { index, check, group } : [];
    });
  }

  /**
   * Puts hashes and signatures of candidates into slots, in order; returns the checks with valid
   * signatures.
   */
  #load(candidates: readonly Candidate[], dst: string): LoadedCheck[] {
    const loaded: LoadedCheck[] = [];
    candidates.forEach(({ check }, slot) => {
      if (slot % 2 === 0) {
        const count = this.#putSignatures(check.signature, candidates[slot + 1]?.check.signature);
        const valid = this.#wasm.keepSignatures(slot, count);
        for (let i = 0; i < count; i++) {
          if ((valid >> i & 1) === 0) continue;
          const { index, group } = candidates[slot + i]!;
          loaded.push({ index, slot: slot + i, group });
        }
      }
      this.#putMessage(check.message, dst);
      this.#wasm.keepHash(slot);
    });
    return loaded;
  }

  /** Calls `good` with every valid check, by bisection. */
  #bisect(checks: readonly LoadedCheck[], good: (check: LoadedCheck) => void): void {
    if (checks.length === 0) return;
    const groups = new Map<KeyGroup, LoadedCheck[]>();
    for (const check of checks) {
      const group = groups.get(check.group);
      if (group === undefined) groups.set(check.group, [check]);
      else group.push(check);
    }
    const fits = groups.size <= this.#wasm.groupLimit();
    if (fits && this.#holds(groups)) return checks.forEach(good);
    if (checks.length === 1) return;
    const middle = Math.ceil(checks.length / 2);
    this.#bisect(checks.slice(0, middle), good);
    this.#bisect(checks.slice(middle), good);
  }

  /**
   * True if a random linear combination of the checks holds. Fresh coefficients keep crafted
   * signatures from cancelling each other.
   */
  #holds(groups: ReadonlyMap<KeyGroup, readonly LoadedCheck[]>): boolean {
    const coefficients = this.#wasm.coefficientsRegion();
    this.#wasm.startCombination();
    for (const [{ point }, checks] of groups) {
      checks.forEach(({ slot }, i) => this.#slots[i] = slot);
      crypto.getRandomValues(
        this.#bytes.subarray(coefficients, coefficients + checks.length * COEFFICIENT_LENGTH),
      );
      this.#bytes.set(point, this.#point);
      this.#wasm.addGroup(checks.length);
    }
    return this.#wasm.combinationHolds() !== 0;
  }

  #putMessage(message: Uint8Array, dst: string): void {
    const tag = utf8(dst);
    const limit = this.#wasm.tagBytes();
    if (tag.length > limit) {
      throw new CountersignError(
        "internal",
        `Cannot hash to G1: the tag has ${tag.length} bytes, at most ${limit} are possible`,
      );
    }
    this.#bytes.set(tag, this.#wasm.tagRegion());
    this.#wasm.startMessage(tag.length);
    for (let at = 0; at < message.length; at += this.#messageBytes) {
      const part = message.subarray(at, at + this.#messageBytes);
      this.#bytes.set(part, this.#message);
      this.#wasm.appendMessage(part.length);
    }
  }

  #putSecret(secretKey: Uint8Array): void {
    if (secretKey.length !== BLS_SECRET_LENGTH) throw invalidSecret();
    this.#bytes.set(secretKey, this.#secret);
  }

  #putSignatures(first: Uint8Array, second?: Uint8Array): number {
    this.#bytes.set(first, this.#signature);
    if (second === undefined) return 1;
    this.#bytes.set(second, this.#signature + SIGNATURE_LENGTH);
    return 2;
  }

  #takeSignature(): Bytes {
    return this.#bytes.slice(this.#signature, this.#signature + SIGNATURE_LENGTH);
  }

  #takePoint(): Bytes {
    return this.#bytes.slice(this.#point, this.#point + POINT_LENGTH);
  }
}
