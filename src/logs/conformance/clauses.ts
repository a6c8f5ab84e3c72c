/**
 * The clauses that the conformance suite tests.
 *
 * @module
 */

import { CountersignError } from "../../base/errors.ts";
import { CLAUSE_TABLE } from "./clause_table.ts";

/** The kind of program that a clause binds. */
export type Role = "witness" | "log" | "mirror" | "verifier";

export type Level = "MUST" | "SHOULD" | "FORMAT";

export interface Clause {
  /** `<document>/<id>`. */
  readonly id: string;
  readonly document: string;
  readonly section: string;
  readonly level: Level;
  /** Programs whose report has the clause. */
  readonly roles: readonly Role[];
  /** Those that the sentence obliges: only they can pass or fail. */
  readonly obliged: readonly Role[];
  readonly sentence: string;
  /** Why it cannot be tested from outside; empty if it can. */
  readonly untestable: string;
}

/** The version of the C2SP documents. */
export const C2SP_VERSION = "C2SP/C2SP@5ba5ee830903e91240fc6f9f3a7a9293d49e69c9 (2026-07-22)";

/** All clauses, in the order of the documents. */
export const CLAUSES: readonly Clause[] = readTable();

const BY_ID = new Map(CLAUSES.map((clause) => [clause.id, clause]));

/** The clause with `id`; `internal` if there is none. */
export function clauseOf(id: string): Clause {
  const clause = BY_ID.get(id);
  if (clause === undefined) throw new CountersignError("internal", `No clause ${id}`);
  return clause;
}

function readTable(): Clause[] {
  const clauses: Clause[] = [];
  let [document, section] = ["", ""];
  for (const line of CLAUSE_TABLE.trim().split("\n")) {
    if (line.startsWith("## ")) document = line.slice(3);
    else if (line.startsWith("# ")) section = line.slice(2);
    else {
      const [, id, level, roles, untestable, sentence] =
        /^(\S+) \| (\S+) \| ([^|]+) \| (?:([^|]*) )?\| (.*)$/.exec(line)!;
      clauses.push({
        id: `${document}/${id}`,
        document,
        section,
        level: level as Level,
        roles: roles!.replaceAll(/[()]/g, "").split(" ") as Role[],
        obliged: roles!.split(" ").filter((role) => !role.startsWith("(")) as Role[],
        sentence: sentence!,
        untestable: untestable ?? "",
      });
    }
  }
  return clauses;
}
