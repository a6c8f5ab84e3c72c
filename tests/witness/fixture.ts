/**
 * Witnesses, logs and clocks for tests. Everything is a function of the names and numbers given.
 *
 * @module
 */

import { type Bytes, concat, hexOf, utf8 } from "../../src/base/bytes.ts";
import type { MlDsaSigner } from "../../src/proof/crypto/ml_dsa_signer.ts";
import type { Clock } from "../../src/base/clock.ts";
import { Ed25519Signer, verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels as kernels } from "../../src/proof/crypto/portable_kernels.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../../src/proof/format/tree_head.ts";
import { NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { RoundTreeMemo } from "../../src/proof/merkle/round_tree.ts";
import type { CosignRequest } from "../../src/proof/format/witness_request.ts";
import type {
  WitnessedLog,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "../../src/witness/ports.ts";
import type { BeaconRule } from "../../src/witness/beacon_rule.ts";
import type { VouchRule } from "../../src/witness/vouching.ts";
import { Witness } from "../../src/witness/witness.ts";
import { ReferenceTree } from "../proof/merkle/reference.ts";
import { anyBeacons } from "../schemes.ts";
import { MemoryWitnessState } from "./memory_state.ts";

export const NETWORK = "log.example/test";
export const NOW = 1_800_000_000;

/** A manual clock. */
export class StandingClock implements Clock {
  seconds = NOW;

  nowMs(): number {
    return this.seconds * 1000 + 999;
  }

  elapsedMs(): number {
    return this.nowMs();
  }

  sleep(): Promise<void> {
    return Promise.resolve();
  }
}

/** The signer whose seed is SHA-256(`name`). */
export function signerOf(name: string): Ed25519Signer {
  return new Ed25519Signer(kernels.sha256(utf8(name)));
}

/** Packed digests of texts. */
export function digestsOf(...texts: readonly string[]): Bytes {
  return concat(...texts.map((text) => kernels.sha256(utf8(text))));
}

/** `count` packed digests, unique to `name`. */
export function manyDigests(count: number, name = "digest"): Bytes {
  return digestsOf(...Array.from({ length: count }, (_, i) => `${name} ${i}`));
}

/** A log with one key, named as its origin. */
export function followedLog(origin: string, publicKey: Bytes): WitnessedLog {
  return { origin, keys: [{ name: origin, type: NOTE_TYPE.ed25519, publicKey }] };
}

/** A log that signs heads of any tree. */
export class TestLog {
  readonly origin: string;
  readonly signer: Ed25519Signer;

  constructor(origin: string = NETWORK) {
    this.origin = origin;
    this.signer = signerOf(`${origin}/log`);
  }

  get witnessed(): WitnessedLog {
    return followedLog(this.origin, this.signer.publicKey);
  }

  head(tree: ReferenceTree, size: number, timestamp = NOW): TreeHead {
    const root_hash = hexOf(tree.root(size));
    return { network_id: this.origin, tree_size: size, timestamp, root_hash };
  }

  sign(head: TreeHead): Bytes {
    return this.signer.sign(utf8(encodeCheckpointBody(head)));
  }

  /** An honest request to have `tree` at `size` cosigned by a witness at `oldSize`. */
  request(tree: ReferenceTree, oldSize: number, size: number, timestamp = NOW): CosignRequest {
    const treeHead = this.head(tree, size, timestamp);
    return {
      treeHead,
      logSignature: this.sign(treeHead),
      oldSize,
      consistencyPath: pathOf(tree, oldSize, size),
    };
  }
}

/** The consistency path from `first` to `second`; empty when undefined. */
export function pathOf(tree: ReferenceTree, first: number, second: number): Bytes[] {
  if (first === 0 || first >= second) return [];
  return tree.consistency(first, second).map((hash) => concat(hash));
}

/** A tree that shares its first `fork` leaves with every other of this kind. */
export function forkedTree(name: string, fork: number, size: number): ReferenceTree {
  const common = ReferenceTree.ofTexts(fork).leaves;
  const own = ReferenceTree.ofTexts(size, name).leaves.slice(fork);
  return new ReferenceTree([...common, ...own]);
}

/** Options of a test witness. */
export interface TestWitnessOptions {
  readonly state?: WitnessState;
  readonly clock?: Clock;
  readonly logs?: readonly WitnessedLog[];
  readonly warnings?: WitnessWarning[];
  readonly signer?: WitnessSigner;
  readonly mlDsa?: MlDsaSigner;
  readonly beacons?: BeaconRule;
  readonly vouching?: VouchRule;
}

export const WITNESS_ID = `${NETWORK}/w1`;

/** A witness of {@linkcode NETWORK}. */
export function testWitness(options: TestWitnessOptions = {}): Witness {
  return new Witness({
    id: WITNESS_ID,
    networkId: NETWORK,
    signer: options.signer ?? signerOf(WITNESS_ID),
    ...(options.mlDsa !== undefined && { mlDsa: options.mlDsa }),
    logs: options.logs ?? [new TestLog().witnessed],
    state: options.state ?? new MemoryWitnessState(),
    clock: options.clock ?? new StandingClock(),
    kernels,
    buildRoundTree: newTreeBuilder(),
    beacons: options.beacons ?? anyBeacons,
    ...(options.vouching !== undefined && { vouching: options.vouching }),
    report: (warning) => options.warnings?.push(warning),
  });
}

function newTreeBuilder(): RoundTreeMemo["build"] {
  const memo = new RoundTreeMemo(kernels);
  return (round) => memo.build(round);
}

/** True when `signature` is the test witness's over `head`. */
export function verifiesHead(head: TreeHead, signature: Uint8Array): boolean {
  const message = utf8(encodeCosignatureMessage(head));
  return verifyNative(signerOf(WITNESS_ID).publicKey, message, signature);
}

/** An assert.rejects() matcher for one code. */
export function withCode(code: string): { code: string } {
  return { code };
}
