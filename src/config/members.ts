/**
 * The members of the objects in operators' files. Each parser takes the names from here, and
 * docs/configuration.md is generated from here.
 *
 * @module
 */

import type { Schema } from "../proof/format/schema.ts";

/** One member of an object. */
export interface Member {
  /** For the reader, such as `text` or `list of URLs`. */
  readonly type: string;
  readonly help: string;
  readonly isOptional: boolean;
  /** The value in its absence, if there is one. */
  readonly standard?: string;
  /** Members of the object, or of each object in the list. */
  readonly members?: Members | Schema<unknown>;
}

/** Members by name, in the order of the reference. */
export type Members = Readonly<Record<string, Member>>;

/** A member that a file must have. */
export function required(type: string, help: string, members?: Member["members"]): Member {
  return { type, help, isOptional: false, ...(members !== undefined && { members }) };
}

/** A member that may be absent. */
export function optional(
  type: string,
  help: string,
  { standard, members }: {
    readonly standard?: string | number;
    readonly members?: Member["members"];
  } = {},
): Member {
  return {
    type,
    help,
    isOptional: true,
    ...(standard !== undefined && { standard: String(standard) }),
    ...(members !== undefined && { members }),
  };
}

/** The names of `members`, as `Fields` takes them. */
export function namesOf(
  members: Members,
): [required: readonly string[], rules: { readonly optional: readonly string[] }] {
  const names = (isOptional: boolean) =>
    Object.keys(members).filter((name) => members[name]!.isOptional === isOptional);
  return [names(false), { optional: names(true) }];
}
