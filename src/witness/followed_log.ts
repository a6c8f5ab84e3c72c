/**
 * Cosigns the heads of one log (protocol.md "Witness", c2sp.org/tlog-witness).
 *
 * The witness signs only the stored head. It stores a larger head before it signs it. It signs the
 * stored head again (a refresh) without a write: only the size and the root must survive a crash,
 * since later refusals depend on them. The stored time is that of the first cosignature over the
 * stored head and serves to warn of a clock that was set back. Refreshes keep a later time in memory.
 *
 * The epoch is stored with the head. A head without an epoch is of epoch 0. Once an epoch has ended, its
 * last head is signed again, and nothing else is until the next epoch begins.
 *
 * @module
 */

import { type Bytes, equalBytes } from "../base/bytes.ts";
import { type Clock, unixSeconds } from "../base/clock.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { CountersignError, type ErrorCode } from "../base/errors.ts";
import { type Note, parseNote } from "../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey } from "../proof/format/note_key.ts";
import { encodeNote, noteSignature } from "../proof/format/note_writer.ts";
import type { CosignAnswer, CosignRequest } from "../proof/format/witness_request.ts";
import { MAX_SECONDS_AHEAD } from "../proof/format/witness_request.ts";
import { encodeCheckpointBody, type TreeHead } from "../proof/format/tree_head.ts";
import { CosignedHead, type CurrentHead } from "./cosigned_head.ts";
import { type Caller, OriginQueue } from "./origin_queue.ts";
import { LogKeys } from "./log_keys.ts";
import { checkEpoch, checkGrowth, extendsTree, type Tree } from "./growth_rule.ts";
import type {
  LogPosition,
  WitnessedEpoch,
  WitnessedHead,
  WitnessedLog,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { checkTime } from "./time_rule.ts";
import { TreeSigner, type WitnessKeys } from "./tree_signer.ts";

/** Attempts before `storage_failed`. Only another process on the same state can change a row meanwhile. */
const MAX_SWAPS = 16;

export interface CosigningContext extends WitnessKeys {
  readonly state: WitnessState;
  readonly clock: Clock;
  readonly kernels: Kernels;
  readonly report: (warning: WitnessWarning) => void;
}

/** A head that ends or begins an epoch. */
export interface EpochBoundary {
  readonly treeHead: TreeHead;
  /** Where `consistencyPath` begins; must be the size that the witness cosigned last. */
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
  /** The epoch of the head, given the current one; throws if it may not be stored. */
  readonly next: (current: WitnessedEpoch) => WitnessedEpoch;
}

/** A checkpoint to cosign at a time. */
export interface Proposal {
  /** Signed by the log, and perhaps by others. */
  readonly note: Note;
  /** Size and root of the note. */
  readonly tree: Tree;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly oldSize: number;
  readonly consistencyPath: readonly Bytes[];
  /** The epoch that the caller names; strangers name none. */
  readonly epoch?: number;
}

const FIRST_EPOCH: WitnessedEpoch = { number: 0 };

export class FollowedLog {
  readonly log: WitnessedLog;
  readonly signer: TreeSigner;
  readonly #knownKeys: LogKeys;
  readonly #origin: string;
  readonly #context: CosigningContext;
  readonly #head: CosignedHead;
  readonly #queue = new OriginQueue();
  /** Attempts to store a boundary, counted when they begin and when they end: odd during one. */
  #boundaryMarks = 0;

  constructor(log: WitnessedLog, context: CosigningContext) {
    const { origin, keys, start } = log;
    this.log = log;
    this.#knownKeys = new LogKeys(keys);
    this.signer = new TreeSigner(origin, context);
    this.#origin = origin;
    this.#context = context;
    this.#head = new CosignedHead(context.state, { origin, ...(start && { start }) });
  }

  /** The head last cosigned, if any; `storage_failed`. */
  async cosignedHead(): Promise<WitnessedHead | undefined> {
    return (await this.#read()).head;
  }

  /** `storage_failed`. */
  async position(): Promise<LogPosition> {
    const boundaryMarks = this.#boundaryMarks;
    const { head } = await this.#read();
    return { size: head?.size ?? 0, epoch: head?.epoch ?? FIRST_EPOCH, boundaryMarks };
  }

  /**
   * False while a boundary is being stored, and if one may have been since `position` was read: then
   * no round may be signed. Synchronous.
   */
  isPresent({ boundaryMarks }: LogPosition): boolean {
    return boundaryMarks === this.#boundaryMarks && boundaryMarks % 2 === 0;
  }

  /**
   * Stores the head at which an epoch ends or begins, in one commit with the epoch. Undefined, or the
   * last cosigned size when it is not `oldSize`. Rejects with `consistency_refused`, `storage_failed`,
   * and what `next` throws.
   */
  storeBoundary(boundary: EpochBoundary): Promise<number | undefined> {
    return this.#queue.run("gateway", async () => {
      this.#boundaryMarks++;
      try {
        return await this.#storeBoundary(boundary);
      } finally {
        this.#boundaryMarks++;
      }
    });
  }

  async #storeBoundary(boundary: EpochBoundary): Promise<number | undefined> {
    const { treeHead, oldSize, consistencyPath } = boundary;
    for (let swap = 0; swap < MAX_SWAPS; swap++) {
      const current = await this.#read();
      const size = current.head?.size ?? 0;
      const before = current.head?.epoch ?? FIRST_EPOCH;
      const epoch = boundary.next(before);
      const root = Uint8Array.fromHex(treeHead.root_hash);
      const head = { size: treeHead.tree_size, root, timestamp: treeHead.timestamp, epoch };
      if (epoch === before && size === head.size && equalBytes(root, current.head!.root)) {
        return undefined;
      }
      // The log has the succession perhaps twice: its epoch ends at one of the two.
      if (epoch === before && before.endedBy !== undefined) {
        throw refuse("epoch_mismatch", `the epoch has ended at size ${size}, with another tree`);
      }
      if (size !== oldSize) return size;
      if (!extendsTree(this.#context.kernels, current.head, head, consistencyPath)) {
        throw refuse(
          "consistency_refused",
          `the proof does not show that it extends the head of size ${size}`,
        );
      }
      if (await this.#head.replace(current, head)) {
        this.#enter(epoch);
        return undefined;
      }
    }
    throw refuse(
      "storage_failed",
      `another process changed the state during each of ${MAX_SWAPS} attempts`,
    );
  }

  async #read(): Promise<CurrentHead> {
    const current = await this.#head.read();
    this.#enter(current.head?.epoch);
    return current;
  }

  get #keys(): LogKeys {
    const key = this.log.presentKey?.();
    if (key !== undefined) this.#knownKeys.replace(key);
    return this.#knownKeys;
  }

  #enter(epoch: WitnessedEpoch | undefined): void {
    const publicKey = epoch?.logKey;
    if (publicKey === undefined) return;
    this.#keys.replace({ name: this.#origin, type: NOTE_TYPE.ed25519, publicKey });
  }

  /** See `Witness.cosign()`, which finds the log by its origin. */
  async cosign(request: CosignRequest, caller: Caller): Promise<CosignAnswer> {
    const { treeHead: { tree_size: size, root_hash, timestamp }, ...rest } = request;
    const note = this.#noteOf(request);
    const tree = { size, root: Uint8Array.fromHex(root_hash) };
    return await this.propose({ ...rest, note, tree, timestamp }, caller);
  }

  /**
   * Cosigns the whole text of a note, extension lines included. Before it stores a larger head, it calls
   * `charge`, which may refuse. Only requests that the log signed use up its quota.
   */
  async propose(proposal: Proposal, caller: Caller, charge?: () => void): Promise<CosignAnswer> {
    const { note, tree, timestamp, oldSize } = proposal;
    this.#keys.check(note);
    checkTime(this.#context.clock, "cosign tree head", timestamp);
    if (oldSize > tree.size) {
      throw refuse("malformed_request", `old_size ${oldSize} exceeds the size`);
    }
    const refused = await this.#queue.run(caller, () => this.#decide(proposal, caller, charge));
    if (refused !== undefined) return refused;
    // The head is durable: no later request can obtain a signature that contradicts this one.
    return { kind: "cosigned", ...await this.signer.sign(timestamp, note.text, tree) };
  }

  /**
   * Answers a checkpoint of a tree that is too large to verify a proof to it, by the order of the other
   * rules. It is well formed: what is missing is a proof.
   */
  async refuseLarge(note: Note, oldSize: number): Promise<CosignAnswer> {
    this.#keys.check(note);
    const { head } = await this.#read();
    const size = head?.size ?? 0;
    if (size !== oldSize) return { kind: "size_conflict", size };
    throw refuse("consistency_refused", "no proof is verified to a tree of 2^53 leaves or more");
  }

  /**
   * The checkpoint that was cosigned last, with the log's signatures and the cosignatures of `key` and the
   * ML-DSA-44 key; after a restart, the first ones over it. Undefined if there is none; `storage_failed`.
   */
  async checkpoint(key: NoteKey): Promise<string | undefined> {
    const { head } = await this.#read();
    if (head?.checkpoint === undefined) return undefined;
    const { timestamp, checkpoint } = head;
    const { text, signatures } = parseNote(checkpoint);
    const signed = await this.signer.sign(timestamp, text, head);
    const lines = this.signer.lines(key, timestamp, signed);
    return encodeNote({ text, signatures: [...signatures, ...lines] });
  }

  /** Decides whether the head may be signed: undefined once it is stored, or the size that it must grow from. */
  async #decide(
    proposal: Proposal,
    caller: Caller,
    charge?: () => void,
  ): Promise<CosignAnswer | undefined> {
    const { note, tree, timestamp, oldSize, consistencyPath, epoch: named = 0 } = proposal;
    const { kernels } = this.#context;
    for (let swap = 0; swap < MAX_SWAPS; swap++) {
      const current = await this.#read();
      // The epoch, and with it the log's key, may have changed while the request waited.
      const next = { ...tree, timestamp, checkpoint: encodeNote(this.#keys.check(note)) };
      this.#warnOfTime(current.head);
      const size = current.head?.size ?? 0;
      const epoch = current.head?.epoch ?? FIRST_EPOCH;
      // Strangers have no epoch to name: they get cosignatures of the present one.
      if (caller === "gateway") checkEpoch(epoch, named, "cosign tree head");
      if (size !== oldSize) return { kind: "size_conflict", size };
      if (!extendsTree(kernels, current.head, next, consistencyPath)) {
        throw refuse(
          "consistency_refused",
          `the proof does not show that it extends the head of size ${size}`,
        );
      }
      const isRefresh = current.head?.size === next.size &&
        equalBytes(current.head.root, next.root);
      if (!isRefresh) {
        checkGrowth(epoch, "cosign tree head");
        if (swap === 0) charge?.();
      }
      if (isRefresh && this.signer.hasSigned(timestamp, note.text)) return;
      const isStored = isRefresh && current.head.checkpoint !== undefined
        ? await this.#head.confirm(current, next)
        : await this.#head.replace(current, { ...next, ...epochOf(current.head) });
      if (isStored) return;
    }
    throw refuse(
      "storage_failed",
      `another process changed the state during each of ${MAX_SWAPS} attempts`,
    );
  }

  /** `log_signature_refused`. */
  checkLogSignature(request: CosignRequest): void {
    this.#keys.check(this.#noteOf(request));
  }

  /** A gateway names no key: its log has one. */
  #noteOf({ treeHead, logSignature }: CosignRequest): Note {
    const signature = noteSignature(this.#keys.first, logSignature);
    return { text: encodeCheckpointBody(treeHead), signatures: [signature] };
  }

  #warnOfTime(head: WitnessedHead | undefined): void {
    const { clock, report } = this.#context;
    const now = unixSeconds(clock);
    // The time rule accepts heads that are ahead by as much.
    if (head !== undefined && head.timestamp > now + MAX_SECONDS_AHEAD) {
      report({
        kind: "stored_time_ahead",
        origin: this.#origin,
        storedTimestamp: head.timestamp,
        now,
      });
    }
  }
}

function epochOf(head: WitnessedHead | undefined): Pick<WitnessedHead, "epoch"> {
  return head?.epoch === undefined ? {} : { epoch: head.epoch };
}

function refuse(code: ErrorCode, reason: string): CountersignError {
  return new CountersignError(code, `Cannot cosign tree head: ${reason}`);
}
