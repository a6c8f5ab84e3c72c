/**
 * What a witness signs, and what it remembers first (contract B8).
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, hexOf, isCount, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../format/round.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import type { RoundTreeBuilder } from "../rounds/round_tree.ts";
import { type BeaconRule, checkBeacon } from "./beacon_rule.ts";
import { CosignedHead } from "./cosigned_head.ts";
import { areDistinct } from "./distinct_digests.ts";
import { extendsTree } from "./growth.ts";
import type {
  CosignAnswer,
  CosignRequest,
  RoundRequest,
  WitnessedHead,
  WitnessedLog,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { SequenceConflict } from "./sequence_conflict.ts";
import { SequenceMemory } from "./sequence_memory.ts";

/** How far a proposed time may be ahead of the witness's clock, in seconds. */
export const MAX_SECONDS_AHEAD = 5;

/** How far a proposed time may be behind the witness's clock, in seconds. */
export const MAX_SECONDS_BEHIND = 60;

/** Lost swaps after which a cosignature is given up: each one means that another was stored. */
const MAX_SWAPS = 16;

/** What makes a witness. */
export interface WitnessOptions {
  /** C2SP key name. */
  readonly id: string;
  /** The network whose rounds are signed: the origin of one of `logs`. */
  readonly networkId: string;
  readonly signer: WitnessSigner;
  /** Distinct origins. */
  readonly logs: readonly WitnessedLog[];
  readonly state: WitnessState;
  readonly clock: Clock;
  readonly kernels: Kernels;
  readonly buildRoundTree: RoundTreeBuilder;
  readonly beacons: BeaconRule;
  readonly report: (warning: WitnessWarning) => void;
}

/**
 * One witness: a key, the logs that it follows and what it remembers of them. All methods may run
 * concurrently; their errors are CountersignErrors.
 */
export class Witness {
  readonly id: string;
  readonly networkId: string;
  readonly scheme: SignatureScheme;
  readonly publicKey: Bytes;
  /** Of a `bls` key. */
  readonly proofOfPossession: Bytes | undefined;
  readonly #options: WitnessOptions;
  readonly #logs: ReadonlyMap<string, WitnessedLog>;
  readonly #heads: ReadonlyMap<string, CosignedHead>;
  /** Of the one network whose rounds are signed. */
  readonly #memory = new SequenceMemory();

  /** `invalid_configuration` when the network is not one of the logs, or an origin stands twice. */
  constructor(options: WitnessOptions) {
    const { id, networkId, signer, logs, state } = options;
    this.id = id;
    this.networkId = networkId;
    this.scheme = signer.scheme;
    this.publicKey = signer.publicKey;
    this.proofOfPossession = signer.proofOfPossession;
    this.#options = options;
    this.#logs = new Map(logs.map((log) => [log.origin, log]));
    this.#heads = new Map(logs.map(({ origin }) => [origin, new CosignedHead(state, origin)]));
    if (!this.#logs.has(networkId) || this.#logs.size !== logs.length) {
      throw refuse(
        "invalid_configuration",
        "make witness",
        `distinct logs with ${networkId} among them`,
        "others",
      );
    }
  }

  /** The key of the log with this origin; `undefined` when its heads are not cosigned here. */
  logKey(origin: string): Bytes | undefined {
    return this.#logs.get(origin)?.publicKey;
  }

  /** The size last cosigned for the witness's own network, 0 when none; `storage_failed`. */
  async cosignedSize(): Promise<number> {
    const { head } = await this.#head(this.networkId).read();
    return head?.size ?? 0;
  }

  /**
   * The signature over a round, whose root is rebuilt here from the digests. Rejects with
   * `storage_failed` or, in this order of checks, `network_refused`, `malformed_request` (size,
   * range, duplicates), `time_refused`, `beacon_refused` ({@linkcode checkBeacon}),
   * {@linkcode SequenceConflict}.
   */
  async sign(request: RoundRequest): Promise<Bytes> {
    const cosigned = await this.cosignedSize();
    // No wait from here on: what is checked is what is remembered, and that is what is signed.
    const { networkId, timestamp, firstSequence: first, digests, beacon } = request;
    const { signer, buildRoundTree, beacons } = this.#options;
    if (networkId !== this.networkId) {
      throw refuse("network_refused", "sign round", `network ${this.networkId}`, "another");
    }
    checkDigests(first, digests);
    this.#checkTime("sign round", timestamp);
    checkBeacon(beacons, beacon, timestamp);
    this.#checkSequences(first, digests, cosigned);
    this.#memory.remember(first, digests);
    const { root } = buildRoundTree({ networkId, timestamp, first, digests });
    return signer.sign(utf8(encodeRoundMessage({
      network_id: networkId,
      timestamp,
      size: digests.length / HASH_LENGTH,
      root: hexOf(root),
      beacon,
    })));
  }

