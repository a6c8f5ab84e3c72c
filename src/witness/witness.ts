/**
 * A witness: signs rounds and cosigns tree heads (protocol.md "Witness").
 *
 * @module
 */

import { type Bytes, HASH_LENGTH, utf8 } from "../base/bytes.ts";
import { type Clock, SLEEP_OVER } from "../base/clock.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError } from "../base/errors.ts";
import type { MlDsaKeySigner } from "../proof/crypto/key_signer.ts";
import type { AddCheckpoint } from "../proof/format/add_checkpoint.ts";
import { encodeVkey } from "../proof/format/note_key.ts";
import { encodeRoundMessage } from "../proof/format/round.ts";
import type { SignSubtree } from "../proof/format/sign_subtree.ts";
import type { SignatureScheme } from "../proof/format/signature_set.ts";
import {
  type CosignAnswer,
  type CosignRequest,
  type EpochBeginAnswer,
  type EpochBeginRequest,
  type EpochEndRequest,
  type EpochState,
  MAX_ROUNDS_LISTED,
  MAX_SECONDS_BEHIND,
  MAX_SECONDS_VOUCHED,
  type RoundRequest,
  type RoundText,
  type WitnessReach,
} from "../proof/format/witness_request.ts";
import type { RoundTree, RoundTreeBuilder } from "../proof/merkle/round_tree.ts";
import { type BeaconRule, checkBeacon } from "./beacon_rule.ts";
import { checkDigests, refuseRound } from "./round_digests.ts";
import { Checkpoints } from "./checkpoints.ts";
import { FollowedLog } from "./followed_log.ts";
import { MlDsaCosigner } from "./ml_dsa_cosigner.ts";
import type { Caller } from "./origin_queue.ts";
import { EpochSteps, type SuccessionRule } from "./epoch_steps.ts";
import type {
  AddCheckpointAnswer,
  ChargeLog,
  Release,
  WitnessedLog,
  WitnessedRound,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { SignedRounds } from "./signed_rounds.ts";
import { checkTime } from "./time_rule.ts";
import { isVouched, type VouchRule } from "./vouching.ts";
import { WatchedState } from "./watched_state.ts";

/** A witness checks its storage this often. A check that takes longer counts as failed. */
const STORAGE_CHECK_MS = 10_000;

export interface WitnessOptions {
  /** C2SP key name. */
  readonly id: string;
  /** The network whose rounds the witness signs: the origin of one of `logs`. */
  readonly networkId: string;
  readonly signer: WitnessSigner;
  /** A further key, which also cosigns tree heads. Only beside an `ed25519` key. */
  readonly mlDsa?: MlDsaKeySigner | undefined;
  /** Distinct origins. */
  readonly logs: readonly WitnessedLog[];
  /** Reads the logs that strangers may submit besides; an unchanged list is the same value. */
  readonly furtherLogs?: () => Promise<readonly WitnessedLog[]>;
  /** Limits what strangers may have cosigned of each log. */
  readonly chargeLog?: ChargeLog;
  readonly state: WitnessState;
  readonly clock: Clock;
  readonly kernels: Kernels;
  readonly buildRoundTree: RoundTreeBuilder;
  readonly beacons: BeaconRule;
  /** Absent if the witness is never armed with a succession. */
  readonly succession?: SuccessionRule;
  /** Absent if the witness does not know the others of its network: then no old round is signed. */
  readonly vouching?: VouchRule;
  readonly report: (warning: WitnessWarning) => void;
}

/**
 * One witness: its key, the logs that it follows, and its state. All methods may run concurrently;
 * their errors are CountersignErrors.
 */
export class Witness {
  readonly id: string;
  readonly networkId: string;
  readonly scheme: SignatureScheme;
  readonly publicKey: Bytes;
  /** Only with a `bls` key. */
  readonly proofOfPossession: Bytes | undefined;
  /** C2SP verifier key of the ML-DSA-44 key. */
  readonly mlDsaVkey: string | undefined;
  readonly #options: WitnessOptions;
  /** By origin. */
  readonly #logs: ReadonlyMap<string, FollowedLog>;
  readonly #state: WatchedState;
  readonly #rounds: SignedRounds;
  readonly #steps: EpochSteps;
  readonly #checkpoints: Checkpoints;
  /** The storage check in progress. */
  #checking: Promise<void> | undefined;

  /** `invalid_configuration` when the network is not one of the logs, or two logs have one origin. */
  constructor(options: WitnessOptions) {
    const { mlDsa: mlDsaSigner, ...others } = options;
    const { id, networkId, signer, logs } = others;
    this.id = id;
    this.networkId = networkId;
    this.scheme = signer.scheme;
    this.publicKey = signer.publicKey;
    this.proofOfPossession = signer.proofOfPossession;
    this.#options = options;
    const state = this.#state = new WatchedState(options.state, options);
    this.#rounds = new SignedRounds(state, options.clock);
    const mlDsa = mlDsaSigner && new MlDsaCosigner(id, mlDsaSigner);
    this.mlDsaVkey = mlDsa && encodeVkey(mlDsa.key);
    const context = { ...others, state, ...(mlDsa && { mlDsa }) };
    this.#logs = new Map(logs.map((log) => [log.origin, new FollowedLog(log, context)]));
    if (!this.#logs.has(networkId) || this.#logs.size !== logs.length) {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot make witness: its logs are not distinct, or ${networkId} is not among them`,
      );
    }
    if (mlDsa !== undefined && signer.scheme !== "ed25519") {
      throw new CountersignError(
        "invalid_configuration",
        `Cannot make witness ${id}: an ML-DSA-44 key needs an ed25519 key besides it`,
      );
    }
    this.#checkpoints = new Checkpoints(this.#logs, context);
    this.#steps = new EpochSteps(this.#logs.get(networkId)!, this.#rounds, options);
  }

  /** The last cosigned size of the witness's own network, 0 when none; `storage_failed`. */
  async cosignedSize(): Promise<number> {
    return (await this.#logs.get(this.networkId)!.cosignedHead())?.size ?? 0;
  }

  /** Loads the signed rounds and heads; otherwise the first signature does. `storage_failed`. */
  async load(): Promise<void> {
    await this.#rounds.load();
    for (const log of this.#logs.values()) await log.cosignedHead();
    await this.#steps.armed();
    // The first check of a long list takes seconds, in which nothing else is answered.
    await this.#options.furtherLogs?.();
  }

  /**
   * The operator's latest releases of signed sequences, oldest first, at most 100; empty before
   * {@linkcode Witness.load}.
   */
  releases(): readonly Release[] {
    return this.#rounds.releases();
  }

  /** The current failure of the storage, `storage_failed`; `undefined` when it works. */
  get storageFailure(): CountersignError | undefined {
    return this.#state.failure;
  }

  /**
   * Durably writes to the storage as signing does; `storage_failed`. Concurrent calls share one check.
   */
  async checkStorage(): Promise<void> {
    this.#checking ??= this.#checkOnce().finally(() => this.#checking = undefined);
    try {
      await this.#checking;
    } catch (error) {
      throw this.#state.failure ?? error;
    }
  }

  /** Checks the storage periodically until `signal` aborts; then waits for the check in progress. */
  async watchStorage(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted) {
      const checked = new AbortController();
      void this.checkStorage().catch(() => {}).finally(() => checked.abort(SLEEP_OVER));
      await clock.sleep(STORAGE_CHECK_MS, signal);
      // The state closes next, so a check must not be in progress; a disk may also never answer.
      if (signal.aborted) await clock.sleep(STORAGE_CHECK_MS, checked.signal);
      else if (!checked.signal.aborted) {
        this.#state.failed("write to the disk", `no answer within ${STORAGE_CHECK_MS} ms`);
      }
    }
  }

  /** Call before the state closes: failures are not reported from then on. */
  close(): void {
    this.#state.close();
  }

  /**
   * Signs a round, with the root rebuilt from its digests; a round that it signed before, again. The round
   * is durable before it resolves. Rejects with `storage_failed` or, in this order of checks,
   * `network_refused`, `epoch_mismatch`, `malformed_request` (size, range, duplicates), the codes of
   * {@linkcode SignedRounds.check}, `time_refused`, and `beacon_refused` ({@linkcode checkBeacon}). So
   * `time_refused` says that the witness has signed no text for any of the sequences.
   */
  async sign(request: RoundRequest): Promise<Bytes> {
    await this.#rounds.load();
    const behind = await this.#isVouched(request) ? MAX_SECONDS_VOUCHED : MAX_SECONDS_BEHIND;
    const position = await this.#logs.get(this.networkId)!.position();
    // No await from here to `add()`: no other round may come between the check and the memory.
    const { networkId, timestamp, firstSequence: first, digests, beacon } = request;
    const { clock, beacons } = this.#options;
    this.#checkNetwork(networkId);
    this.#steps.checkRound(position, request.epoch ?? 0);
    checkDigests(first, digests);
    const round = { first, digests, timestamp, beacon };
    let stored: Promise<void>;
    if (this.#rounds.check(round, position.size)) stored = this.#rounds.flush();
    else {
      checkTime(clock, "sign round", timestamp, behind);
      checkBeacon(beacons, beacon, timestamp);
      stored = this.#rounds.add(round);
    }
    // Sign while the disk writes. The signature leaves only when the round is durable.
    const [, signature] = await Promise.all([stored, this.#signRound(round)]);
    return signature;
  }

  /**
   * The first of the rounds that it signed and that end beyond sequence `from`, ascending, at most
   * {@linkcode MAX_ROUNDS_LISTED}. A gateway that starts proposes these again. `storage_failed`.
   */
  async roundsFrom(from: number): Promise<RoundText[]> {
    await this.#rounds.load();
    const rounds = this.#rounds.roundsFrom(from, MAX_ROUNDS_LISTED);
    // What could not be stored is not signed.
    await this.#rounds.flush();
    return rounds.map((round) => ({
      first: round.first,
      size: round.digests.length / HASH_LENGTH,
      timestamp: round.timestamp,
      beacon: round.beacon,
      root: this.#treeOf(round).root,
    }));
  }

  /**
   * Cosigns a head that the log's key signed and that extends the last one. Returns the last cosigned
   * size when it is not `oldSize`. Rejects, in this order of checks, with `network_refused`,
   * `log_signature_refused`, `time_refused`, `malformed_request` (a shrinking tree),
   * `consistency_refused`, or `storage_failed`: the head may then be stored, but nothing was signed.
   * Requests for one log are decided one at a time, gateways' requests first.
   */
  async cosign(request: CosignRequest, caller: Caller = "gateway"): Promise<CosignAnswer> {
    const log = this.#logs.get(request.treeHead.network_id);
    if (log !== undefined) return await log.cosign(request, caller);
    throw new CountersignError(
      "network_refused",
      "Cannot cosign tree head: this witness does not follow its origin",
    );
  }

  /** {@linkcode Checkpoints.add}. */
  addCheckpoint(request: AddCheckpoint, bytes = 0): Promise<AddCheckpointAnswer> {
    return this.#checkpoints.add(request, bytes);
  }

  /** {@linkcode Checkpoints.signSubtree}. */
  signSubtree(request: SignSubtree): Promise<string> {
    return this.#checkpoints.signSubtree(request);
  }

  /** {@linkcode Checkpoints.latest}. */
  checkpoint(originHash: string): Promise<string | undefined> {
    return this.#checkpoints.latest(originHash);
  }

  /** Where this witness stands among the epochs of its network; `storage_failed`. */
  epochState(): Promise<EpochState> {
    return this.#steps.state();
  }

  /** How far the witness has signed its own network's log; `storage_failed`, `store_corrupt`. */
  async reach(): Promise<WitnessReach> {
    await this.#rounds.load();
    const { end } = this.#rounds;
    // What could not be stored is not signed.
    await this.#rounds.flush();
    const head = await this.#logs.get(this.networkId)!.cosignedHead();
    const size = head?.size ?? 0;
    const signedEnd = Math.max(size, end);
    return { size, ...(head !== undefined && size > 0 && { root: head.root }), signedEnd };
  }

  /** {@linkcode EpochSteps.end}. */
  endEpoch(request: EpochEndRequest): Promise<CosignAnswer> {
    return this.#steps.end(request);
  }

  /** {@linkcode EpochSteps.begin}. */
  beginEpoch(request: EpochBeginRequest): Promise<EpochBeginAnswer> {
    return this.#steps.begin(request);
  }

  #checkOnce(): Promise<void> {
    return this.#state.check(async () => {
      await this.#rounds.load();
      await this.cosignedSize();
      await this.#state.probe();
      await this.#rounds.flush();
    });
  }

  #checkNetwork(networkId: string): void {
    if (networkId === this.networkId) return;
    throw refuseRound("network_refused", `this witness signs for ${this.networkId} only`);
  }

  /** Whether enough other witnesses signed the round of `request`. Only a round that is not new is asked about. */
  async #isVouched(request: RoundRequest): Promise<boolean> {
    const { vouching } = this.#options;
    const { vouchers = [], epoch = 0, networkId, firstSequence: first, digests } = request;
    const others = vouchers.filter(({ witness_id }) => witness_id !== this.id);
    if (others.length === 0) return false;
    this.#checkNetwork(networkId);
    checkDigests(first, digests);
    const network = await vouching?.network(epoch);
    if (network === undefined) return false;
    const message = this.#messageOf({ ...request, first });
    return await isVouched(vouching!.crypto, network, message, others);
  }

  // Asynchronous, so that an exception becomes a rejection.
  // deno-lint-ignore require-await
  async #signRound(round: WitnessedRound) {
    return this.#options.signer.sign(this.#messageOf(round));
  }

  #messageOf(round: WitnessedRound): Bytes {
    const { timestamp, digests, beacon } = round;
    return utf8(encodeRoundMessage({
      network_id: this.networkId,
      timestamp,
      size: digests.length / HASH_LENGTH,
      root: this.#treeOf(round).root.toHex(),
      beacon,
    }));
  }

  #treeOf({ first, timestamp, digests }: WitnessedRound): RoundTree {
    return this.#options.buildRoundTree({ networkId: this.networkId, timestamp, first, digests });
  }
}
