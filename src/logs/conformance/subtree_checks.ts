/**
 * Tests sign-subtree, which is optional for witnesses and mirrors (c2sp.org/tlog-witness).
 *
 * @module
 */

import { base64Of, equalBytes, hexOf } from "../../base/bytes.ts";
import { verifyMlDsa } from "../../proof/crypto/ml_dsa.ts";
import type { Note, NoteSignature } from "../../proof/format/note.ts";
import { NOTE_TYPE, noteKeyId } from "../../proof/format/note_key.ts";
import { encodeNote } from "../../proof/format/note_writer.ts";
import { encodeSubtreeMessage } from "../../proof/format/subtree_cosignature.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import { CLAUSES } from "./clauses.ts";
import { NO_KEYS, PAYLOAD_LENGTH, signatureLines } from "./cosignature_checks.ts";
import type { Exchange } from "./exchange.ts";
import { broken } from "./request_checks.ts";
import type { Fault } from "./report.ts";
import { isAccepted, statusFault, statusText, type Submissions } from "./submissions.ts";

/** A valid subtree of 4 leaves, below the size of every checkpoint of these checks. */
const [START, END] = [8, 12];
const MIN_SIZE = 13;
const ED25519_LENGTH = PAYLOAD_LENGTH[NOTE_TYPE.cosignature]!;
const ML_DSA_LENGTH = PAYLOAD_LENGTH[NOTE_TYPE.mlDsaCosignature]!;

const SUBTREE_COSIGNATURES = ["tlog-cosignature/ml-dsa-times", "tlog-cosignature/ml-dsa-timestamp"];

interface Request {
  readonly range: string;
  readonly hash: string;
  readonly path: readonly string[];
  readonly checkpoint: Note;
}

export class SubtreeChecks {
  readonly #submissions: Submissions;
  readonly #checkpoint: Note;
  readonly #size: number;

  /** `checkpoint` has the cosigner's signatures, and `size` leaves. */
  constructor(submissions: Submissions, checkpoint: Note, size: number) {
    this.#submissions = submissions;
    this.#checkpoint = checkpoint;
    this.#size = size;
  }

  async run(): Promise<void> {
    if (this.#size < MIN_SIZE) return;
    const check = `the subtree [${START}, ${END}) of ${this.#size} leaves`;
    const answer = await this.#post(bodyOf(this.#honest));
    if ([404, 405, 501].includes(answer.status)) return this.#unsupported(answer);
    const { target: { keys }, context: { crypto, findings } } = this.#submissions;
    const { valid } = await verifyNote(crypto, keys, this.#checkpoint);
    const fault = statusFault(answer, 200);
    if (typeof fault === "string" && !valid) {
      const reason = `${fault}, and the checkpoint has no cosignature that verifies under --vkey`;
      findings.unclear("tlog-witness/subtree-success", check, reason, answer);
    } else this.#judge("subtree-success", check, fault, answer);
    if (answer.status !== 200) return;
    await this.#judgeLines(check, answer);
    await this.#checkRefusals();
  }

  get #honest(): Request {
    const { log } = this.#submissions;
    return {
      range: `subtree ${START} ${END}`,
      hash: base64Of(log.subtreeRoot(START, END)),
      path: log.subtreePath(START, this.#size, END - START).map((hash) => base64Of(hash)),
      checkpoint: this.#checkpoint,
    };
  }

  #unsupported(answer: Exchange): void {
    const reason = `not supported, which is allowed: ${statusText(answer)}`;
    for (const { id, section, untestable } of CLAUSES) {
      const isOfSubtrees = section === "sign-subtree" || SUBTREE_COSIGNATURES.includes(id);
      if (!isOfSubtrees || untestable !== "") continue;
      this.#submissions.context.findings.unclear(id, "sign-subtree", reason, answer);
    }
  }

  async #judgeLines(check: string, answer: Exchange): Promise<void> {
    const { target: { keys }, log, context: { findings } } = this.#submissions;
    const lines = signatureLines(answer.text);
    const form = !lines && "the body is not one or more signature lines";
    const judge = (id: string, fault: Fault) => this.#judge(id, check, fault, answer);
    judge("subtree-lines", form);
    if (lines === undefined) return;
    const isSubtree = ({ payload }: NoteSignature) => payload.length === ML_DSA_LENGTH;
    const isEd25519 = lines.some(({ payload }) => payload.length === ED25519_LENGTH);
    if (isEd25519 || lines.every(isSubtree)) {
      judge("subtree-format", isEd25519 && "a line has the length of an Ed25519 cosignature");
    } else {
      const reason = "a line has the length of no known cosignature";
      findings.unclear("tlog-witness/subtree-format", check, reason, answer);
    }
    const isSigner = lines.every((line) =>
      this.#checkpoint.signatures.some(({ name }) => name === line.name)
    );
    judge("subtree-keys", !isSigner && "no signature of the checkpoint has this name");
    for (const { payload } of lines.filter(isSubtree)) {
      const isZero = payload.subarray(0, 8).every((byte) => byte === 0);
      judge("subtree-timestamp", !isZero && "the timestamp is not zero");
    }
    const key = keys.find(({ type }) => type === NOTE_TYPE.mlDsaCosignature);
    if (key === undefined) {
      for (const clause of SUBTREE_COSIGNATURES) findings.unclear(clause, check, NO_KEYS, answer);
      return;
    }
    const line = lines.find(({ keyId }) => equalBytes(keyId, noteKeyId(key)));
    const message = encodeSubtreeMessage({
      cosigner: key.name,
      timestamp: 0,
      origin: log.origin,
      start: START,
      end: END,
      root: log.subtreeRoot(START, END),
    });
    const isValid = line !== undefined &&
      await verifyMlDsa(key.publicKey, message, line.payload.subarray(8));
    const messageClause = "tlog-cosignature/ml-dsa-message";
    const isTimed = line?.payload.subarray(0, 8).some((byte) => byte !== 0) ?? false;
    for (const clause of SUBTREE_COSIGNATURES) {
      if (isValid || isTimed) {
        findings.judge(clause, check, isTimed && "the timestamp is not zero", answer);
      } else findings.unclear(clause, check, "no cosignature verifies", answer);
    }
    // Once: a witness whose cosignatures of checkpoints do not verify has the same fault here.
    const isKnown = findings.all.some(({ clause, verdict }) =>
      clause === messageClause && verdict === "fail"
    );
    if (!isKnown && line !== undefined) {
      findings.judge(messageClause, check, !isValid && "it does not verify", answer);
    }
  }

