/**
 * Cosigning the heads of one log (protocol.md "Witness", c2sp.org/tlog-witness).
 *
 * The witness returns a signature only over the stored head. It stores a larger head before it
 * signs it. It signs the stored head again (a refresh) without a write: only the size and the root
 * must survive a crash, since later refusals depend on them. The stored time is that of the first
 * cosignature over the stored head; it serves to warn of a clock that was set back, and refreshes
 * keep a later one in memory alone.
 *
 * @module
 */

import { type Bytes, equalBytes, utf8 } from "../bytes.ts";
import { type Clock, unixSeconds } from "../clock.ts";
import { verifyNative } from "../crypto/ed25519_native.ts";
import type { Kernels } from "../crypto/kernels.ts";
import { encodeCheckpointBody, encodeCosignatureMessage } from "../format/tree_head.ts";
import { RecentlyUsed } from "../recently_used.ts";
import { CosignedHead } from "./cosigned_head.ts";
import { extendsTree } from "./growth.ts";
import { type Caller, OriginQueue } from "./origin_queue.ts";
import type {
  CosignAnswer,
  CosignRequest,
  WitnessedHead,
  WitnessedLog,
  WitnessSigner,
  WitnessState,
  WitnessWarning,
} from "./ports.ts";
import { checkTime, MAX_SECONDS_AHEAD, refuse } from "./refusal.ts";

/**
 * Swaps and reads that find a changed row before a cosignature is refused. Only another process on
 * the same state can change a row in between.
 */
const MAX_SWAPS = 16;

/** Recent signatures that are kept for repeated requests. */
const KEPT_SIGNATURES = 16;

/** What cosigning works with. */
export interface CosigningContext {
  readonly signer: WitnessSigner;
  readonly state: WitnessState;
  readonly clock: Clock;
  readonly kernels: Kernels;
  readonly report: (warning: WitnessWarning) => void;
}

/** See the module. */
export class FollowedLog {
  /** The log's key. */
  readonly publicKey: Bytes;
  readonly #origin: string;
  readonly #context: CosigningContext;
  readonly #head: CosignedHead;
  readonly #queue = new OriginQueue();
  /** By the text that was signed. */
  readonly #signatures = new RecentlyUsed<string, Bytes>(KEPT_SIGNATURES);
  /** The checkpoint body whose log signature was verified last, with that signature. */
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

  /** See `Witness.cosign()`, which has done the first check. */
  cosign(request: CosignRequest, caller: Caller): Promise<CosignAnswer> {
    const { treeHead, oldSize } = request;
    this.#checkLogSignature(request);
    checkTime(this.#context.clock, "cosign tree head", treeHead.timestamp);
    if (oldSize > treeHead.tree_size) {
      throw refuse("malformed_request", "cosign tree head", "an old_size up to the size", "more");
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
      const standing = await this.#head.read();
      this.#warnOfTime(standing.head);
      const size = standing.head?.size ?? 0;
      if (size !== oldSize) return { kind: "size_conflict", size };
      if (!extendsTree(kernels, standing.head, next, consistencyPath)) {
        throw refuse(
          "consistency_refused",
          "cosign tree head",
          `a proof that it extends the head of size ${size}`,
          "none that holds",
        );
      }
      const isRefresh = standing.head?.size === next.size &&
        equalBytes(standing.head.root, next.root);
      // Signatures are deterministic: the same text again has the same signature again.
      const signed = isRefresh ? this.#signatures.get(message) : undefined;
      if (signed !== undefined) return { kind: "cosigned", signature: signed };
      const stands = isRefresh
        ? await this.#head.confirm(standing, next.timestamp)
        : await this.#head.replace(standing, next);
      if (stands) {
        // The point of no return: the head is durable, so no later request can make this signature
        // one of two that disagree. No signature is returned before this point.
        const signature = signer.sign(utf8(message));
        this.#signatures.set(message, signature);
        return { kind: "cosigned", signature };
      }
    }
    throw refuse("storage_failed", "cosign tree head", "a settled state", `${MAX_SWAPS} changes`);
  }

  #checkLogSignature({ treeHead, logSignature }: CosignRequest): void {
    const body = encodeCheckpointBody(treeHead);
    const last = this.#verified;
    if (last?.body === body && equalBytes(last.signature, logSignature)) return;
    if (!verifyNative(this.publicKey, utf8(body), logSignature)) {
      throw refuse(
        "log_signature_refused",
        "cosign tree head",
        "a signature by the log's key",
        "another",
      );
    }
    this.#verified = { body, signature: logSignature };
  }

  #warnOfTime(head: WitnessedHead | undefined): void {
    const { clock, report } = this.#context;
    const now = unixSeconds(clock);
    // A head may be cosigned with a time that is ahead by as much as the rule admits.
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
