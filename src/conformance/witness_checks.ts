/**
 * Judges a witness by c2sp.org/tlog-witness and the documents that it names, and a mirror's
 * add-checkpoint, which has the same rules.
 *
 * A request that has to be refused is sent at a size where nothing else is wrong with it. An
 * unexpected acceptance may leave a witness with a tree that is not the log's: later failures of
 * honest requests are then unclear.
 *
 * @module
 */

import { base64Of, type Bytes, equalBytes, hexOf, utf8 } from "../bytes.ts";
import { sha256 } from "../crypto/hashing.ts";
import { CountersignError, tryParse } from "../errors.ts";
import { parseLogCheckpoint } from "../format/log_checkpoint.ts";
import { type NoteSignature, parseNote, parseSignatureLine } from "../format/note.ts";
import { NOTE_TYPE, type NoteKey, noteKeyId } from "../format/note_key.ts";
import { noteSignature } from "../format/note_writer.ts";
import { cosignatureMessage } from "../format/tree_head.ts";
import { verifyNote } from "../verify/note.ts";
import type { VerifierCrypto } from "../verify/verifier_crypto.ts";
import type { Exchange, Exchanger, ExchangeRequest } from "./exchange.ts";
import type { Findings } from "./report.ts";
import type { Change, SuiteLog } from "./suite_log.ts";

export interface WitnessTarget {
  /** The submission prefix. */
  readonly url: URL;
  /** The monitoring prefix. */
  readonly monitoring: URL;
  /** The witness's keys, or the mirror's; without them no cosignature is verified. */
  readonly keys: readonly NoteKey[];
}

export interface SuiteContext {
  readonly exchanger: Exchanger;
  readonly findings: Findings;
  readonly crypto: VerifierCrypto;
}

/** The payloads of cosignatures: a time, and a signature of type 0x04 or 0x06. */
const PAYLOAD_LENGTH: Record<number, number> = { 0x04: 8 + 64, 0x06: 8 + 2_420 };
const ML_DSA_TYPE = 0x06;
const SCHEMALESS_URL = /^[a-z0-9-]+(\.[a-z0-9-]+)+(:[0-9]+)?(\/[^\s+]*)?$/i;
const NO_KEYS = "not verified: name the key with --vkey";

/** A signature line of a key that no witness knows. */
function stranger(length: number, name = "stranger.example"): NoteSignature {
  const key = { name, type: NOTE_TYPE.ed25519, publicKey: new Uint8Array(32) };
  return noteSignature(key, new Uint8Array(length));
}

function broken({ payload, ...line }: NoteSignature): NoteSignature {
  const last = payload.length - 1;
  return { ...line, payload: payload.with(last, payload[last]! ^ 1) };
}

const ZEROS: Bytes = new Uint8Array(32);
const isAccepted = ({ status }: Exchange) => status >= 200 && status < 300;
const status = ({ status }: Exchange) => status === 0 ? "no answer" : `status ${status}`;

export class WitnessChecks {
  readonly #log: SuiteLog;
  readonly #target: WitnessTarget;
  readonly #context: SuiteContext;
  readonly #cosigns: boolean;
  /** The size that the witness has cosigned. */
  #size = 0;
  /** The lines of the last success. */
  #returned: readonly NoteSignature[] = [];
  #hasJudgedNames = false;
  /** True once something was accepted that had to be refused. */
  #isMisled = false;

  /** A mirror does not cosign what it is given. */
  constructor(
    log: SuiteLog,
    target: WitnessTarget,
    context: SuiteContext,
    role: "witness" | "mirror",
  ) {
    this.#log = log;
    this.#target = target;
    this.#context = context;
    this.#cosigns = role === "witness";
  }

