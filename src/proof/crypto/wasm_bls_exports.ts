/**
 * The exports of the BLS module (`wasm/assembly/bls/entry.ts`).
 *
 * @module
 */

/** The exports of both builds of the BLS module. Regions are byte offsets in its memory. */
export interface BlsExports {
  readonly memory: WebAssembly.Memory;
  messageRegion(): number;
  messageBytes(): number;
  tagRegion(): number;
  tagBytes(): number;
  secretRegion(): number;
  signatureRegion(): number;
  keyRegion(): number;
  pointRegion(): number;
  slotsRegion(): number;
  slotLimit(): number;
  groupLimit(): number;
  coefficientsRegion(): number;
  /** Begins the message for the next operation. */
  startMessage(tagLength: number): void;
  /** Appends bytes of the message region to the message. */
  appendMessage(length: number): void;
  /** Decodes the key region into the point region; false if KeyValidate fails. */
  decodeKey(): number;
  /** Encodes the point region into the key region. */
  encodeKey(): void;
  startKeySum(): void;
  addKey(): void;
  /** Writes the sum to the point region; false for the identity. */
  finishKeySum(): number;
  startSignatureSum(): void;
  /** Adds the first `count` (1 or 2) signatures of the region; false if one is invalid. */
  addSignatures(count: number): number;
  /** Writes the sum to the signature region; false for the identity. */
  finishSignatureSum(): number;
  /** Writes the message's point to the signature region. */
  hashToG1(): void;
  /** Signs with the key in the secret region and wipes it; false outside [1, r-1]. */
  sign(): number;
  /** Derives the public key of the secret region and wipes it; false outside [1, r-1]. */
  skToPk(): number;
  /** True if the signature region verifies under the point region. */
  verify(): number;
  /**
   * Stores the first `count` (1 or 2) signatures of the region in slots; bit i is set if signature
   * i is valid.
   */
  keepSignatures(slot: number, count: number): number;
  /** Stores the message's point in the slot of its signature. */
  keepHash(slot: number): void;
  /** Prepares the first `count` slots for combinations; false if a hash is the identity. */
  finishSlots(count: number): number;
  startCombination(): void;
  /**
   * Adds the `count` slots of the slots region, with the coefficients region, under the point
   * region's key.
   */
  addGroup(count: number): void;
  /** True if the combination of all groups holds. */
  combinationHolds(): number;
}
