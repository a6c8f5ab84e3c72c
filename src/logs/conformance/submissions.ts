/**
 * Requests to add-checkpoint, and what is known about the server's state.
 * A request that must be refused has only one fault. If the server accepts it nevertheless, it may have
 * stored a tree that is not the log's: later failures of valid requests are then `unclear`.
 *
 * @module
 */

import type { Bytes } from "../../base/bytes.ts";
import { CountersignError, tryParse } from "../../base/errors.ts";
import { type NoteSignature, parseSignatureLine } from "../../proof/format/note.ts";
import type { NoteKey } from "../../proof/format/note_key.ts";
import { CosignatureChecks, isOf, NO_KEYS, type SuiteContext } from "./cosignature_checks.ts";
import type { Exchange, ExchangeRequest } from "./exchange.ts";
import { type Fault, isUndecided } from "./report.ts";
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
  /**
   * The clause of its fault, and the clause that any status but the third member breaks. Acceptance breaks
   * the first only if it obliges the server.
   */
  readonly clauses: readonly [string, string, number];
  /** A status that another sentence requires for the same request. */
  readonly also?: number;
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
  /** Why nothing obliges the server. */
  readonly why?: string;
}

/** The change from one size to another. */
interface Step {
  readonly from: number;
  readonly to: number;
  readonly change?: Change;
}

export const isAccepted = ({ status }: Exchange) => status >= 200 && status < 300;
export const statusText = ({ status }: Exchange) => status === 0 ? "no answer" : `status ${status}`;

const BINDS_OTHERS = "the sentence binds whoever writes the request or the checkpoint";

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
  /**
   * Why the record may differ from the log's tree of `size`: the server's status for a valid request then
   * proves nothing.
   */
  doubt: string | undefined;

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

  /** Asks for the size for the first time. `gateway_refused` if the server does not follow the log. */
  async firstSize(): Promise<Exchange> {
    const answer = await this.#learnSize();
    const { log: { origin, vkey }, target: { url } } = this;
    if (answer.status === 0) throw cannot(this.#role, `no answer from ${url.host}`);
    if (answer.status === 404 || answer.status === 403) {
      const advice = `configure it with the origin ${origin} and the key ${vkey}`;
      throw cannot(this.#role, `${statusText(answer)}: ${advice}`);
    }
    if (isUndecided(answer)) throw cannot(this.#role, statusText(answer));
    return answer;
  }

  /** Asks for the size without changing it. */
  async #learnSize(): Promise<Exchange> {
    const answer = await this.post(1, 1);
    const told = /^[0-9]+/.exec(answer.text)?.[0];
    if (isAccepted(answer)) this.size = 1;
    else if (!isUndecided(answer) && told !== undefined) this.size = Number(told);
    else this.doubt = "the last cosigned size is not known";
    return answer;
  }

  /** After requests whose success is not known: asks for the size and refreshes it. */
  async recover(reason: string): Promise<Exchange> {
    this.doubt = undefined;
    await this.#learnSize();
    // A valid checkpoint of the same size may replace a wrong one. From size 0 no proof is needed.
    const refresh = await this.post(this.size, this.size);
    if (this.size > 0 && !isAccepted(refresh)) this.doubt ??= reason;
    return refresh;
  }

  /** A mirror stores the checkpoint and does not cosign it yet. */
  #judgeMirrored(check: string, answer: Exchange): void {
    const { findings } = this.context;
    const lines = linesOf(answer);
    const { keys } = this.target;
    const named = lines.filter(({ name }) => keys.some((key) => key.name === name));
    const isOwn = named.some((line) => keys.some((key) => isOf(key, line)));
    const rows = [
      ["not-signed", isOwn && "a line has the name and key ID of the mirror's key"],
      ["distinct-cosigner", named.length > 0 && "a line has the name of the mirror's key"],
    ] as const;
    for (const [id, fault] of rows) {
      const clause = `tlog-mirror/${id}`;
      if (lines.length > 0 && keys.length === 0) findings.unclear(clause, check, NO_KEYS, answer);
      else this.judge(clause, check, fault, answer);
    }
  }

  async grow(to: number, check: string): Promise<boolean> {
    return await this.accepted("tlog-witness/success", check, { from: this.size, to });
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
      this.doubt = undefined;
    } else if (this.doubt !== undefined && (answer.status === 409 || answer.status === 422)) {
      findings.unclear(clause, check, this.doubt, answer);
    } else this.judge(clause, check, `${statusText(answer)} instead of 200`, answer);
    return answer.status === 200;
  }

  async refused(
    { clauses: [clause, statusClause, code], also, check, body, isInconsistent = false }: Refused,
  ): Promise<Exchange> {
    const answer = await this.send("add-checkpoint", { method: "POST", body: await body });
    const { findings } = this.context;
    if (!findings.obliges(clause)) this.#record(clause, check, answer, BINDS_OTHERS);
    else if (clause !== statusClause) {
      const fault = isAccepted(answer) && `${statusText(answer)}: it was accepted`;
      if (!isAccepted(answer) && answer.status < 400) {
        findings.unclear(clause, check, `${statusText(answer)} is no refusal`, answer);
      } else this.judge(clause, check, fault, answer);
    }
    if (answer.status === also) {
      const reason = `${statusText(answer)}, which another sentence requires, instead of ${code}`;
      findings.unclear(statusClause, check, reason, answer);
    } else this.judge(statusClause, check, statusFault(answer, code), answer);
    if (isInconsistent) {
      const fault = linesOf(answer).length > 0 && "the answer has a signature line";
      this.judge("tlog-witness/no-cosignature", check, fault, answer);
    }
    await this.#recoverFrom(answer);
    return answer;
  }

  /** Sends a request whose fault the server need not notice: what it does is `unclear`. */
  async unbound({ clause, check, body, why = BINDS_OTHERS }: Broken): Promise<void> {
    const answer = await this.send("add-checkpoint", { method: "POST", body: await body });
    this.#record(clause, check, answer, why);
    await this.#recoverFrom(answer);
  }

  #record(clause: string, check: string, answer: Exchange, why: string): void {
    const verb = isAccepted(answer) ? "accepted" : "refused";
    const reason = `${statusText(answer)}: it was ${verb}; ${why}`;
    this.context.findings.unclear(clause, check, reason, answer);
  }

  /** After an answer to an invalid request. */
  async #recoverFrom(answer: Exchange): Promise<void> {
    if (isAccepted(answer)) await this.recover("the server accepted an invalid checkpoint before");
  }

  judgeConflict(check: string, answer: Exchange): void {
    if (answer.status !== 409) return;
    const { text, headers } = answer;
    const isSize = /^(0|[1-9][0-9]*)\n$/.test(text);
    const isRight = text === `${this.size}\n` || this.doubt !== undefined;
    const wrong = isSize ? !isRight && `the body is not ${this.size}` : "the body is no size";
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

/** The signature lines in an answer that may have others. */
function linesOf({ text }: Exchange): readonly NoteSignature[] {
  return text.split("\n").flatMap((line) => tryParse(() => parseSignatureLine(line)) ?? []);
}

function cannot(role: string, reason: string): CountersignError {
  return new CountersignError("gateway_refused", `Cannot test ${role}: ${reason}`);
}
