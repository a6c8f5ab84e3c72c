/**
 * What a witness signs, and what it remembers first (protocol.md "Witness").
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, hexOf, isCount, utf8 } from "../bytes.ts";
import type { Clock } from "../clock.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { CountersignError } from "../errors.ts";
import { encodeRoundMessage, MAX_ROUND_SIZE } from "../format/round.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import type { RoundTreeBuilder } from "../rounds/round_tree.ts";
import { type BeaconRule, checkBeacon } from "./beacon_rule.ts";
import { areDistinct } from "./distinct_digests.ts";
import { FollowedLog } from "./followed_log.ts";
import type { Caller } from "./origin_queue.ts";
import type {
  CosignAnswer,
  CosignRequest,
  Release,
  RoundRequest,
  WitnessedLog,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { checkTime, refuse } from "./refusal.ts";
import { SignedRounds } from "./signed_rounds.ts";
import { WatchedState } from "./watched_state.ts";

/** A witness checks its storage this often. A check that takes longer counts as failed. */
const STORAGE_CHECK_MS = 10_000;

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
  /** By origin. */
  readonly #logs: ReadonlyMap<string, FollowedLog>;
  readonly #state: WatchedState;
  /** Of the one network whose rounds are signed. */
  readonly #rounds: SignedRounds;
  /** The check of the storage that is under way. */
  #checking: Promise<void> | undefined;

  /** `invalid_configuration` when the network is not one of the logs, or an origin stands twice. */
  constructor(options: WitnessOptions) {
    const { id, networkId, signer, logs } = options;
    this.id = id;
    this.networkId = networkId;
    this.scheme = signer.scheme;
    this.publicKey = signer.publicKey;
    this.proofOfPossession = signer.proofOfPossession;
    this.#options = options;
    const state = this.#state = new WatchedState(options.state, options);
    this.#rounds = new SignedRounds(state, options.clock);
    const context = { ...options, state };
    this.#logs = new Map(logs.map((log) => [log.origin, new FollowedLog(log, context)]));
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
  cosignedSize(): Promise<number> {
    return this.#logs.get(this.networkId)!.cosignedSize();
  }

  /** Reads what was signed before, which the first signature does otherwise; `storage_failed`. */
  load(): Promise<void> {
    return this.#rounds.load();
  }

  /**
   * The operator's latest releases of signed sequences, oldest first, at most 100. From memory; empty
   * before {@linkcode Witness.load}.
   */
  releases(): readonly Release[] {
    return this.#rounds.releases();
  }

  /** Why the state cannot be used at present, `storage_failed`; `undefined` while it can. */
  get storageFailure(): CountersignError | undefined {
    return this.#state.failure;
  }

  /**
   * Writes to the storage as signing does, durably; `storage_failed` when that fails. Calls at one
   * time share one check.
   */
  async checkStorage(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => this.#checking = undefined);
    try {
      await this.#checking;
    } catch (error) {
      throw this.#state.failure ?? error;
    }
  }

  /** Checks the storage again and again until `signal` aborts. */
  async watchStorage(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let isOver = false;
      void this.checkStorage().catch(() => {}).finally(() => isOver = true);
      await this.#options.clock.sleep(STORAGE_CHECK_MS, signal);
      if (isOver || signal.aborted) continue;
      this.#state.failed("write to the disk", `no answer within ${STORAGE_CHECK_MS} ms`);
    }
  }

  /**
   * The signature over a round, whose root is rebuilt here from the digests. The digests are durable
   * before it resolves. Rejects with `storage_failed` or, in this order of checks, `network_refused`,
   * `malformed_request` (size, range, duplicates), `time_refused`, `beacon_refused`
   * ({@linkcode checkBeacon}), and what {@linkcode SignedRounds.check} refuses.
   */
  async sign(request: RoundRequest): Promise<Bytes> {
    await this.#rounds.load();
    const cosigned = await this.cosignedSize();
    // No wait from here on: what is checked is what is remembered, and that is what is signed.
    const { networkId, timestamp, firstSequence: first, digests, beacon } = request;
    const { clock, beacons } = this.#options;
    if (networkId !== this.networkId) {
      throw refuse("network_refused", "sign round", `network ${this.networkId}`, "another");
    }
    checkDigests(first, digests);
    checkTime(clock, "sign round", timestamp);
    checkBeacon(beacons, beacon, timestamp);
    this.#rounds.check(first, digests, cosigned);
    const stored = this.#rounds.keep(first, digests, cosigned);
    // The signature is computed while the disk works. It leaves only when the digests are durable.
    const [, signature] = await Promise.all([stored, this.#signRound(request)]);
    return signature;
  }

  /**
   * The cosignature over a head that the log's key signed and that extends the last one, or the size
   * at which this witness stands when that is not `oldSize`. Rejects, in this order of checks, with
   * `network_refused`, `log_signature_refused`, `time_refused`, `malformed_request` (a shrinking
   * tree), `consistency_refused`, or `storage_failed`: whether the head was stored is then unknown,
   * and nothing was signed. Requests for one log are decided one after another, those of gateways
   * before those of strangers.
   */
  async cosign(request: CosignRequest, caller: Caller = "gateway"): Promise<CosignAnswer> {
    const log = this.#logs.get(request.treeHead.network_id);
    if (log !== undefined) return await log.cosign(request, caller);
    throw refuse("network_refused", "cosign tree head", "an origin that is followed", "another");
  }

  #checkOnce(): Promise<void> {
    return this.#state.check(async () => {
      await this.#rounds.load();
      await this.cosignedSize();
      await this.#state.probe();
      await this.#rounds.flush();
    });
  }

  // An asynchronous function, so that what it throws is a rejection.
  // deno-lint-ignore require-await
  async #signRound({ networkId, timestamp, firstSequence, digests, beacon }: RoundRequest) {
    const { signer, buildRoundTree } = this.#options;
    const { root } = buildRoundTree({ networkId, timestamp, first: firstSequence, digests });
    return signer.sign(utf8(encodeRoundMessage({
      network_id: networkId,
      timestamp,
      size: digests.length / HASH_LENGTH,
      root: hexOf(root),
      beacon,
    })));
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
