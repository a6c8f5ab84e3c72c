/**
 * Tests sign-subtree, which is optional for witnesses and mirrors (c2sp.org/tlog-witness).
 *
 * @module
 */

import { base64Of, equalBytes, hexOf } from "../bytes.ts";
import { verifyMlDsa } from "../crypto/ml_dsa.ts";
import type { Note, NoteSignature } from "../format/note.ts";
import { NOTE_TYPE, noteKeyId } from "../format/note_key.ts";
import { encodeNote } from "../format/note_writer.ts";
import { encodeSubtreeMessage } from "../format/subtree_cosignature.ts";
import { CLAUSES } from "./clauses.ts";
import { NO_KEYS, PAYLOAD_LENGTH, signatureLines } from "./cosignature_checks.ts";
import type { Exchange } from "./exchange.ts";
import { broken } from "./request_checks.ts";
import { isAccepted, statusText, type Submissions } from "./submissions.ts";

/** A valid subtree of 4 leaves, below the size of every checkpoint of these checks. */
const [START, END] = [8, 12];
const MIN_SIZE = 13;
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
    const answer = await this.#send(this.#honest);
    if ([404, 405, 501].includes(answer.status)) return this.#unsupported(answer);
    const fault = answer.status === 200 ? undefined : `${statusText(answer)} instead of 200`;
    this.#judge("subtree-success", check, fault, answer);
    if (fault === undefined) await this.#judgeLines(check, answer);
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
    const form = lines ? undefined : "the body is not one or more signature lines";
    this.#judge("subtree-lines", check, form, answer);
    if (lines === undefined) return;
    const isSubtree = ({ payload }: NoteSignature) => payload.length === ML_DSA_LENGTH;
    const other = lines.some((line) => !isSubtree(line));
    this.#judge(
      "subtree-format",
      check,
      other ? "a line is no ML-DSA-44 cosignature" : undefined,
      answer,
    );
    const isSigner = lines.every((line) =>
      this.#checkpoint.signatures.some(({ name }) => name === line.name)
    );
    this.#judge(
      "subtree-keys",
      check,
      isSigner ? undefined : "no signature of the checkpoint has this name",
      answer,
    );
    for (const { payload } of lines.filter(isSubtree)) {
      const isZero = payload.subarray(0, 8).every((byte) => byte === 0);
      this.#judge(
        "subtree-timestamp",
        check,
        isZero ? undefined : "the timestamp is not zero",
        answer,
      );
    }
    const key = keys.find(({ type }) => type === NOTE_TYPE.mlDsaCosignature);
    if (key === undefined) {
      for (const clause of SUBTREE_COSIGNATURES) findings.unclear(clause, check, NO_KEYS, answer);
      return;
    }
    const line = lines.find(({ keyId }) => equalBytes(keyId, noteKeyId(key)));
    const message = encodeSubtreeMessage({
      ...{ cosigner: key.name, timestamp: 0, origin: log.origin, start: START, end: END },
      root: log.subtreeRoot(START, END),
    });
    const isValid = line !== undefined &&
      await verifyMlDsa(key.publicKey, message, line.payload.subarray(8));
    for (const clause of SUBTREE_COSIGNATURES) {
      findings.judge(clause, check, isValid ? undefined : "it does not verify", answer);
    }
  }

  async #checkRefusals(): Promise<void> {
    const honest = this.#honest;
    const body = bodyOf(honest);
    const [first = "", ...path] = honest.path;
    const zeros = base64Of(new Uint8Array(32));
    const { signatures, text } = this.#checkpoint;
    const stranger = { ...signatures[0]!, name: "stranger.example" };
    const invalid = "subtree-invalid-status";
    const hex = hexOf(this.#submissions.log.subtreeRoot(START, END));
    const rows: readonly [string, [string, number], string, string][] = [
      [
        "subtree-body",
        [invalid, 400],
        "no hash line",
        `${honest.range}\n\n${encodeNote(honest.checkpoint)}`,
      ],
      ["subtree-body", [invalid, 400], "no empty line", body.replace("\n\n", "\n")],
      ["subtree-line-ends", [invalid, 400], "no newline at the end", body.slice(0, -1)],
      ["subtree-line-ends", [invalid, 400], "carriage returns", body.replaceAll("\n", "\r\n")],
      [
        "subtree-range-line",
        [invalid, 400],
        "a leading zero",
        body.replace(`e ${START}`, `e 0${START}`),
      ],
      ["subtree-range-line", [invalid, 400], "two spaces", body.replace("subtree ", "subtree  ")],
      ["subtree-hash-line", [invalid, 400], "a hash in hex", bodyOf({ ...honest, hash: hex })],
      [
        "subtree-proof-lines",
        [invalid, 400],
        "a proof line without padding",
        bodyOf({ ...honest, path: [first.slice(0, -1), ...path] }),
      ],
      [
        "subtree-proof-length",
        [invalid, 400],
        "64 proof lines",
        bodyOf({ ...honest, path: Array(64).fill(zeros) }),
      ],
      [
        "subtree-valid",
        [invalid, 400],
        "a start that is not aligned",
        bodyOf({ ...honest, range: `subtree ${START + 1} ${END}` }),
      ],
      [
        "subtree-valid",
        [invalid, 400],
        "an end above the checkpoint's size",
        bodyOf({ ...honest, range: `subtree 0 ${this.#size + 1}` }),
      ],
      [
        "subtree-valid",
        [invalid, 400],
        "an end at the start",
        bodyOf({ ...honest, range: `subtree ${START} ${START}` }),
      ],
      [
        "subtree-proof",
        ["subtree-proof-status", 422],
        "another hash",
        bodyOf({ ...honest, hash: zeros }),
      ],
      [
        "subtree-proof",
        ["subtree-proof-status", 422],
        "another proof",
        bodyOf({ ...honest, path: [zeros, ...path] }),
      ],
      ["subtree-proof", ["subtree-proof-status", 422], "no proof", bodyOf({ ...honest, path: [] })],
      [
        "subtree-origin",
        ["subtree-origin", 404],
        "an unknown origin",
        bodyOf({ ...honest, checkpoint: { text: `unknown.${text}`, signatures } }),
      ],
      [
        "subtree-verify",
        ["subtree-forbidden", 403],
        "a checkpoint without the cosigner's signature",
        bodyOf({ ...honest, checkpoint: { text, signatures: [stranger] } }),
      ],
      [
        "subtree-verify",
        ["subtree-forbidden", 403],
        "an invalid signature of the cosigner",
        bodyOf({ ...honest, checkpoint: { text, signatures: signatures.map(broken) } }),
      ],
    ];
    for (const [clause, [statusClause, code], check, sent] of rows) {
      const answer = await this.#post(sent);
      if (isAccepted(answer)) {
        this.#judge(clause, check, `${statusText(answer)}: it was accepted`, answer);
      } else {
        const fault = answer.status === code
          ? undefined
          : `${statusText(answer)} instead of ${code}`;
        if (clause !== statusClause) this.#judge(clause, check, undefined, answer);
        this.#judge(statusClause, check, fault, answer);
      }
    }
    const { target, context: { exchanger } } = this.#submissions;
    const get = await exchanger.send(new URL("sign-subtree", target.url));
    this.#judge(
      "subtree-post",
      "sign-subtree by GET",
      isAccepted(get) ? statusText(get) : undefined,
      get,
    );
  }

  #send(request: Request): Promise<Exchange> {
    return this.#post(bodyOf(request));
  }

  #post(body: string): Promise<Exchange> {
    const { target, context: { exchanger } } = this.#submissions;
    return exchanger.send(new URL("sign-subtree", target.url), { method: "POST", body });
  }

  #judge(id: string, check: string, reason: string | undefined, answer: Exchange): void {
    this.#submissions.context.findings.judge(`tlog-witness/${id}`, check, reason, answer);
  }
}

function bodyOf({ range, hash, path, checkpoint }: Request): string {
  return `${[range, hash, ...path, ""].join("\n")}\n${encodeNote(checkpoint)}`;
}
