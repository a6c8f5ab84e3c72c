/**
 * Every small change of a JSON value: each leaf altered, each list element dropped, doubled and
 * swapped with its neighbour, each member dropped, and a member added to each object.
 *
 * @module
 */

/** A plain JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** One changed copy of a value. */
export interface Mutation {
  /** The changed path, such as `batch_inclusion.sth.signatures[0].signature`. */
  readonly path: string;
  /** The kind of change. */
  readonly change: string;
  readonly value: Json;
}

/** All single changes of `value`, which is at `path`. */
export function* mutations(value: Json, path = ""): Generator<Mutation> {
  if (Array.isArray(value)) yield* listMutations(value, path);
  else if (typeof value === "object" && value !== null) yield* objectMutations(value, path);
  else for (const [change, leaf] of leafChanges(value)) yield { path, change, value: leaf };
}

function* listMutations(list: Json[], path: string): Generator<Mutation> {
  for (const [i, element] of list.entries()) {
    const at = `${path}[${i}]`;
    for (const inner of mutations(element, at)) {
      yield { ...inner, value: list.with(i, inner.value) };
    }
    yield { path: at, change: "dropped", value: list.toSpliced(i, 1) };
    yield { path: at, change: "doubled", value: list.toSpliced(i, 0, element) };
    if (i > 0) {
      const swapped = list.with(i - 1, element).with(i, list[i - 1]!);
      yield { path: at, change: "swapped", value: swapped };
    }
  }
  if (list.length > 0) yield { path, change: "emptied", value: [] };
}

function* objectMutations(object: { [name: string]: Json }, path: string): Generator<Mutation> {
  for (const [name, member] of Object.entries(object)) {
    const at = path === "" ? name : `${path}.${name}`;
    for (const inner of mutations(member, at)) {
      yield { ...inner, value: { ...object, [name]: inner.value } };
    }
    const { [name]: _, ...rest } = object;
    yield { path: at, change: "dropped", value: rest };
    if (member !== null) yield { path: at, change: "null", value: { ...object, [name]: null } };
  }
  yield { path, change: "member added", value: { ...object, surprise: 1 } };
}

/** Other values of one leaf. A hash or signature changes in one digit. */
function* leafChanges(leaf: null | boolean | number | string): Generator<[string, Json]> {
  if (typeof leaf === "number") {
    yield ["one more", leaf + 1];
    yield ["one less", leaf - 1];
    yield ["zero", leaf === 0 ? 7 : 0];
    yield ["as text", String(leaf)];
  } else if (typeof leaf === "string") {
    yield* textChanges(leaf);
  } else {
    yield ["another value", leaf === null ? {} : !leaf];
  }
}

function* textChanges(text: string): Generator<[string, Json]> {
  yield ["longer", `${text}0`];
  yield ["shorter", text.slice(0, -1)];
  yield ["empty", ""];
  if (!/^[0-9a-f]{8,}$/.test(text)) return;
  for (const at of [0, Math.floor(text.length / 2), text.length - 1]) {
    const digit = text[at] === "0" ? "1" : "0";
    yield [`digit ${at}`, text.slice(0, at) + digit + text.slice(at + 1)];
  }
  if (text.toUpperCase() !== text) yield ["upper case", text.toUpperCase()];
}
