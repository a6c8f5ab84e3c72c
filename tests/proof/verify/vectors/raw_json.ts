/**
 * JSON as a tree of raw texts, so that a test can repeat a member or spell a number in any way.
 *
 * @module
 */

/** An object: its members in order; names may repeat. */
export interface RawObject {
  readonly members: readonly (readonly [name: string, value: RawJson])[];
}

/** The raw text of a scalar, a list, or an object. */
export type RawJson = string | readonly RawJson[] | RawObject;

/** One changed copy of a tree. */
export interface Edit {
  /** The change, such as `sth.signatures[0].signature removed`. */
  readonly name: string;
  readonly json: RawJson;
}

/** The tree of a plain value. */
export function rawOf(value: unknown): RawJson {
  if (Array.isArray(value)) return value.map(rawOf);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return { members: Object.entries(value).map(([name, member]) => [name, rawOf(member)]) };
}

/** The text of a tree, without white space. */
export function print(json: RawJson): string {
  if (typeof json === "string") return json;
  if (isList(json)) return `[${json.map(print).join()}]`;
  return `{${json.members.map(([name, value]) => `${JSON.stringify(name)}:${print(value)}`)}}`;
}

/** A copy of `json` whose value at `path`, such as `sth.signatures.0`, is `change` of it. */
export function edit(json: RawJson, path: string, change: (value: RawJson) => RawJson): RawJson {
  const [step = "", ...rest] = path.split(".");
  if (path === "") return change(json);
  const inner = (value: RawJson) => edit(value, rest.join("."), change);
  if (typeof json === "string") throw new Error(`no ${path} in ${json}`);
  if (isList(json)) return json.with(Number(step), inner(json[Number(step)]!));
  if (!json.members.some(([name]) => name === step)) throw new Error(`no member ${step}`);
  return { members: json.members.map(([n, v]) => n === step ? [n, inner(v)] : [n, v]) };
}

/** Every edit of `json`, which is at `path`: about four for each member and element. */
export function* edits(json: RawJson, path = ""): Generator<Edit> {
  if (typeof json === "string") yield* scalarEdits(json, path);
  else if (isList(json)) yield* listEdits(json, path);
  else yield* objectEdits(json, path);
}

function* objectEdits({ members }: RawObject, path: string): Generator<Edit> {
  for (const [i, [name, value]] of members.entries()) {
    const at = path === "" ? name : `${path}.${name}`;
    for (const { name: what, json } of edits(value, at)) {
      yield { name: what, json: { members: members.with(i, [name, json]) } };
    }
    yield { name: `${at} removed`, json: { members: members.toSpliced(i, 1) } };
    yield { name: `${at} twice`, json: { members: members.toSpliced(i, 0, members[i]!) } };
    if (value !== "null") {
      yield { name: `${at} null`, json: { members: members.with(i, [name, "null"]) } };
    }
  }
  const extra = { members: [...members, ["extra", "1"] as const] };
  yield { name: `${path || "resource"} with an unknown member`, json: extra };
}

function* listEdits(list: readonly RawJson[], path: string): Generator<Edit> {
  for (const [i, element] of list.entries()) {
    const at = `${path}[${i}]`;
    for (const { name, json } of edits(element, at)) yield { name, json: list.with(i, json) };
    yield { name: `${at} removed`, json: list.toSpliced(i, 1) };
    yield { name: `${at} twice`, json: list.toSpliced(i, 0, element) };
    if (i > 0) {
      const swapped = list.with(i - 1, element).with(i, list[i - 1]!);
      yield { name: `${at} before the one before it`, json: swapped };
    }
  }
  yield { name: `${path} an object`, json: { members: [] } };
}

/** Spellings of the integer `n` that a reader refuses. */
const SPELLINGS: readonly ((n: string) => string)[] = [
  (n) => `${n}.0`,
  (n) => `0${n}`,
  (n) => `${n}e0`,
  (n) => `-${n}`,
  (n) => `"${n}"`,
  (n) => `${n}E+0`,
  (n) => `${n}0000000000000000`,
  () => "9007199254740992",
  () => "18446744073709551616",
  () => "1e400",
];

function* scalarEdits(text: string, path: string): Generator<Edit> {
  if (/^[0-9]+$/.test(text)) {
    yield { name: `${path} one more`, json: String(Number(text) + 1) };
    if (text !== "0") yield { name: `${path} one less`, json: String(Number(text) - 1) };
    for (const shift of [0, 5]) {
      const spelling = SPELLINGS[(path.length + shift) % SPELLINGS.length]!(text);
      yield { name: `${path} spelt ${spelling}`, json: spelling };
    }
    return;
  }
  if (!text.startsWith('"')) return;
  const value = text.slice(1, -1);
  if (/^[0-9a-f]{16,}$/.test(value)) {
    const at = path.length % value.length;
    const digit = value[at] === "0" ? "1" : "0";
    yield {
      name: `${path} with another digit`,
      json: JSON.stringify(value.slice(0, at) + digit + value.slice(at + 1)),
    };
    if (/[a-f]/.test(value)) {
      yield { name: `${path} in capitals`, json: `"${value.toUpperCase()}"` };
    }
    yield { name: `${path} one digit short`, json: `"${value.slice(1)}"` };
  } else {
    yield { name: `${path} longer`, json: `"${value}x"` };
    yield { name: `${path} empty`, json: '""' };
  }
  const [first = ""] = value;
  if (first === "") return;
  const escaped = `\\u${first.charCodeAt(0).toString(16).padStart(4, "0")}`;
  yield { name: `${path} with an escaped character`, json: `"${escaped}${value.slice(1)}"` };
}

function isList(json: RawJson): json is readonly RawJson[] {
  return Array.isArray(json);
}
