/**
 * The end and the beginning of an epoch (protocol.md "Witness"). Both need the finished succession that
 * the operator armed the witness with, and one commit that moves head and epoch together.
 *
 * Once the witness has ended an epoch, it signs no round and no head beyond the tree of that end, and no
 * other end; and it ends an epoch only if it has signed no round beyond the tree. So two quorums cannot
 * end one epoch at different trees, nor can one go on after another has ended it.
 *
 * @module
 */

import { hexOf, utf8 } from "../base/bytes.ts";
import type { Clock } from "../base/clock.ts";
import { leafHash } from "../proof/crypto/hashing.ts";
import { errorBuilder, type ErrorCode } from "../base/errors.ts";
import { encodeAttestation } from "../proof/format/attestation.ts";
import { parseVkey } from "../proof/format/note_key.ts";
import { encodeEpochEnd, type Succession, successionDigest } from "../proof/format/succession.ts";
import type { TrustCore } from "../proof/format/trust_core.ts";
import { verifyInclusion } from "../proof/merkle/proof.ts";
import { verifyLink, verifySuccession } from "../proof/verify/succession_link.ts";
import type { VerifierCrypto } from "../proof/verify/verifier_crypto.ts";
import type { FollowedLog } from "./followed_log.ts";
import { checkEpoch, checkGrowth } from "./growth_rule.ts";
import type {
  CosignAnswer,
  EpochBeginAnswer,
  EpochBeginRequest,
  EpochEndRequest,
  EpochState,
} from "../proof/format/witness_request.ts";
import type { LogPosition, WitnessSigner } from "./ports.ts";
import type { SignedRounds } from "./signed_rounds.ts";
import { checkTime } from "./time_rule.ts";

/** The succession that the operator armed the witness with. */
export interface SuccessionRule {
  /** Reads it; `undefined` if there is none now. */
  readonly armed: () => Promise<Succession | undefined>;
  readonly crypto: VerifierCrypto;
}

export interface EpochStepsContext {
  readonly id: string;
  readonly networkId: string;
  readonly signer: WitnessSigner;
  readonly clock: Clock;
  readonly succession?: SuccessionRule;
}

const refuse = (code: ErrorCode, action: "end" | "begin", reason: string) =>
  errorBuilder(code, `Cannot ${action} epoch`)(reason);

/** The epochs of a witness's own network. */
export class EpochSteps {
  readonly #log: FollowedLog;
  readonly #rounds: SignedRounds;
  readonly #context: EpochStepsContext;
  /** The epoch that this witness begins with, if the succession that it is armed with brings it in. */
  #firstEpoch = 0;

  constructor(log: FollowedLog, rounds: SignedRounds, context: EpochStepsContext) {
    this.#log = log;
    this.#rounds = rounds;
    this.#context = context;
  }

  /** The succession that the witness is armed with; reads it. */
  async armed(): Promise<Succession | undefined> {
    const succession = await this.#context.succession?.armed();
    if (succession === undefined) return undefined;
    const { predecessor, successor } = succession;
    if (successor !== null && !this.#isIn(predecessor) && this.#isIn(successor)) {
      this.#firstEpoch = successor.epoch;
    }
    return succession;
  }

  /** Rejects with `storage_failed`, and with what reading the succession does. */
  async state(): Promise<EpochState> {
    const armed = await this.armed();
    const { epoch } = await this.#log.position();
    return {
      epoch: epoch.number,
      ...(epoch.endedBy !== undefined && { ended: epoch.endedBy }),
      ...(armed !== undefined && { armed: successionDigest(armed) }),
    };
  }

