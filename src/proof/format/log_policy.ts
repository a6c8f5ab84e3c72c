/**
 * Trust policies of any logs (c2sp.org/tlog-policy): which logs and witnesses are known, and which
 * witnesses have to cosign a checkpoint.
 *
 *     log <vkey> [<url>]
 *     witness <name> <vkey> [<url>]
 *     group <name> <k, any or all> <name of a witness or group> ...
 *     quorum <name, or none>
 *
 * @module
 */

import { hexOf, integerOf, textOf } from "../../base/bytes.ts";
import { errorBuilder } from "../../base/errors.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "./note_key.ts";

/** A key, and where its owner is reached. */
export interface PolicyKey {
  readonly key: NoteKey;
  readonly url?: string;
}

/** Met by at least `needed` of the members; a witness is a member by its name. */
interface PolicyGroup {
  readonly needed: number;
  readonly members: readonly string[];
}

/** A parsed policy. */
export interface LogPolicy {
  readonly logs: readonly PolicyKey[];
  /** By the names that the policy gives them. */
  readonly witnesses: ReadonlyMap<string, PolicyKey>;
  readonly groups: ReadonlyMap<string, PolicyGroup>;
  /** A witness, a group or `none`. */
  readonly quorum: string;
}

const LOG_TYPES = [NOTE_TYPE.ed25519, NOTE_TYPE.mlDsaCosignature];
export const WITNESS_TYPES: readonly number[] = [NOTE_TYPE.cosignature, NOTE_TYPE.mlDsaCosignature];
const NONE = "none";
const MAX_LENGTH = 1 << 20;
/** Bounds the nesting of groups. The specification recommends 32 of each kind or more. */
const MAX_NAMES = 1_024;

const invalid = errorBuilder("invalid_configuration", "Cannot use log policy");

/**
 * Parses a policy; `invalid_configuration`, or `invalid_key` for a key of another type than a log's 0x01
 * or 0x06 and a witness's 0x04 or 0x06. Names are octets, as the specification has them.
 */
export function parseLogPolicy(bytes: Uint8Array): LogPolicy {
  if (bytes.length > MAX_LENGTH) throw invalid(`more than ${MAX_LENGTH} bytes`);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) throw invalid("control character");
  if (!text.endsWith("\n")) throw invalid("the last line does not end in a newline");
  return new PolicyReader().read(text);
}

/** Whether the witnesses that `cosigned`, by the policy's names, meet its quorum. */
export function meetsQuorum(policy: LogPolicy, cosigned: ReadonlySet<string>): boolean {
  const met = (name: string): boolean => {
    const group = policy.groups.get(name);
    if (group === undefined) return cosigned.has(name);
    return group.members.filter(met).length >= group.needed;
  };
  return policy.quorum === NONE || met(policy.quorum);
}

/** The key of the octets `vkey`, whose name is UTF-8. */
function keyOf(vkey: string, types: readonly number[]): NoteKey {
  const text = textOf(Uint8Array.from(vkey, (octet) => octet.charCodeAt(0)), "invalid_key");
  return parseVkey(text, types);
}

class PolicyReader {
  readonly #logs: PolicyKey[] = [];
  readonly #witnesses = new Map<string, PolicyKey>();
  readonly #groups = new Map<string, PolicyGroup>();
  readonly #members = new Set<string>();
  readonly #keys = new Set<string>();
  #quorum: string | undefined;

  read(text: string): LogPolicy {
    for (const [i, line] of text.split("\n").entries()) {
      const [kind, ...items] = line.split(/[ \t]+/).filter((item) => item !== "");
      if (kind === undefined || kind.startsWith("#")) continue;
      const problem = this.#add(kind, items);
      if (problem !== undefined) throw invalid(`line ${i + 1}: ${problem}`);
    }
    if (this.#quorum === undefined) throw invalid("no quorum line");
    const [logs, witnesses, groups] = [this.#logs, this.#witnesses, this.#groups];
    return { logs, witnesses, groups, quorum: this.#quorum };
  }

  /** Adds one line; returns what is wrong with it. */
  #add(kind: string, items: readonly string[]): string | undefined {
    const [name = "", second = "", ...rest] = items;
    if (kind === "log") return this.#addLog(items);
    if (kind === "witness") return this.#addWitness(name, items.slice(1));
    if (kind === "group") return this.#addGroup(name, second, rest);
    if (kind !== "quorum") return "unknown keyword";
    if (this.#quorum !== undefined) return "a second quorum";
    if (items.length !== 1) return "a quorum has one name";
    if (name !== NONE && !this.#isDefined(name)) return "the quorum is not defined above";
    this.#quorum = name;
    return undefined;
  }

  #addLog(items: readonly string[]): string | undefined {
    const [vkey = "", url] = items;
    if (items.length < 1 || items.length > 2) return "a log has a key and at most one URL";
    const key = keyOf(vkey, LOG_TYPES);
    this.#logs.push({ key, ...(url !== undefined && { url }) });
    return this.#addKey(`log ${hexOf(key.publicKey)}`);
  }

  #addWitness(name: string, items: readonly string[]): string | undefined {
    const [vkey = "", url] = items;
    if (items.length < 1 || items.length > 2) {
      return "a witness has a name, a key and at most one URL";
    }
    if (name === NONE || this.#isDefined(name)) return "the name is taken";
    const key = keyOf(vkey, WITNESS_TYPES);
    this.#witnesses.set(name, { key, ...(url !== undefined && { url }) });
    return this.#addKey(`witness ${hexOf(key.publicKey)}`);
  }

  #addGroup(name: string, rule: string, members: readonly string[]): string | undefined {
    if (members.length === 0) return "a group has a name, a rule and members";
    if (name === NONE || this.#isDefined(name)) return "the name is taken";
    if (this.#groups.size === MAX_NAMES) return `more than ${MAX_NAMES} groups`;
    for (const member of members) {
      if (!this.#isDefined(member)) return "a member is not defined above";
      if (this.#members.has(member)) return "a member is already in a group";
      this.#members.add(member);
    }
    const count = members.length;
    const needed = rule === "all" ? count : rule === "any" ? 1 : integerOf(rule);
    if (needed === undefined || needed < 1 || needed > count) {
      return "the number is not from 1 to that of the members";
    }
    this.#groups.set(name, { needed, members });
    return undefined;
  }

  #isDefined(name: string): boolean {
    return this.#witnesses.has(name) || this.#groups.has(name);
  }

  #addKey(key: string): string | undefined {
    if (this.#keys.has(key)) return "the key stands twice";
    this.#keys.add(key);
    return undefined;
  }
}
