/**
 * Checkpoints of any log, which strangers submit and monitors read (c2sp.org/tlog-witness).
 *
 * @module
 */

import { hexOf, utf8 } from "../base/bytes.ts";
import { unixSeconds } from "../base/clock.ts";
import { sha256 } from "../proof/crypto/hashing.ts";
import { CountersignError } from "../base/errors.ts";
import type { AddCheckpoint } from "../proof/format/add_checkpoint.ts";
import { hasLargeSize, parseLogCheckpoint } from "../proof/format/log_checkpoint.ts";
import type { Note } from "../proof/format/note.ts";
import { NOTE_TYPE, type NoteKey } from "../proof/format/note_key.ts";
import { cosignatureLine, encodeSignatureLine } from "../proof/format/note_writer.ts";
import type { SignSubtree } from "../proof/format/sign_subtree.ts";
import { type CosigningContext, FollowedLog } from "./followed_log.ts";
import type { AddCheckpointAnswer, ChargeLog, WitnessedLog } from "./ports.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import type { Kernels } from "../proof/crypto/kernels.ts";
import { isSubtree, verifySubtreeConsistency } from "../proof/merkle/subtree_proof.ts";
import { verifyNote } from "../proof/verify/note.ts";
import type { MlDsaCosigner } from "./ml_dsa_cosigner.ts";

/** Of a checkpoint without its signatures, which the state stores as one value of at most 64 KiB. */
const MAX_TEXT_BYTES = 32 * 1024;

export interface CheckpointsContext extends CosigningContext {
  /** The witness's key name. */
  readonly id: string;
  readonly furtherLogs?: () => Promise<readonly WitnessedLog[]>;
  readonly chargeLog?: ChargeLog;
}

interface Logs {
  readonly byOrigin: ReadonlyMap<string, FollowedLog>;
  /** By the SHA-256 of the origin, in hex. */
  readonly byHash: ReadonlyMap<string, FollowedLog>;
}

function logsOf(byOrigin: ReadonlyMap<string, FollowedLog>): Logs {
  const byHash = new Map(
    Array.from(byOrigin, ([origin, log]) => [hexOf(sha256(utf8(origin))), log]),
  );
  return { byOrigin, byHash };
}

export class Checkpoints {
  readonly #configured: Logs;
  readonly #context: CheckpointsContext;
  readonly #key: NoteKey;
  #listed: readonly WitnessedLog[] = [];
  #further = logsOf(new Map());

  constructor(configured: ReadonlyMap<string, FollowedLog>, context: CheckpointsContext) {
    this.#configured = logsOf(configured);
    this.#context = context;
    const { id: name, signer: { publicKey } } = context;
    this.#key = { name, type: NOTE_TYPE.cosignature, publicKey };
  }