  /** `epoch_mismatch` unless a round of the epoch `named` may be signed now. Synchronous. */
  checkRound(position: LogPosition, named: number): void {
    const { epoch } = position;
    checkEpoch(epoch, named, "sign round");
    checkGrowth(epoch, "sign round");
    if (named >= this.#firstEpoch && this.#log.isPresent(position)) return;
    checkGrowth({ ...epoch, endedBy: "" }, "sign round");
  }

  /**
   * Ends the epoch that `request` names at its tree, and signs that. Repeated requests for that tree get
   * the same signature; other trees are refused from then on (`epoch_mismatch`). Returns the last cosigned size when it is not `oldSize`. Rejects with `network_refused`,
   * `log_signature_refused`, `time_refused`, `epoch_mismatch`, `malformed_request` (the tree does not end
   * with the succession), `sequence_conflict` (a round beyond the tree is signed), `consistency_refused`,
   * `storage_failed` or `signer_unavailable`.
   */
  async end(request: EpochEndRequest): Promise<CosignAnswer> {
    const { signer, networkId, clock } = this.#context;
    const { treeHead, succession: digest, epoch: named = 0 } = request;
    if (treeHead.network_id !== networkId) {
      throw refuse("network_refused", "end", `this witness signs for ${networkId} only`);
    }
    await this.#rounds.load();
    await this.#log.position();
    this.#log.checkLogSignature(request);
    checkTime(clock, "end epoch", treeHead.timestamp);
    const armed = await this.#armedWith(digest, "end");
    const { predecessor } = armed;
    if (!this.#isIn(predecessor)) {
      throw refuse("epoch_mismatch", "end", "this witness is not in the configuration that ends");
    }
    if (predecessor.epoch !== named || treeHead.tree_size <= armed.tree_size) {
      throw refuse("epoch_mismatch", "end", "the succession is of another epoch or a later tree");
    }
    this.#checkLastLeaf(request);
    const size = await this.#log.storeBoundary({
      ...request,
      next: (current) => {
        checkEpoch(current, named, "end epoch");
        if (current.endedBy !== undefined && current.endedBy !== digest) {
          throw refuse("epoch_mismatch", "end", "another succession has ended it");
        }
        if (this.#rounds.end > treeHead.tree_size) {
          throw refuse(
            "sequence_conflict",
            "end",
            `this witness has signed sequences from ${treeHead.tree_size} on`,
          );
        }
        return current.endedBy === digest ? current : { ...current, endedBy: digest };
      },
    });
    if (size !== undefined) return { kind: "size_conflict", size };
    return {
      kind: "cosigned",
      signature: await signer.sign(utf8(encodeEpochEnd(armed, treeHead))),
    };
  }

  /**
   * Begins the epoch that the link of `request` leads to. A repeated request changes nothing. Returns the
   * last cosigned size when it is not `oldSize`. Rejects with `epoch_mismatch`, `malformed_request` (the
   * link is not valid), `consistency_refused` or `storage_failed`.
   */
  async begin({ link, ...request }: EpochBeginRequest): Promise<EpochBeginAnswer> {
    const { succession } = this.#context;
    const { successor, end, predecessor: { id: network_id } } = link;
    const digest = successionDigest(link);
    const { epoch: current } = await this.#log.position();
    if (current.begunBy === digest) return { kind: "begun" };
    await this.#armedWith(digest, "begin");
    if (successor === null || !this.#isIn(successor)) {
      throw refuse("epoch_mismatch", "begin", "this witness is not in the successor");
    }
    const failure = await verifyLink(succession!.crypto, link);
    if (failure !== undefined) {
      const { reason, field = "link" } = failure;
      throw refuse("malformed_request", "begin", `the link is not valid: ${reason} (${field})`);
    }
    const { tree_size, root_hash, timestamp } = end;
    const logKey = parseVkey(successor.log_vkey ?? "").publicKey;
    const size = await this.#log.storeBoundary({
      ...request,
      treeHead: { network_id, tree_size, root_hash, timestamp },
      next: (current) => {
        if (current.begunBy === digest) return current;
        if (current.number >= successor.epoch) {
          throw refuse("epoch_mismatch", "begin", `this witness signs in epoch ${current.number}`);
        }
        return { number: successor.epoch, logKey, begunBy: digest };
      },
    });
    return size === undefined ? { kind: "begun" } : { kind: "size_conflict", size };
  }

  /** The succession that the witness is armed with, if its digest is `digest` and it is finished. */
  async #armedWith(digest: string, action: "end" | "begin"): Promise<Succession> {
    const armed = await this.armed();
    if (armed === undefined || successionDigest(armed) !== digest) {
      throw refuse(
        "epoch_mismatch",
        action,
        "the operator of this witness has not armed it with this succession",
      );
    }
    const failure = await verifySuccession(this.#context.succession!.crypto, armed);
    if (failure === undefined && armed.predecessor.id === this.#context.networkId) return armed;
    throw refuse(
      "epoch_mismatch",
      action,
      `the succession in its configuration is not valid: ${failure?.reason ?? "another network"}`,
    );
  }

  /** The succession is the last leaf of the tree. */
  #checkLastLeaf(request: EpochEndRequest): void {
    const { treeHead: { network_id, tree_size, root_hash }, succession: hash } = request;
    const sequence = tree_size - 1;
    const { kernels } = this.#context.succession!.crypto;
    const text = encodeAttestation({ hash, timestamp: request.attestedAt, network_id, sequence });
    const isLast = verifyInclusion(kernels, {
      leafHash: leafHash(kernels, utf8(text)),
      index: sequence,
      size: tree_size,
      root: Uint8Array.fromHex(root_hash),
      path: request.inclusionPath,
    });
    if (!isLast) {
      throw refuse("malformed_request", "end", "the succession is not the last leaf of the tree");
    }
  }

  #isIn({ witnesses }: TrustCore): boolean {
    const { id, signer } = this.#context;
    return witnesses.some((one) => one.id === id && one.pubkey === hexOf(signer.publicKey));
  }
}