  /**
   * The cosignature over a head that the log's key signed and that extends the last one, or the size
   * at which this witness stands when that is not `oldSize`. Rejects, in this order of checks, with
   * `network_refused`, `log_signature_refused`, `time_refused`, `malformed_request` (a shrinking
   * tree), `consistency_refused`, or `storage_failed`: whether the head was stored is then unknown,
   * and nothing was signed.
   */
  async cosign(request: CosignRequest): Promise<CosignAnswer> {
    const { treeHead, oldSize } = request;
    const heads = this.#head(treeHead.network_id);
    this.#checkLogSignature(request);
    this.#checkTime("cosign tree head", treeHead.timestamp);
    if (oldSize > treeHead.tree_size) {
      throw refuse("malformed_request", "cosign tree head", "an old_size up to the size", "more");
    }
    const next: WitnessedHead = {
      size: treeHead.tree_size,
      root: Uint8Array.fromHex(treeHead.root_hash),
      timestamp: treeHead.timestamp,
    };
    for (let swap = 0; swap < MAX_SWAPS; swap++) {
      const standing = await heads.read();
      this.#warnOfTime(treeHead.network_id, standing.head);
      const size = standing.head?.size ?? 0;
      if (size !== oldSize) return { kind: "size_conflict", size };
      if (!extendsTree(this.#options.kernels, standing.head, next, request.consistencyPath)) {
        throw refuse(
          "consistency_refused",
          "cosign tree head",
          `a proof that it extends the head of size ${size}`,
          "none that holds",
        );
      }
      if (await heads.replace(standing, next)) {
        // The point of no return: the head is durable, so no later request can make this signature
        // one of two that disagree. Before it, nothing leaves.
        const message = utf8(encodeCosignatureMessage(treeHead));
        return { kind: "cosigned", signature: this.#options.signer.sign(message) };
      }
    }
    throw refuse("storage_failed", "cosign tree head", "a settled state", `${MAX_SWAPS} changes`);
  }

  #head(origin: string): CosignedHead {
    const head = this.#heads.get(origin);
    if (head === undefined) {
      throw refuse("network_refused", "cosign tree head", "an origin that is followed", "another");
    }
    return head;
  }

  #checkTime(what: string, timestamp: number): void {
    const now = unixSeconds(this.#options.clock);
    if (timestamp > now + MAX_SECONDS_AHEAD || timestamp < now - MAX_SECONDS_BEHIND) {
      throw refuse(
        "time_refused",
        what,
        `a time from ${now - MAX_SECONDS_BEHIND} to ${now + MAX_SECONDS_AHEAD}`,
        String(timestamp),
      );
    }
  }

  #checkSequences(first: number, digests: Bytes, cosigned: number): void {
    if (first < cosigned) {
      throw new SequenceConflict(
        cosigned,
        `Cannot sign round: sequences from ${cosigned} on required, ${first} found`,
      );
    }
    this.#memory.advance(cosigned);
    if (this.#memory.contradicts(first, digests)) {
      throw new SequenceConflict(
        cosigned,
        "Cannot sign round: the hashes signed before for their sequences required, another found",
      );
    }
  }

  #checkLogSignature({ treeHead, logSignature }: CosignRequest): void {
    const key = this.#logs.get(treeHead.network_id)?.publicKey;
    const body = utf8(encodeCheckpointBody(treeHead));
    if (key === undefined || !verifyNative(key, body, logSignature)) {
      throw refuse(
        "log_signature_refused",
        "cosign tree head",
        "a signature by the log's key",
        "another",
      );
    }
  }

  #warnOfTime(origin: string, head: WitnessedHead | undefined): void {
    const now = unixSeconds(this.#options.clock);
    // A head may be cosigned with a time that is ahead by as much as the rule admits.
    if (head !== undefined && head.timestamp > now + MAX_SECONDS_AHEAD) {
      this.#options.report({
        kind: "stored_time_ahead",
        origin,
        storedTimestamp: head.timestamp,
        now,
      });
    }
  }
}

function checkDigests(first: number, digests: Bytes): void {
  const count = digests.length / HASH_LENGTH;
  if (!isCount(count) || count < 1 || count > MAX_ROUND_SIZE) {
    throw malformedRound(`1 to ${MAX_ROUND_SIZE} hashes`, `${digests.length} bytes`);
  }
  if (!isCount(first) || !isCount(first + (count - 1))) {
    throw malformedRound("sequences in [0, 2^53)", "others");
  }
  if (!areDistinct(digests)) throw malformedRound("distinct hashes", "one twice");
}

function malformedRound(required: string, found: string): CountersignError {
  return refuse("malformed_request", "sign round", required, found);
}

function refuse(code: ErrorCode, what: string, required: string, found: string): CountersignError {
  return new CountersignError(code, `Cannot ${what}: ${required} required, ${found} found`);
}