  /**
   * Cosigns a checkpoint at the witness's own time, by the rules and with the state of
   * `Witness.cosign()`. Rejects with `origin_unknown`, `malformed_text`, `log_signature_refused`,
   * `malformed_request`, `consistency_refused`, `rate_limited` or `storage_failed`. `bytes` is the length
   * of the request.
   */
  async add(request: AddCheckpoint, bytes: number): Promise<AddCheckpointAnswer> {
    const { checkpoint: note, oldSize, consistencyPath } = request;
    const log = await this.#logOf(note);
    if (hasLargeSize(note.text)) {
      const answer = await log.refuseLarge(note, oldSize);
      if (answer.kind === "size_conflict") return answer;
    }
    const tree = parseLogCheckpoint(note.text);
    if (utf8(note.text).length > MAX_TEXT_BYTES) {
      throw new CountersignError(
        "malformed_text",
        `Cannot cosign checkpoint: its text has more than ${MAX_TEXT_BYTES} bytes`,
      );
    }
    const timestamp = unixSeconds(this.#context.clock);
    const proposal = { note, tree, timestamp, oldSize, consistencyPath };
    const charge = () => this.#context.chargeLog?.(log.log, bytes);
    const answer = await log.propose(proposal, "stranger", charge);
    if (answer.kind === "size_conflict") return answer;
    const lines = log.signer.lines(this.#key, timestamp, answer).map(encodeSignatureLine);
    return { kind: "cosigned", lines: lines.join("") };
  }

  /**
   * The checkpoint that was cosigned last of the log whose origin has the SHA-256 `originHash`, in hex,
   * with the cosignatures; `undefined` if there is none. `storage_failed`.
   */
  async latest(originHash: string): Promise<string | undefined> {
    const log = this.#configured.byHash.get(originHash) ??
      (await this.#readFurther()).byHash.get(originHash);
    return await log?.checkpoint(this.#key);
  }

  /** {@linkcode cosignSubtree}, only with an ML-DSA-44 key; `origin_unknown`. */
  async signSubtree(request: SignSubtree): Promise<string> {
    const { mlDsa, kernels } = this.#context;
    await this.#logOf(request.checkpoint);
    return await cosignSubtree({ key: this.#key, mlDsa: mlDsa!, kernels }, request);
  }

  async #logOf({ text }: Note): Promise<FollowedLog> {
    const origin = text.slice(0, text.indexOf("\n"));
    const log = this.#configured.byOrigin.get(origin) ??
      (await this.#readFurther()).byOrigin.get(origin);
    if (log !== undefined) return log;
    throw new CountersignError(
      "origin_unknown",
      "Unknown origin: this witness does not follow the log",
    );
  }

  async #readFurther(): Promise<Logs> {
    const listed = await this.#context.furtherLogs?.() ?? this.#listed;
    if (listed !== this.#listed) {
      // Requests in flight may still use the earlier value for an origin: the store decides between both.
      this.#further = logsOf(
        new Map(listed.map((log) => [log.origin, new FollowedLog(log, this.#context)])),
      );
      this.#listed = listed;
    }
    return this.#further;
  }
}

/** Of a witness with Ed25519 and ML-DSA-44 keys: it has no BLS lines to verify. */
const ED25519 = { ed25519: verifyNative, bls: { fastAggregateVerify: () => false } };

interface SubtreeContext {
  /** The Ed25519 key. */
  readonly key: NoteKey;
  readonly mlDsa: MlDsaCosigner;
  readonly kernels: Kernels;
}

/**
 * The line for the subtree of a request, whose origin the witness follows. No time is signed, and nothing
 * is stored: the checkpoint was. Rejects, in this order of checks, with `malformed_text` (the range),
 * `log_signature_refused` without a valid cosignature by the witness, or `consistency_refused`.
 */
async function cosignSubtree(
  { key, mlDsa, kernels }: SubtreeContext,
  { start, end, root, path, checkpoint }: SignSubtree,
): Promise<string> {
  const { origin, size, root: treeRoot } = parseLogCheckpoint(checkpoint.text);
  if (!isSubtree({ start, end }) || end > size) {
    throw refused("malformed_text", `[${start}, ${end}) is not a subtree of a tree of ${size}`);
  }
  if (!(await verifyNote(ED25519, [key, mlDsa.key], checkpoint)).valid) {
    throw refused(
      "log_signature_refused",
      "the checkpoint lacks a valid cosignature of this witness, or has an invalid one",
    );
  }
  const claim = { start, end, size, subtreeRoot: root, root: treeRoot, path };
  if (!verifySubtreeConsistency(kernels, claim)) {
    throw refused("consistency_refused", "the proof does not lead to the checkpoint");
  }
  const signature = await mlDsa.cosignSubtree({ timestamp: 0, origin, start, end, root });
  if (signature === undefined) throw refused("malformed_text", "the origin is too long");
  return encodeSignatureLine(cosignatureLine(mlDsa.key, 0, signature));
}

function refused(
  code: "malformed_text" | "log_signature_refused" | "consistency_refused",
  reason: string,
): CountersignError {
  return new CountersignError(code, `Cannot cosign subtree: ${reason}`);
}
