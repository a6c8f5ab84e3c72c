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

import { type Bytes, equalBytes, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import {
  encodeCheckpointBody,
  encodeCosignatureMessage,
  type TreeHead,
} from "../format/tree_head.ts";
import { verifyConsistency } from "../merkle/proof.ts";
import { emptyRoot } from "../merkle/tree.ts";
import { RecentlyUsed } from "../recently_used.ts";
import { CosignedHead, type CurrentHead } from "./cosigned_head.ts";
import { type Caller, OriginQueue } from "./origin_queue.ts";
import type {
  CosignAnswer,
  CosignRequest,
  LogPosition,
  WitnessedEpoch,
  WitnessedHead,
  WitnessedLog,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { checkTime, MAX_SECONDS_AHEAD } from "./time_rule.ts";

/** Attempts before `storage_failed`. Only another process on the same state can change a row meanwhile. */
const MAX_SWAPS = 16;

/** Recent signatures in memory, for repeated requests. */
const MAX_SIGNATURES = 16;

export interface CosigningContext {
  readonly signer: WitnessSigner;
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

const FIRST_EPOCH: WitnessedEpoch = { number: 0 };

export class FollowedLog {
  /** The log's key in the epoch of the head that was read last. */
  publicKey: Bytes;
  readonly #origin: string;
  readonly #context: CosigningContext;
  readonly #head: CosignedHead;
  readonly #queue = new OriginQueue();
  /** By the signed text. */
  readonly #signatures = new RecentlyUsed<string, Bytes>(MAX_SIGNATURES);
  /** Attempts to store a boundary, counted when they begin and when they end: odd during one. */
  #boundaryMarks = 0;
  /** The checkpoint body and log signature that were verified last. */
  #verified:
    | { readonly body: string; readonly signature: Bytes; readonly publicKey: Bytes }
    | undefined;

  constructor({ origin, publicKey }: WitnessedLog, context: CosigningContext) {
    this.publicKey = publicKey;
    this.#origin = origin;
    this.#context = context;
    this.#head = new CosignedHead(context.state, origin);
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
      if (size !== oldSize) return size;
      if (!extendsTree(this.#context.kernels, current.head, head, consistencyPath)) {
        throw refuse(
          "consistency_refused",
          `the proof does not show that it extends the head of size ${size}`,
        );
      }
      if (await this.#head.replace(current, head)) {
        this.publicKey = epoch.logKey ?? this.publicKey;
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
    this.publicKey = current.head?.epoch?.logKey ?? this.publicKey;
    return current;
  }

  /** See `Witness.cosign()`, which finds the log by its origin. */
  async cosign(request: CosignRequest, caller: Caller): Promise<CosignAnswer> {
    const { treeHead, oldSize } = request;
    this.checkLogSignature(request);
    checkTime(this.#context.clock, "cosign tree head", treeHead.timestamp);
    if (oldSize > treeHead.tree_size) {
      throw refuse("malformed_request", `old_size ${oldSize} exceeds the size`);
    }
    const refused = await this.#queue.run(caller, () => this.#decide(request, caller));
    if (refused !== undefined) return refused;
    // The head is durable: no later request can obtain a signature that contradicts this one.
    const message = encodeCosignatureMessage(treeHead);
    // Signatures are deterministic, so a cached one is the one that signing would give.
    const signature = this.#signatures.get(message) ??
      await this.#context.signer.sign(utf8(message));
    this.#signatures.set(message, signature);
    return { kind: "cosigned", signature };
  }

  /** Decides whether the head may be signed: undefined once it is stored, or the size that it must grow from. */
  async #decide(
    request: CosignRequest,
    caller: Caller,
  ): Promise<CosignAnswer | undefined> {
    const { treeHead, oldSize, consistencyPath, epoch: named = 0 } = request;
    const { kernels } = this.#context;
    const next: WitnessedHead = {
      size: treeHead.tree_size,
      root: Uint8Array.fromHex(treeHead.root_hash),
      timestamp: treeHead.timestamp,
    };
    for (let swap = 0; swap < MAX_SWAPS; swap++) {
      const current = await this.#read();
      // The epoch, and with it the log's key, may have changed while the request waited.
      this.checkLogSignature(request);
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
      if (!isRefresh) checkGrowth(epoch, "cosign tree head");
      if (isRefresh && this.#signatures.get(encodeCosignatureMessage(treeHead)) !== undefined) {
        return;
      }
      const isStored = isRefresh
        ? await this.#head.confirm(current, next.timestamp)
        : await this.#head.replace(current, { ...next, ...(epoch.number > 0 && { epoch }) });
      if (isStored) return;
    }
    throw refuse(
      "storage_failed",
      `another process changed the state during each of ${MAX_SWAPS} attempts`,
    );
  }

  /** `log_signature_refused`. */
  checkLogSignature({ treeHead, logSignature }: CosignRequest): void {
    const body = encodeCheckpointBody(treeHead);
    const last = this.#verified;
    const isKnown = last?.body === body && equalBytes(last.publicKey, this.publicKey);
    if (isKnown && equalBytes(last.signature, logSignature)) return;
    if (!verifyNative(this.publicKey, utf8(body), logSignature)) {
      throw refuse("log_signature_refused", "the signature is not by the log's key");
    }
    this.#verified = { body, signature: logSignature, publicKey: this.publicKey };
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

/** `epoch_mismatch` unless `epoch` is number `named`. */
export function checkEpoch(epoch: WitnessedEpoch, named: number, action: string): void {
  if (epoch.number === named) return;
  throw new CountersignError(
    "epoch_mismatch",
    `Cannot ${action}: it names epoch ${named}, and this witness signs in epoch ${epoch.number}`,
  );
}

/** `epoch_mismatch` if `epoch` has ended. */
export function checkGrowth({ number, endedBy }: WitnessedEpoch, action: string): void {
  if (endedBy === undefined) return;
  throw new CountersignError(
    "epoch_mismatch",
    `Cannot ${action}: this witness has ended epoch ${number} and waits for the next one to begin`,
  );
}

type Tree = Pick<WitnessedHead, "size" | "root">;

/**
 * True when `path` shows that `to` extends `from` (RFC 9162 section 2.1.4.2). With an empty path,
 * every tree extends the empty one and itself.
 */
function extendsTree(
  kernels: Kernels,
  from: Tree | undefined,
  to: Tree,
  path: readonly Bytes[],
): boolean {
  if (from === undefined || from.size === 0) {
    return path.length === 0 && (to.size > 0 || equalBytes(to.root, emptyRoot(kernels)));
  }
  return verifyConsistency(kernels, {
    first: from.size,
    second: to.size,
    firstRoot: from.root,
    secondRoot: to.root,
    path,
  });
}

function refuse(code: ErrorCode, reason: string): CountersignError {
  return new CountersignError(code, `Cannot cosign tree head: ${reason}`);
}