  async #checkRefusals(): Promise<void> {
    const honest = this.#honest;
    const body = bodyOf(honest);
    const [first = "", ...path] = honest.path;
    const zeros = base64Of(new Uint8Array(32));
    const { signatures, text } = this.#checkpoint;
    const hex = hexOf(this.#submissions.log.subtreeRoot(START, END));
    const changed = (change: Partial<Request>) => bodyOf({ ...honest, ...change });
    const ranged = (start: number, end: number) => changed({ range: `subtree ${start} ${end}` });
    const of = (checkpoint: Note) => changed({ checkpoint });
    const invalid = ["invalid-status", 400] as const;
    // No proof verifies for it, or no signature.
    const unprovable = ["invalid-status", 400, 422] as const;
    const unknown = ["origin", 404, 403] as const;
    const unproven = ["proof-status", 422] as const;
    const forbidden = ["forbidden", 403] as const;
    const unpadded = [first.slice(0, -1), ...path];
    const unsigned = { text, signatures: [{ ...signatures[0]!, name: "stranger.example" }] };
    const missigned = { text, signatures: signatures.map(broken) };
    const rows: readonly [string, readonly [string, number, number?], string, string][] = [
      ["body", invalid, "no hash line", `${honest.range}\n\n${encodeNote(honest.checkpoint)}`],
      ["body", invalid, "no empty line", body.replace("\n\n", "\n")],
      ["line-ends", invalid, "no newline at the end", body.slice(0, -1)],
      ["line-ends", invalid, "carriage returns", body.replaceAll("\n", "\r\n")],
      ["range-line", invalid, "a leading zero", body.replace(`e ${START}`, `e 0${START}`)],
      ["range-line", invalid, "two spaces", body.replace("subtree ", "subtree  ")],
      ["hash-line", invalid, "a hash in hex", changed({ hash: hex })],
      ["proof-lines", invalid, "a proof line without padding", changed({ path: unpadded })],
      ["proof-length", unprovable, "64 proof lines", changed({ path: Array(64).fill(zeros) })],
      ["valid", unprovable, "a start that is not aligned", ranged(START + 1, END)],
      ["valid", unprovable, "an end above the checkpoint's size", ranged(0, this.#size + 1)],
      ["valid", unprovable, "an end at the start", ranged(START, START)],
      ["proof", unproven, "another hash", changed({ hash: zeros })],
      ["proof", unproven, "another proof", changed({ path: [zeros, ...path] })],
      ["proof", unproven, "no proof", changed({ path: [] })],
      ["origin", unknown, "an unknown origin", of({ text: `unknown.${text}`, signatures })],
      ["verify", forbidden, "a checkpoint without the cosigner's signature", of(unsigned)],
      ["verify", forbidden, "an invalid signature of the cosigner", of(missigned)],
    ];
    for (const [id, [statusId, code, also], check, sent] of rows) {
      const [clause, statusClause] = [`subtree-${id}`, `subtree-${statusId}`];
      const answer = await this.#post(sent);
      const { findings } = this.#submissions.context;
      const isObliged = findings.obliges(`tlog-witness/${clause}`);
      const verb = isAccepted(answer) ? "accepted" : "refused";
      if (!isObliged) {
        const reason = `${statusText(answer)}: it was ${verb}; the sentence binds clients`;
        findings.unclear(`tlog-witness/${clause}`, check, reason, answer);
      } else if (clause !== statusClause) {
        this.#judge(clause, check, isAccepted(answer) && "it was accepted", answer);
      }
      if (answer.status === also) {
        const reason = `${statusText(answer)}, which another sentence requires`;
        findings.unclear(`tlog-witness/${statusClause}`, check, reason, answer);
      } else this.#judge(statusClause, check, statusFault(answer, code), answer);
    }
  }

  #post(body: string): Promise<Exchange> {
    const { target, context: { exchanger } } = this.#submissions;
    return exchanger.send(new URL("sign-subtree", target.url), { method: "POST", body });
  }

  #judge(id: string, check: string, fault: Fault, answer: Exchange): void {
    this.#submissions.context.findings.judge(`tlog-witness/${id}`, check, fault, answer);
  }
}

function bodyOf({ range, hash, path, checkpoint }: Request): string {
  return `${[range, hash, ...path, ""].join("\n")}\n${encodeNote(checkpoint)}`;
}
