/**
 * Requests to add-checkpoint, and what is known about the server's state.
 * A request that must be refused has only one fault. If the server accepts it nevertheless, it may have
 * stored a tree that is not the log's: later failures of valid requests are then `unclear`.
 *
 * @module
 */

import type { Bytes } from "../bytes.ts";
import { CountersignError, tryParse } from "../errors.ts";
import { parseSignatureLine } from "../format/note.ts";
import type { NoteKey } from "../format/note_key.ts";
import { CosignatureChecks, NO_KEYS, type SuiteContext } from "./cosignature_checks.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";
import type { Fault } from "./report.ts";
import type { Change, SuiteLog } from "./suite_log.ts";

export interface WitnessTarget {
  /** The submission prefix. */
  readonly url: URL;
  /** The monitoring prefix. */
  readonly monitoring: URL;
  /** The witness's keys, or the mirror's; without them no cosignature is verified. */
  readonly keys: readonly NoteKey[];
}

/** A request that must be refused. */
interface Refused {
  /** The clause that acceptance breaks, and the clause that any status but the third member breaks. */
  readonly clauses: readonly [string, string, number];
  /** True if the request fails a consistency check, after which nothing may be cosigned. */
  readonly isInconsistent?: boolean;
  readonly check: string;
  readonly body: string | Bytes | Promise<string | Bytes>;
}

/** A request that breaks a rule for clients or logs. No sentence obliges the server to refuse it. */
interface Broken {
  readonly clause: string;
  readonly check: string;
  readonly body: string | Bytes | Promise<string | Bytes>;
}