  /** Returns what a reader has to know about the state of the witness. `gateway_refused` if it cannot be tested. */
  async run(): Promise<{ readonly size: number; readonly notes: string[] }> {
    const first = await this.#learnSize();
    const wasFresh = this.#size === 0 && !isAccepted(first);
    this.#judgeConflict(
      "an old size before anything was cosigned, or another one",
      first,
      this.#size,
    );
    if (wasFresh) await this.#checkFresh();
    const start = this.#size;
    if (start < 5) await this.#grow(5, "a checkpoint that extends the last one");
    await this.#checkLines();
    await this.#checkTexts();
    await this.#checkSignatures();
    await this.#checkSizes();
    await this.#checkProofs();
    const refresh = await this.#post(this.#size, this.#size);
    this.#judge(
      "tlog-witness/old-size-matches",
      "after all refusals, the last checkpoint again",
      isAccepted(refresh)
        ? undefined
        : `${status(refresh)} instead of 200: a refused request changed the record`,
      refresh,
    );
    await this.#checkRecord();
    if (this.#cosigns) await this.#checkMonitoring();
    return {
      size: this.#size,
      notes: [
        wasFresh
          ? "The witness had cosigned nothing of this log before the run."
          : `The witness had cosigned size ${start} before the run: the clauses on a first checkpoint need a new log key.`,
        `After the run it has cosigned size ${this.#size}; commands that name another old size now get 409.`,
      ],
    };
  }

  /** Asks for the size without changing it. */
  async #learnSize(): Promise<Exchange> {
    const answer = await this.#post(1, 1);
    if (answer.status === 0) throw cannot(answer.answer);
    if (answer.status === 404 || answer.status === 403) {
      throw cannot(
        `${
          status(answer)
        }: configure it with the origin ${this.#log.origin} and the key ${this.#log.vkey}`,
      );
    }
    if (isAccepted(answer)) this.#size = 1;
    else this.#size = Number(/^[0-9]+/.exec(answer.text)?.[0] ?? 0);
    return answer;
  }

  async #checkFresh(): Promise<void> {
    if (this.#cosigns) {
      const answer = await this.#get();
      this.#judge(
        "tlog-witness/monitoring-never",
        "the checkpoint of a log that was never cosigned",
        answer.status === 404 ? undefined : `${status(answer)} instead of 404`,
        answer,
      );
    }
    await this.#refused({
      clauses: ["tlog-witness/empty-root", "tlog-witness/empty-root-status", 422],
      check: "a checkpoint of size 0 with the root of another tree",
      body: this.#log.request(0, 0, { root: this.#log.root(1) }),
    });
    await this.#refused({
      clauses: ["tlog-witness/empty-proof", "tlog-witness/proof-status", 422],
      check: "an old size of 0 with a proof",
      body: this.#log.request(0, 5, { path: [this.#log.root(1)] }),
    });
    if (this.#size === 0) {
      await this.#accepted("tlog-witness/success", "a first checkpoint of size 0", {
        from: 0,
        to: 0,
      });
      await this.#grow(5, "from size 0 to 5, without a proof");
    }
  }

  async #checkLines(): Promise<void> {
    const n = this.#size;
    const honest = await this.#log.request(n, n);
    const grown = await this.#log.request(n, n + 6);
    const [hash] = this.#log.path(n, n + 6) as [Bytes];
    const rows: readonly [string, string, string | Bytes][] = [
      ["body", "an empty body", ""],
      ["body", "no old size line", honest.slice(honest.indexOf("\n") + 1)],
      ["body", "no empty line before the checkpoint", honest.replace("\n\n", "\n")],
      ["body", "no checkpoint", honest.slice(0, honest.indexOf("\n\n") + 2)],
      ["line-ends", "no newline at the end", honest.slice(0, -1)],
      ["line-ends", "carriage returns", honest.replaceAll("\n", "\r\n")],
      ["line-ends", "a carriage return after the old size", honest.replace("\n", "\r\n")],
      ["old-size-line", "another word", honest.replace("old ", "new ")],
      ["old-size-line", "capitals", honest.replace("old ", "OLD ")],
      ["old-size-line", "two spaces", honest.replace("old ", "old  ")],
      ["old-size-line", "a leading zero", honest.replace("old ", "old 0")],
      ["old-size-line", "a sign", honest.replace("old ", "old +")],
      ["old-size-line", "a space at the end", honest.replace("\n", " \n")],
      ["proof-lines", "a hash in hex", grown.replace(base64Of(hash), hexOf(hash))],
      [
        "proof-lines",
        "a hash without padding",
        grown.replace(base64Of(hash), base64Of(hash).slice(0, -1)),
      ],
      ["proof-lines", "a hash of 31 bytes", grown.replace(base64Of(hash), base64Of(hash.slice(1)))],
      [
        "proof-length",
        "64 proof lines",
        await this.#log.request(n, n + 6, { path: Array(64).fill(ZEROS) }),
      ],
    ];
    for (const [id, check, body] of rows) {
      await this.#refused({ clauses: [`tlog-witness/${id}`], check, body });
    }
    const get = await this.#send("add-checkpoint");
    this.#judge(
      "tlog-witness/post",
      "add-checkpoint by GET",
      isAccepted(get) ? `${status(get)}, which is a success` : undefined,
      get,
    );
  }

  async #checkTexts(): Promise<void> {
    const n = this.#size;
    const rows: readonly [string, string, Change][] = [
      ["tlog-checkpoint/lines", "a text without a root hash", {
        text: (text) => text.split("\n").slice(0, 2).join("\n") + "\n",
      }],
      ["tlog-checkpoint/size", "a size with a leading zero", {
        text: (text) => text.replace(`\n${n}\n`, `\n0${n}\n`),
      }],
      ["tlog-checkpoint/size", "a size with a sign", {
        text: (text) => text.replace(`\n${n}\n`, `\n+${n}\n`),
      }],
      ["tlog-checkpoint/root", "a root hash of 31 bytes", { root: this.#log.root(n).slice(1) }],
      ["tlog-checkpoint/extension-lines", "an empty extension line", { extensions: ["", "x"] }],
      ["signed-note/characters", "a control character", { extensions: ["a\u0007b"] }],
    ];
    for (const [clause, check, change] of rows) {
      await this.#refused({ clauses: [clause], check, body: this.#log.request(n, n, change) });
    }
    await this.#refused({
      clauses: ["signed-note/characters"],
      check: "a text that is not UTF-8",
      body: this.#log.requestWithByte(n, 0xff),
    });
    await this.#accepted("tlog-cosignature/extensions", "extension lines", {
      ...{ from: n, to: n, change: { extensions: ["first", "second \u00e9"] } },
    });
  }

  async #checkSignatures(): Promise<void> {
    const n = this.#size;
    const { name } = this.#log.key;
    const accepted: readonly [string, string, Change][] = [
      ["tlog-witness/verify-signature", "signatures of unknown keys before and after", {
        signatures: (own) => [stranger(64), own, stranger(72, "other.example")],
      }],
      ["signed-note/unknown-keys", "an unknown key with the log's name", {
        signatures: (own) => [stranger(64, name), own],
      }],
      ["signed-note/unknown-keys", "an unknown key with the log's key ID", {
        signatures: (own) => [{ ...own, name: "other.example" }, own],
      }],
      ["signed-note/sixteen-signatures", "16 signatures of 64 bytes", {
        signatures: (own) => [...Array(15).fill(stranger(64)), own],
      }],
      ["signed-note/sixteen-signatures", "16 signatures, 15 of them of 4,900 bytes", {
        signatures: (own) => [...Array(15).fill(stranger(4_900)), own],
      }],
    ];
    for (const [clause, check, change] of accepted) {
      await this.#accepted(clause, check, { from: n, to: n, change });
    }
    const forbidden = "tlog-witness/forbidden";
    const verify = "tlog-witness/verify-signature";
    const refused: readonly [string, string, Change][] = [
      [verify, "a signature of an unknown key alone", { signatures: () => [stranger(64)] }],
      [verify, "a signature of an unknown key with the log's name", {
        signatures: () => [stranger(64, name)],
      }],
      ["signed-note/known-keys", "the log's signature over another text", {
        signatures: (own) => [broken(own)],
      }],
      [forbidden, "a valid and an invalid signature of the log's key", {
        signatures: (own) => [own, broken(own)],
      }],
      [forbidden, "an invalid and a valid signature of the log's key", {
        signatures: (own) => [broken(own), own],
      }],
    ];
    for (const [clause, check, change] of refused) {
      await this.#refused({
        ...{ clauses: [clause, forbidden, 403], check },
        body: this.#log.request(n, n, change),
      });
    }
    await this.#refused({
      clauses: ["tlog-witness/unknown-origin", "tlog-witness/unknown-origin", 404],
      check: "an origin that nobody configured, signed by the log's key",
      body: this.#log.request(0, 3, { origin: `${this.#log.origin}/unknown` }),
    });
  }

  async #checkSizes(): Promise<void> {
    const n = this.#size;
    await this.#refused({
      clauses: ["tlog-witness/old-size-limit", "tlog-witness/old-size-status", 400],
      check: "an old size above the checkpoint's",
      body: this.#log.request(n, n - 1),
    });
    for (const old of [n - 1, 0, n + 1]) {
      const answer = await this.#refused({
        clauses: ["tlog-witness/old-size-matches", "tlog-witness/conflict", 409],
        check: `an old size of ${old} after ${n}`,
        body: this.#log.request(old, n + 6),
      });
      this.#judgeConflict(`an old size of ${old} after ${n}`, answer, this.#size);
    }
  }

  async #checkProofs(): Promise<void> {
    const proof = ["tlog-witness/proof", "tlog-witness/proof-status", 422] as const;
    const rows: readonly [string, number, (path: readonly Bytes[]) => Change][] = [
      ["no proof", 6, () => ({ path: [] })],
      ["a proof with another first hash", 6, (path) => ({ path: [ZEROS, ...path.slice(1)] })],
      ["a proof with a further hash", 6, (path) => ({ path: [...path, ZEROS] })],
      ["another root than the proof leads to", 6, () => ({ root: ZEROS })],
      ["a proof from a size to itself", 0, () => ({ path: [ZEROS] })],
    ];
    for (const [check, growth, change] of rows) {
      const from = this.#size;
      const to = from + growth;
      const body = this.#log.request(from, to, change(this.#log.path(from, to)));
      await this.#refused({ clauses: proof, check, body });
    }
    await this.#refused({
      clauses: ["tlog-witness/same-size", "tlog-witness/same-size-status", 422],
      check: "the same size with another root",
      body: this.#log.request(this.#size, this.#size, { root: ZEROS }),
    });
  }

  /** The record is replaced with each success, and by one of several requests at a time. */
  async #checkRecord(): Promise<void> {
    const n = this.#size;
    await this.#grow(n + 6, "a checkpoint that extends the last one, with a proof");
    if (this.#size === n) return;
    const recorded = { from: this.#size, to: this.#size };
    const check = "the checkpoint again that the last success recorded";
    if (!await this.#accepted("tlog-witness/success", check, recorded)) return;
    const from = this.#size;
    const bodies = await Promise.all(
      [1, 2, 3, 4].map((more) => this.#log.request(from, from + more)),
    );
    const answers = await Promise.all(
      bodies.map((body) => this.#send("add-checkpoint", { method: "POST", body })),
    );
    const successes = answers.filter(isAccepted);
    this.#judge(
      "tlog-witness/old-size-matches",
      "four requests at once, from one old size to four sizes",
      successes.length <= 1 ? undefined : `${successes.length} of them got 200`,
      successes[1] ?? answers[0],
    );
    await this.#learnSize();
    const again = await this.#post(this.#size, this.#size);
    if (!isAccepted(again)) this.#isMisled = true;
    this.#keepAlive(again);
  }

  #keepAlive(answer: Exchange): void {
    const closes = answer.headers.get("Connection")?.toLowerCase() === "close";
    const clause = "tlog-witness/keep-alive";
    this.#judge(
      clause,
      "an answer by HTTP/1.1",
      closes ? "it says Connection: close" : undefined,
      answer,
    );
  }

  async #checkMonitoring(): Promise<void> {
    const monitoring = "tlog-witness/monitoring";
    const check = "the checkpoint for monitors";
    const answer = await this.#get();
    const refusal = isAccepted(answer) ? undefined : `${status(answer)} instead of 200`;
    this.#judge(monitoring, check, refusal, answer);
    if (refusal !== undefined) return;
    const post = await this.#send(this.#checkpointUrl, { method: "POST", body: "" });
    const reason = isAccepted(post) ? `${status(post)}, which is a success` : undefined;
    this.#judge("tlog-witness/monitoring-get", `${check}, by POST`, reason, post);
    const note = tryParse(() => parseNote(answer.text));
    const head = note && tryParse(() => parseLogCheckpoint(note.text));
    const body = "tlog-witness/monitoring-body";
    if (note === undefined || head?.origin !== this.#log.origin) {
      return this.#judge(body, check, "it is not a checkpoint of the log", answer);
    }
    const { crypto, findings } = this.#context;
    const byLog = await verifyNote(crypto, [this.#log.key], note);
    const missing = this.#returned.find((one) =>
      !note.signatures.some(({ name, keyId }) => name === one.name && equalBytes(keyId, one.keyId))
    );
    const fault = !byLog.valid
      ? "it has no valid signature of the log"
      : missing && `it has no cosignature of ${missing.name}, which add-checkpoint returned`;
    this.#judge(body, check, fault, answer);
    const delay = "tlog-witness/monitoring-delay";
    if (head.size === this.#size) this.#judge(delay, check, undefined, answer);
    else {findings.unclear(
        delay,
        check,
        `it has size ${head.size}, and ${this.#size} was cosigned just now`,
      );}
  }

  /** Judges the lines of an answer that cosigns `text`. */
  async #judgeLines(check: string, answer: Exchange, text: string): Promise<void> {
    const { findings, crypto } = this.#context;
    const judge = (clause: string, reason?: string) => this.#judge(clause, check, reason, answer);
    const encoded = answer.text.split("\n");
    const isWhole = encoded.pop() === "" && encoded.length > 0;
    const lines = encoded.map((line) => tryParse(() => parseSignatureLine(line)));
    const isParsed = isWhole && lines.every((line) => line !== undefined);
    judge(
      "tlog-witness/lines",
      isParsed ? undefined : "the body is not one or more signature lines",
    );
    if (!isParsed) return;
    const signatures = lines as NoteSignature[];
    this.#returned = signatures;
    if (!this.#hasJudgedNames) this.#judgeNames(check, answer, signatures);
    this.#hasJudgedNames = true;
    const { keys } = this.#target;
    const dependent = [
      ...["tlog-witness/cosignatures", "tlog-witness/timestamp", "signed-note/vkey-matches"],
      ...["signed-note/key-ids", "tlog-cosignature/ed25519-key-id", "tlog-cosignature/structure"],
      ...[
        "tlog-cosignature/timestamp-limit",
        "tlog-cosignature/message",
        "tlog-cosignature/header",
      ],
      "tlog-cosignature/time-line",
    ];
    if (keys.length === 0) {
      for (const clause of dependent) findings.unclear(clause, check, NO_KEYS, answer);
      return;
    }
    const named = keys.flatMap((key) =>
      signatures.filter(({ name, keyId }) => name === key.name && equalBytes(keyId, noteKeyId(key)))
        .map((line) => ({ key, line }))
    );
    if (named.length === 0) {
      return judge(
        "tlog-witness/cosignatures",
        "no line has the name and key ID of a key of --vkey",
      );
    }
    for (const clause of ["signed-note/vkey-matches", "signed-note/key-ids"]) judge(clause);
    for (const { key, line } of named) {
      judge(
        key.type === ML_DSA_TYPE
          ? "tlog-cosignature/ml-dsa-key-id"
          : "tlog-cosignature/ed25519-key-id",
      );
      const wrong = line.payload.length === PAYLOAD_LENGTH[key.type]
        ? undefined
        : `${line.payload.length} bytes`;
      judge("tlog-cosignature/structure", wrong);
      if (wrong !== undefined) continue;
      const time = new DataView(line.payload.buffer, line.payload.byteOffset).getBigUint64(0);
      judge("tlog-cosignature/timestamp-limit", time < 1n << 63n ? undefined : `time ${time}`);
      judge("tlog-witness/timestamp", time > 0n ? undefined : "the timestamp is zero");
      const { valid } = await verifyNote(crypto, [key], { text, signatures: [line] });
      if (key.type === ML_DSA_TYPE) {
        const fault = valid ? undefined : "it does not verify";
        for (const id of ["ml-dsa-message", "ml-dsa-start"]) judge(`tlog-cosignature/${id}`, fault);
        judge("tlog-witness/whole-tree", fault);
      } else if (valid) {
        for (const id of ["message", "header", "time-line"]) judge(`tlog-cosignature/${id}`);
        judge("tlog-witness/cosignatures");
      } else {
        const short = `${text.split("\n").slice(0, 3).join("\n")}\n`;
        const message = () => utf8(cosignatureMessage(Number(time), short));
        const omitsExtensions = short !== text && time < 1n << 53n &&
          await crypto.ed25519(key.publicKey, message(), line.payload.subarray(8));
        judge(
          omitsExtensions ? "tlog-cosignature/extensions" : "tlog-cosignature/message",
          omitsExtensions ? "it covers the first three lines only" : "it does not verify",
        );
      }
    }
  }

  #judgeNames(check: string, answer: Exchange, signatures: readonly NoteSignature[]): void {
    const judge = (clause: string, reason?: string) => this.#judge(clause, check, reason, answer);
    const badName = signatures.find(({ name }) => !SCHEMALESS_URL.test(name))?.name;
    const urlFault = badName === undefined ? undefined : `${badName} is not a schema-less URL`;
    judge("tlog-cosignature/url-name", urlFault);
    judge("signed-note/url-names", urlFault);
    const lengths = signatures.map(({ payload }) => payload.length);
    const isMlDsa = lengths.includes(PAYLOAD_LENGTH[ML_DSA_TYPE]!);
    for (const clause of ["tlog-witness/ml-dsa", "tlog-cosignature/ml-dsa"]) {
      judge(clause, isMlDsa ? undefined : "no line has the length of an ML-DSA-44 cosignature");
    }
    if (this.#target.keys.some(({ type }) => type === ML_DSA_TYPE)) return;
    for (
      const clause of [
        "tlog-witness/whole-tree",
        "tlog-cosignature/ml-dsa-key-id",
        "tlog-cosignature/ml-dsa-message",
        "tlog-cosignature/ml-dsa-start",
      ]
    ) this.#context.findings.unclear(clause, check, "no --vkey has the type 0x06");
  }

  /** A mirror only takes the checkpoint. */
  async #judgeMirrored(check: string, answer: Exchange): Promise<void> {
    const { findings } = this.#context;
    const lines = answer.text.split("\n").flatMap((line) =>
      tryParse(() => parseSignatureLine(line)) ?? []
    );
    const isOwn = lines.some(({ name }) => this.#target.keys.some((key) => key.name === name));
    const fault = isOwn ? "a line has the name of the mirror's key" : undefined;
    for (const clause of ["tlog-mirror/not-signed", "tlog-mirror/distinct-cosigner"]) {
      if (lines.length > 0 && this.#target.keys.length === 0) {
        findings.unclear(clause, check, NO_KEYS, answer);
      } else this.#judge(clause, check, fault, answer);
    }
    return await Promise.resolve();
  }

  async #grow(to: number, check: string): Promise<void> {
    await this.#accepted("tlog-witness/success", check, { from: this.#size, to });
  }

  async #accepted(
    clause: string,
    check: string,
    { from, to, change = {} }: {
      readonly from: number;
      readonly to: number;
      readonly change?: Change;
    },
  ): Promise<boolean> {
    const answer = await this.#post(from, to, change);
    const { findings } = this.#context;
    if (answer.status === 200) {
      this.#size = to;
      this.#judge(clause, check, undefined, answer);
      const { text } = await this.#log.note(to, change);
      if (this.#cosigns) await this.#judgeLines(check, answer, text);
      else await this.#judgeMirrored(check, answer);
    } else if (this.#isMisled && (answer.status === 409 || answer.status === 422)) {
      findings.unclear(clause, check, "the witness accepted an invalid checkpoint before", answer);
    } else this.#judge(clause, check, `${status(answer)} instead of 200`, answer);
    return answer.status === 200;
  }

  /** `clauses`: what an acceptance breaks, and what another status than the third member breaks. */
  async #refused(
    { clauses: [clause, statusClause, code], check, body }: {
      readonly clauses: readonly [string] | readonly [string, string, number];
      readonly check: string;
      readonly body: string | Bytes | Promise<string | Bytes>;
    },
  ): Promise<Exchange> {
    const answer = await this.#send("add-checkpoint", { method: "POST", body: await body });
    if (isAccepted(answer)) {
      this.#judge(clause, check, `${status(answer)}: it was accepted`, answer);
      await this.#learnSize();
      // An honest checkpoint of the same size may set the record right. From size 0 no proof is needed.
      const refresh = await this.#post(this.#size, this.#size);
      this.#isMisled = this.#size > 0 && !isAccepted(refresh);
      return answer;
    }
    if (answer.status < 400) {
      this.#context.findings.unclear(clause, check, `${status(answer)} is no refusal`, answer);
    } else if (clause !== statusClause) this.#judge(clause, check, undefined, answer);
    if (code !== undefined) {
      const fault = answer.status === code ? undefined : `${status(answer)} instead of ${code}`;
      this.#judge(statusClause!, check, fault, answer);
    }
    const fault = answer.text.includes("\u2014 ") ? "the refusal has a signature line" : undefined;
    this.#judge("tlog-witness/no-cosignature", check, fault, answer);
    return answer;
  }

  #judgeConflict(check: string, answer: Exchange, size: number): void {
    if (answer.status !== 409) return;
    const { text, headers } = answer;
    this.#judge(
      "tlog-witness/conflict-body",
      check,
      text === `${size}\n` ? undefined : `the body is not ${size} and a newline`,
      answer,
    );
    const type = headers.get("Content-Type");
    const fault = type === "text/x.tlog.size" ? undefined : `the Content-Type is ${type}`;
    this.#judge("tlog-witness/conflict-type", check, fault, answer);
  }

  #judge(clause: string, check: string, reason: string | undefined, answer?: Exchange): void {
    this.#context.findings.judge(clause, check, reason, answer);
  }

  async #post(from: number, to: number, change: Change = {}): Promise<Exchange> {
    const body = await this.#log.request(from, to, change);
    return await this.#send("add-checkpoint", { method: "POST", body });
  }

  async #send(path: string | URL, request?: ExchangeRequest): Promise<Exchange> {
    return await this.#context.exchanger.send(new URL(path, this.#target.url), request);
  }

  async #get(): Promise<Exchange> {
    return await this.#send(this.#checkpointUrl);
  }

  get #checkpointUrl(): URL {
    const hash = hexOf(sha256(utf8(this.#log.origin)));
    return new URL(`${hash}/checkpoint`, this.#target.monitoring);
  }
}

function cannot(reason: string): CountersignError {
  return new CountersignError("gateway_refused", `Cannot test ${reason}`);
}
