/**
 * The results of a run of the conformance suite, by clause.
 *
 * @module
 */

import { VERSION } from "../version.ts";
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

/** Collects findings. */
export class Findings {
  readonly all: Finding[] = [];

  judge(clause: string, check: string, fault: Fault, exchange?: Exchange): void {
    if (typeof fault !== "string") this.#add({ clause, check, verdict: "pass" }, exchange);
    else this.#add({ clause, check, verdict: "fail", reason: fault }, exchange);
  }

  unclear(clause: string, check: string, reason: string, exchange?: Exchange): void {
    this.#add({ clause, check, verdict: "unclear", reason }, exchange);
  }

  #add(finding: Finding, exchange: Exchange | undefined): void {
    clauseOf(finding.clause);
    if (exchange === undefined) this.all.push(finding);
    else {
      const { request, answer, command } = exchange;
      this.all.push({ ...finding, request, answer, command });
    }
  }
}

/** The report of the clauses that concern `kind`. */
export function reportOf(
  { kind, target, nowMs, notes }: {
    readonly kind: Role;
    readonly target: string;
    readonly nowMs: number;
    readonly notes: readonly string[];
  },
  findings: readonly Finding[],
): Report {
  const clauses = CLAUSES.filter(({ roles }) => roles.includes(kind)).map((clause) => {
    const checks = findings.filter((finding) => finding.clause === clause.id);
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
