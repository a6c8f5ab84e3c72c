/**
 * What the BLS module exports (`wasm/assembly/bls/entry.ts`).
 *
 * @module
 */

/** What both builds of the BLS module export. Regions are byte offsets in its memory. */
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
  /** Begins the message that the next operation hashes. */
  startMessage(tagLength: number): void;
  /** Appends bytes of the message region to it. */
  appendMessage(length: number): void;
  /** Key region to point region; false for what KeyValidate refuses. */
  decodeKey(): number;
  /** Point region to key region. */
  encodeKey(): void;
  startKeySum(): void;
  addKey(): void;
  /** The sum into the point region; false for the identity. */
  finishKeySum(): number;
  startSignatureSum(): void;
  /** Adds the first `count` (1 or 2) of the signature region; false when one is refused. */
  addSignatures(count: number): number;
  /** The sum into the signature region; false for the identity. */
  finishSignatureSum(): number;
  /** The message's point into the signature region. */
  hashToG1(): void;
  /** A signature by the secret region, which is wiped; false outside [1, r-1]. */
  sign(): number;
  /** The public key of the secret region, which is wiped; false outside [1, r-1]. */
  skToPk(): number;
  /** Whether the signature region verifies under the point region. */
  verify(): number;
  /** Keeps the first `count` (1 or 2) of the signature region in slots; bit i for each valid one. */
  keepSignatures(slot: number, count: number): number;
  /** Keeps the message's point in a slot that has its signature. */
  keepHash(slot: number): void;
  /** Makes the first `count` slots ready; false where one cannot be. */
  finishSlots(count: number): number;
  startCombination(): void;
  /** Adds `count` slots, by the slots and coefficients regions, under the point region's key. */
  addGroup(count: number): void;
  /** Whether the combination of all groups holds. */
  combinationHolds(): number;
}