/** The change from one size to another. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly change?: Change;
}

export const isAccepted = ({ status }: Exchange) => status >= 200 && status < 300;
export const statusText = ({ status }: Exchange) => status === 0 ? "no answer" : `status ${status}`;

export const statusFault = (answer: Exchange, code: number): Fault =>
  answer.status !== code && `${statusText(answer)} instead of ${code}`;

export class Submissions {
  readonly log: SuiteLog;
  readonly target: WitnessTarget;
  readonly context: SuiteContext;
  readonly cosignatures: CosignatureChecks;
  readonly #role: "witness" | "mirror";
  /** The size of the last checkpoint that was accepted. */
  size = 0;
  /** True after an invalid request was accepted, until a valid one of that size is accepted. */
  acceptedInvalid = false;

  /** A mirror does not cosign submitted checkpoints. */
  constructor(
    log: SuiteLog,
    target: WitnessTarget,
    context: SuiteContext,
    role: "witness" | "mirror",
  ) {
    this.log = log;
    this.target = target;
    this.context = context;
    this.#role = role;
    this.cosignatures = new CosignatureChecks(`tlog-${role}`, target.keys, context);
  }

  /** Asks for the size without changing it. */
  async learnSize(): Promise<Exchange> {
    const answer = await this.post(1, 1);
    if (answer.status === 0) throw cannot(this.#role, `no answer from ${this.target.url.host}`);
    if (answer.status === 404 || answer.status === 403) {
      const { origin, vkey } = this.log;
      const advice = `configure it with the origin ${origin} and the key ${vkey}`;
      throw cannot(this.#role, `${statusText(answer)}: ${advice}`);
    }
    if (isAccepted(answer)) this.size = 1;
    else this.size = Number(/^[0-9]+/.exec(answer.text)?.[0] ?? 0);
    return answer;
  }

  /** A mirror stores the checkpoint and does not cosign it yet. */
  #judgeMirrored(check: string, answer: Exchange): void {
    const { findings } = this.context;
    const lines = answer.text.split("\n").flatMap((line) =>
      tryParse(() => parseSignatureLine(line)) ?? []
    );
    const isOwn = lines.some(({ name }) => this.target.keys.some((key) => key.name === name));
    const fault = isOwn && "a line has the name of the mirror's key";
    for (const clause of ["tlog-mirror/not-signed", "tlog-mirror/distinct-cosigner"]) {
      if (lines.length > 0 && this.target.keys.length === 0) {
        findings.unclear(clause, check, NO_KEYS, answer);
      } else this.judge(clause, check, fault, answer);
    }
  }

  async grow(to: number, check: string): Promise<void> {
    await this.accepted("tlog-witness/success", check, { from: this.size, to });
  }

  async accepted(
    clause: string,
    check: string,
    { from, to, change = {} }: Step,
  ): Promise<boolean> {
    const answer = await this.post(from, to, change);
    const { findings } = this.context;
    if (answer.status === 200) {
      this.size = to;
      this.judge(clause, check, undefined, answer);
      const { text } = await this.log.note(to, change);
      if (this.#role === "witness") await this.cosignatures.judge(check, answer, text);
      else this.#judgeMirrored(check, answer);
    } else if (this.acceptedInvalid && (answer.status === 409 || answer.status === 422)) {
      findings.unclear(clause, check, "the witness accepted an invalid checkpoint before", answer);
    } else this.judge(clause, check, `${statusText(answer)} instead of 200`, answer);
    return answer.status === 200;
  }

  async refused(
    { clauses: [clause, statusClause, code], check, body, isInconsistent = false }: Refused,
  ): Promise<Exchange> {
    const answer = await this.send("add-checkpoint", { method: "POST", body: await body });
    if (clause !== statusClause) {
      if (isAccepted(answer)) {
        this.judge(clause, check, `${statusText(answer)}: it was accepted`, answer);
      } else if (answer.status < 400) {
        this.context.findings.unclear(clause, check, `${statusText(answer)} is no refusal`, answer);
      } else this.judge(clause, check, undefined, answer);
    }
    this.judge(statusClause, check, statusFault(answer, code), answer);
    if (isInconsistent) {
      const fault = answer.text.includes("\u2014 ") && "the answer has a signature line";
      this.judge("tlog-witness/no-cosignature", check, fault, answer);
    }
    if (isAccepted(answer)) await this.#recover();
    return answer;
  }

  /** Sends a request whose fault the server need not notice: what it does is `unclear`. */
  async unbound({ clause, check, body }: Broken): Promise<void> {
    const answer = await this.send("add-checkpoint", { method: "POST", body: await body });
    const verb = isAccepted(answer) ? "accepted" : "refused";
    const reason = `${statusText(answer)}: it was ${verb}. The sentence binds whoever writes the ` +
      "request or the checkpoint, and none obliges the server to refuse it";
    this.context.findings.unclear(clause, check, reason, answer);
    if (isAccepted(answer)) await this.#recover();
  }

  /** After an invalid request was accepted. */
  async #recover(): Promise<void> {
    await this.learnSize();
    // A valid checkpoint of the same size may replace the wrong one. From size 0 no proof is needed.
    const refresh = await this.post(this.size, this.size);
    this.acceptedInvalid = this.size > 0 && !isAccepted(refresh);
  }

  judgeConflict(check: string, answer: Exchange): void {
    if (answer.status !== 409) return;
    const { text, headers } = answer;
    const wrong = text !== `${this.size}\n` && `the body is not ${this.size} and a newline`;
    this.judge("tlog-witness/conflict-body", check, wrong, answer);
    const type = headers.get("Content-Type");
    const fault = type !== "text/x.tlog.size" && `the Content-Type is ${type}`;
    this.judge("tlog-witness/conflict-type", check, fault, answer);
  }

  judge(clause: string, check: string, fault: Fault, answer?: Exchange): void {
    this.context.findings.judge(clause, check, fault, answer);
  }

  async post(from: number, to: number, change: Change = {}): Promise<Exchange> {
    const body = await this.log.request(from, to, change);
    return await this.send("add-checkpoint", { method: "POST", body });
  }

  async send(path: string | URL, request?: ExchangeRequest): Promise<Exchange> {
    return await this.context.exchanger.send(new URL(path, this.target.url), request);
  }
}

function cannot(role: string, reason: string): CountersignError {
  return new CountersignError("gateway_refused", `Cannot test ${role}: ${reason}`);
}
