/**
 * The results of a run of the conformance suite, by clause.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { VERSION } from "../../base/version.ts";
import { C2SP_VERSION, type Clause, clauseOf, CLAUSES, type Level, type Role } from "./clauses.ts";
import type { Exchange } from "./exchange.ts";

export type Verdict = "pass" | "fail" | "unclear";

/** The result of one check of one clause. */
export interface Finding {
  readonly clause: string;
  /** What was done. */
  readonly check: string;
  readonly verdict: Verdict;
  /** Why the verdict is not `pass`. */
  readonly reason?: string;
  readonly request?: string;
  readonly answer?: string;
  /** A shell command that repeats the request. */
  readonly command?: string;
}

/** Why a check failed; `undefined` or false if it passed. */
export type Fault = string | false | undefined;

/** A clause with its checks. The worst verdict of the checks is that of the clause. */
export interface JudgedClause extends Clause {
  readonly verdict: Verdict | "not_testable";
  readonly checks: readonly Finding[];
}

type Summary = Record<Level, Record<JudgedClause["verdict"], number>>;

/** The result of a run. */
export interface Report {
  readonly suite: string;
  readonly specification: string;
  readonly kind: Role;
  readonly target: string;
  /** Time of the run, RFC 3339. */
  readonly time: string;
  /** Notes for the reader, such as the state that the commands need. */
  readonly notes: readonly string[];
  readonly summary: Summary;
  readonly clauses: readonly JudgedClause[];
}

/** What a finding shows of an exchange. */
type ShownExchange =
  & Pick<Exchange, "request" | "answer" | "command">
  & Partial<Pick<Exchange, "status">>;

/** No answer, or one that overload or a proxy explains: it says nothing about a rule. */
export const isUndecided = ({ status }: Pick<Exchange, "status">) =>
  [0, 429, 502, 503, 504].includes(status);

/** Collects findings about a program of the kind `role`. */
export class Findings {
  readonly all: Finding[] = [];
  readonly role: Role;

  constructor(role: Role) {
    this.role = role;
  }

  /** `internal` for a clause that lists the role in parentheses: it obliges another party. */
  judge(clause: string, check: string, fault: Fault, exchange?: ShownExchange): void {
    if (clauseOf(clause).roles.includes(this.role) && !this.obliges(clause)) {
      throw new CountersignError("internal", `Clause ${clause} does not oblige a ${this.role}`);
    }
    const status = exchange?.status;
    if (status !== undefined && isUndecided({ status })) {
      const reason = status === 0 ? "no answer" : `status ${status}, which may pass`;
      this.#add({ clause, check, verdict: "unclear", reason }, exchange);
    } else if (typeof fault !== "string") {
      this.#add({ clause, check, verdict: "pass" }, exchange);
    } else this.#add({ clause, check, verdict: "fail", reason: fault }, exchange);
  }

  unclear(clause: string, check: string, reason: string, exchange?: ShownExchange): void {
    this.#add({ clause, check, verdict: "unclear", reason }, exchange);
  }

  /** True if the sentence of `clause` binds the program under test. */
  obliges(clause: string): boolean {
    return clauseOf(clause).obliged.includes(this.role);
  }

  #add(finding: Finding, exchange: ShownExchange | undefined): void {
    clauseOf(finding.clause);
    if (exchange === undefined) this.all.push(finding);
    else {
      const { request, answer, command } = exchange;
      this.all.push({ ...finding, request, answer, command });
    }
  }
}

/** The report of the clauses that concern the program under test. */
export function reportOf(
  { target, nowMs, notes }: {
    readonly target: string;
    readonly nowMs: number;
    readonly notes: readonly string[];
  },
  { role: kind, all }: Findings,
): Report {
  const clauses = CLAUSES.filter(({ roles }) => roles.includes(kind)).map((clause) => {
    const checks = all.filter((finding) => finding.clause === clause.id);
    return { ...clause, verdict: verdictOf(clause, checks), checks };
  });
  return {
    suite: `countersign ${VERSION}`,
    specification: C2SP_VERSION,
    kind,
    target,
    time: new Date(nowMs).toISOString(),
    notes,
    summary: {
      MUST: count(clauses, "MUST"),
      SHOULD: count(clauses, "SHOULD"),
      FORMAT: count(clauses, "FORMAT"),
    },
    clauses,
  };
}

/** The clauses of level MUST or FORMAT that failed. */
export function brokenMusts({ clauses }: Report): readonly JudgedClause[] {
  return clauses.filter(({ level, verdict }) => level !== "SHOULD" && verdict === "fail");
}

function verdictOf(clause: Clause, checks: readonly Finding[]): JudgedClause["verdict"] {
  const has = (verdict: Verdict) => checks.some((check) => check.verdict === verdict);
  if (has("fail")) return "fail";
  if (clause.untestable !== "") return "not_testable";
  return has("unclear") || checks.length === 0 ? "unclear" : "pass";
}

function count(clauses: readonly JudgedClause[], level: Level): Summary[Level] {
  const of = (verdict: JudgedClause["verdict"]) =>
    clauses.filter((clause) => clause.level === level && clause.verdict === verdict).length;
  return {
    pass: of("pass"),
    fail: of("fail"),
    unclear: of("unclear"),
    not_testable: of("not_testable"),
  };
}
