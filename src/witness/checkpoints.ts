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
import { encodeSignatureLine } from "../proof/format/note_writer.ts";
import type { SignSubtree } from "../proof/format/sign_subtree.ts";
import { type CosigningContext, FollowedLog } from "./followed_log.ts";
import type { AddCheckpointAnswer, ChargeLog, WitnessedLog } from "./ports.ts";
import { cosignSubtree } from "./subtrees.ts";

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
