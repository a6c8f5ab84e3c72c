/**
 * Tests a witness against c2sp.org/tlog-witness and the documents that it cites, and the add-checkpoint of
 * a mirror, which has the same rules.
 *
 * @module
 */

import { type Bytes, equalBytes, hexOf, utf8 } from "../../base/bytes.ts";
import { sha256 } from "../../proof/crypto/hashing.ts";
import { tryParse } from "../../base/errors.ts";
import { parseLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { parseNote } from "../../proof/format/note.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import type { Exchange } from "./exchange.ts";
import { checkLines, checkSignatures, checkTexts } from "./request_checks.ts";
import { isAccepted, statusFault, statusText, type Submissions } from "./submissions.ts";
import { SubtreeChecks } from "./subtree_checks.ts";
import type { Change, SuiteLog } from "./suite_log.ts";

const ZEROS: Bytes = new Uint8Array(32);

export class WitnessChecks {
  readonly #submissions: Submissions;
  readonly #log: SuiteLog;
  readonly #isMirror: boolean;

  constructor(submissions: Submissions, { isMirror }: { readonly isMirror: boolean }) {
    this.#submissions = submissions;
    this.#log = submissions.log;
    this.#isMirror = isMirror;
  }

  /** Returns notes on the state of the witness for the report. `gateway_refused` if it cannot be tested. */
  async run(): Promise<string[]> {
    const first = await this.#submissions.firstSize();
    const { size, doubt } = this.#submissions;
    const wasFresh = size === 0 && doubt === undefined && !isAccepted(first);
    const check = "an old size before anything was cosigned, or another one";
    this.#submissions.judgeConflict(check, first);
    if (wasFresh) await this.#checkFresh();
    const start = this.#submissions.size;
    if (start < 5) await this.#submissions.grow(5, "a checkpoint that extends the last one");
    await checkLines(this.#submissions);
    await checkTexts(this.#submissions);
    await checkSignatures(this.#submissions);
    await this.#checkSizes();
    await this.#checkProofs();
    await this.#checkKept();
    await this.#checkRecord();
    if (!this.#isMirror) {
      await this.#checkMonitoring();
      await this.#checkSubtrees();
    }
    return [
      wasFresh
        ? "The witness had cosigned nothing of this log before the run."
        : `The witness had cosigned size ${start} before the run: the clauses on a first checkpoint need a new log key.`,
      `After the run it has cosigned size ${this.#submissions.size}; commands that name another old size now get 409.`,
    ];
  }

  async #checkKept(): Promise<void> {
    const { size, doubt, context: { findings } } = this.#submissions;
    const refresh = await this.#submissions.post(size, size);
    const clause = "tlog-witness/old-size-matches";
    const check = "after all refusals, the last checkpoint again";
    const isChanged = refresh.status === 409 || refresh.status === 422;
    if (isAccepted(refresh) || isChanged && doubt === undefined) {
      const fault = isChanged && `${statusText(refresh)}: a refused request changed the record`;
      this.#submissions.judge(clause, check, fault, refresh);
    } else findings.unclear(clause, check, doubt ?? statusText(refresh), refresh);
  }

  async #checkFresh(): Promise<void> {
    if (!this.#isMirror) {
      const answer = await this.#get();
      this.#submissions.judge(
        "tlog-witness/monitoring-never",
        "the checkpoint of a log that was never cosigned",
        statusFault(answer, 404),
        answer,
      );
    }
    await this.#submissions.refused({
      clauses: ["tlog-witness/empty-root", "tlog-witness/empty-root-status", 422],
      check: "a checkpoint of size 0 with the root of another tree",
      body: this.#log.request(0, 0, { root: this.#log.root(1) }),
      isInconsistent: true,
    });
    await this.#submissions.refused({
      clauses: ["tlog-witness/empty-proof", "tlog-witness/proof-status", 422],
      check: "an old size of 0 with a proof",
      body: this.#log.request(0, 5, { path: [this.#log.root(1)] }),
      isInconsistent: true,
    });
    if (this.#submissions.size === 0) {
      await this.#submissions.accepted("tlog-witness/success", "a first checkpoint of size 0", {
        from: 0,
        to: 0,
      });
      await this.#submissions.grow(5, "from size 0 to 5, without a proof");
    }
  }

  async #checkSizes(): Promise<void> {
    const n = this.#submissions.size;
    await this.#submissions.refused({
      clauses: ["tlog-witness/old-size-limit", "tlog-witness/old-size-status", 400],
      check: "an old size above the checkpoint's",
      body: this.#log.request(n, n - 1),
      // No proof verifies for it.
      also: 422,
      isInconsistent: true,
    });
    for (const old of [n - 1, 0, n + 1]) {
      const check = `an old size of ${old} after ${n}`;
      const answer = await this.#submissions.refused({
        clauses: ["tlog-witness/old-size-matches", "tlog-witness/conflict", 409],
        check,
        body: this.#log.request(old, n + 6),
        isInconsistent: true,
      });
      this.#submissions.judgeConflict(check, answer);
    }
  }

  async #checkProofs(): Promise<void> {
    const proof = ["tlog-witness/proof", "tlog-witness/proof-status", 422] as const;
    const rows: readonly [string, (path: readonly Bytes[]) => Change][] = [
      ["no proof", () => ({ path: [] })],
      ["a proof with another first hash", (path) => ({ path: [ZEROS, ...path.slice(1)] })],
      ["a proof with a further hash", (path) => ({ path: [...path, ZEROS] })],
      ["another root than the proof leads to", () => ({ root: ZEROS })],
    ];
    for (const [check, change] of rows) {
      const from = this.#submissions.size;
      const to = from + 6;
      const body = this.#log.request(from, to, change(this.#log.path(from, to)));
      await this.#submissions.refused({ clauses: proof, check, body, isInconsistent: true });
    }
    await this.#submissions.unbound({
      clause: "tlog-witness/proof",
      check: "a proof from a size to itself",
      body: this.#log.request(this.#submissions.size, this.#submissions.size, { path: [ZEROS] }),
      why: "RFC 6962 defines no proof from a size to itself",
    });
    await this.#submissions.refused({
      clauses: ["tlog-witness/same-size", "tlog-witness/same-size-status", 422],
      check: "the same size with another root",
      body: this.#log.request(this.#submissions.size, this.#submissions.size, { root: ZEROS }),
      isInconsistent: true,
    });
  }

  /** Tests that each success replaces the stored checkpoint, and only one of concurrent requests does. */
  async #checkRecord(): Promise<void> {
    const n = this.#submissions.size;
    await this.#submissions.grow(n + 6, "a checkpoint that extends the last one, with a proof");
    if (this.#submissions.size === n) return;
    const recorded = { from: this.#submissions.size, to: this.#submissions.size };
    const check = "the checkpoint again that the last success recorded";
    if (!await this.#submissions.accepted("tlog-witness/success", check, recorded)) return;
    const from = this.#submissions.size;
    const bodies = await Promise.all(
      [1, 2, 3, 4].map((more) => this.#log.request(from, from + more)),
    );
    const answers = await Promise.all(
      bodies.map((body) => this.#submissions.send("add-checkpoint", { method: "POST", body })),
    );
    const [first, second] = answers.filter(isAccepted);
    const clause = "tlog-witness/old-size-matches";
    const several = "four requests at once, from one old size to four sizes";
    if (first === undefined) {
      const { findings } = this.#submissions.context;
      findings.unclear(clause, several, `${statusText(answers[0]!)} for all or others`, answers[0]);
    } else {
      const fault = second !== undefined && "more than one of them got 200";
      this.#submissions.judge(clause, several, fault, second ?? first);
    }
    const again = await this.#submissions.recover("concurrent requests may have been accepted");
    const closes = again.headers.get("Connection")?.toLowerCase() === "close";
    const fault = closes && "it says Connection: close";
    this.#submissions.judge("tlog-witness/keep-alive", "an answer by HTTP/1.1", fault, again);
  }

  /** Tests sign-subtree with a checkpoint that the witness has just cosigned. */
  async #checkSubtrees(): Promise<void> {
    const submissions = this.#submissions;
    await submissions.grow(submissions.size + 4, "a checkpoint to take a subtree of");
    const { text } = await this.#log.note(submissions.size);
    const signatures = submissions.cosignatures.returned;
    if (signatures.length === 0) return;
    await new SubtreeChecks(submissions, { text, signatures }, submissions.size).run();
  }

  async #checkMonitoring(): Promise<void> {
    const monitoring = "tlog-witness/monitoring";
    const check = "the checkpoint for monitors";
    const answer = await this.#get();
    const { crypto, findings } = this.#submissions.context;
    if (answer.status === 404) {
      const reason = "status 404: the witness may delay it for an hour; ask again after that";
      return findings.unclear(monitoring, check, reason, answer);
    }
    const refusal = !isAccepted(answer) && `${statusText(answer)} instead of 200`;
    this.#submissions.judge(monitoring, check, refusal, answer);
    if (!isAccepted(answer)) return;
    const note = tryParse(() => parseNote(answer.text));
    const head = note && tryParse(() => parseLogCheckpoint(note.text));
    const body = "tlog-witness/monitoring-body";
    if (note === undefined || head?.origin !== this.#log.origin) {
      return this.#submissions.judge(body, check, "it is not a checkpoint of the log", answer);
    }
    const byLog = await verifyNote(crypto, [this.#log.key], note);
    const missing = this.#submissions.cosignatures.returned.find((one) =>
      !note.signatures.some(({ name, keyId }) => name === one.name && equalBytes(keyId, one.keyId))
    );
    const fault = !byLog.valid
      ? "it has no valid signature of the log"
      : missing && `it has no cosignature of ${missing.name}, which add-checkpoint returned`;
    this.#submissions.judge(body, check, fault, answer);
    const delay = "tlog-witness/monitoring-delay";
    if (head.size === this.#submissions.size) {
      this.#submissions.judge(delay, check, undefined, answer);
    } else {
      const stale = `it has size ${head.size}, and ${this.#submissions.size} was cosigned just now`;
      findings.unclear(delay, check, stale);
    }
  }

  async #get(): Promise<Exchange> {
    return await this.#submissions.send(this.#checkpointUrl);
  }

  get #checkpointUrl(): URL {
    const hash = hexOf(sha256(utf8(this.#log.origin)));
    return new URL(`${hash}/checkpoint`, this.#submissions.target.monitoring);
  }
}
