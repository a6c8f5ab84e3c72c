/**
 * Cosigns the heads of one log (protocol.md "Witness", c2sp.org/tlog-witness).
 *
 * The witness signs only the stored head. It stores a larger head before it signs it. It signs the
 * stored head again (a refresh) without a write: only the size and the root must survive a crash,
 * since later refusals depend on them. The stored time is that of the first cosignature over the
 * stored head and serves to warn of a clock that was set back. Refreshes keep a later time in memory.
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { CountersignError, type ErrorCode } from "../errors.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import { verifyConsistency } from "../merkle/proof.ts";
import { emptyRoot } from "../merkle/tree.ts";
import { RecentlyUsed } from "../recently_used.ts";
import { CosignedHead } from "./cosigned_head.ts";
import type {
  CosignAnswer,
  CosignRequest,
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

/** Who asks for a cosignature: a gateway with its token, or anyone with a checkpoint. */
export type Caller = "gateway" | "stranger";

export interface CosigningContext {
  readonly signer: WitnessSigner;
  readonly state: WitnessState;
  readonly clock: Clock;
  readonly kernels: Kernels;
  readonly report: (warning: WitnessWarning) => void;
}

export class FollowedLog {
  /** The log's key. */
  readonly publicKey: Bytes;
  readonly #origin: string;
  readonly #context: CosigningContext;
  readonly #head: CosignedHead;
  readonly #queue = new OriginQueue();
  /** By the signed text. */
  readonly #signatures = new RecentlyUsed<string, Bytes>(MAX_SIGNATURES);
  /** The checkpoint body and log signature that were verified last. */
  #verified: { readonly body: string; readonly signature: Bytes } | undefined;

  constructor({ origin, publicKey }: WitnessedLog, context: CosigningContext) {
    this.publicKey = publicKey;
    this.#origin = origin;
    this.#context = context;
    this.#head = new CosignedHead(context.state, origin);
  }

  /** The size last cosigned, 0 when none; `storage_failed`. */
  async cosignedSize(): Promise<number> {
    const { head } = await this.#head.read();
    return head?.size ?? 0;
  }

  /** See `Witness.cosign()`, which finds the log by its origin. */
  cosign(request: CosignRequest, caller: Caller): Promise<CosignAnswer> {
    const { treeHead, oldSize } = request;
    this.#checkLogSignature(request);
    checkTime(this.#context.clock, "cosign tree head", treeHead.timestamp);
    if (oldSize > treeHead.tree_size) {
      throw refuse("malformed_request", `old_size ${oldSize} exceeds the size`);
    }
    return this.#queue.run(caller, () => this.#decide(request));
  }

  async #decide({ treeHead, oldSize, consistencyPath }: CosignRequest): Promise<CosignAnswer> {
    const { kernels, signer } = this.#context;
    const next: WitnessedHead = {
      size: treeHead.tree_size,
      root: Uint8Array.fromHex(treeHead.root_hash),
      timestamp: treeHead.timestamp,
    };
    const message = encodeCosignatureMessage(treeHead);
    for (let swap = 0; swap < MAX_SWAPS; swap++) {
      const current = await this.#head.read();
      this.#warnOfTime(current.head);
      const size = current.head?.size ?? 0;
      if (size !== oldSize) return { kind: "size_conflict", size };
      if (!extendsTree(kernels, current.head, next, consistencyPath)) {
        throw refuse(
          "consistency_refused",
          `the proof does not show that it extends the head of size ${size}`,
        );
      }
      const isRefresh = current.head?.size === next.size &&
        equalBytes(current.head.root, next.root);
      // Signatures are deterministic, so a cached one is the one that signing would give.
      const signed = isRefresh ? this.#signatures.get(message) : undefined;
      if (signed !== undefined) return { kind: "cosigned", signature: signed };
      const isStored = isRefresh
        ? await this.#head.confirm(current, next.timestamp)
        : await this.#head.replace(current, next);
      if (isStored) {
        // The head is durable from here on, so no later request can obtain a signature that
        // contradicts this one. No signature is returned before this point.
        const signature = signer.sign(utf8(message));
        this.#signatures.set(message, signature);
        return { kind: "cosigned", signature };
      }
    }
    throw refuse(
      "storage_failed",
      `another process changed the state during each of ${MAX_SWAPS} attempts`,
    );
  }

  #checkLogSignature({ treeHead, logSignature }: CosignRequest): void {
    const body = encodeCheckpointBody(treeHead);
    const last = this.#verified;
    if (last?.body === body && equalBytes(last.signature, logSignature)) return;
    if (!verifyNative(this.publicKey, utf8(body), logSignature)) {
      throw refuse("log_signature_refused", "the signature is not by the log's key");
    }
    this.#verified = { body, signature: logSignature };
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

/**
 * Runs the decisions about one log's heads one at a time, so that this process does not compete with
 * itself for the compare-and-swap of a row. Gateways go first; callers of one kind go in order.
 */
class OriginQueue {
  readonly #waiting: Readonly<Record<Caller, (() => void)[]>> = { gateway: [], stranger: [] };
  #isBusy = false;

  async run<T>(caller: Caller, step: () => Promise<T>): Promise<T> {
    if (this.#isBusy) await new Promise<void>((resolve) => this.#waiting[caller].push(resolve));
    this.#isBusy = true;
    try {
      return await step();
    } finally {
      const { gateway, stranger } = this.#waiting;
      const next = gateway.shift() ?? stranger.shift();
      // The queue stays busy while it is handed over, or a new caller could overtake the next one.
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }
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
