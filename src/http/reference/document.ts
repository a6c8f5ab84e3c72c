/**
 * The documents of this gateway as the reference page walks them: JSON whose shape is known, but for
 * members that are absent.
 *
 * @module
 */

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** The object that stands in member `name`; an empty one where none does. */
export function nodeOf(parent: Node, name: string): Node {
  const value = parent[name];
  return isNode(value) ? value : {};
}

/** The members of the object that stands in member `name`. */
export function entriesOf(parent: Node, name: string): [string, Node][] {
  return Object.entries(nodeOf(parent, name)).flatMap(([key, value]) =>
    isNode(value) ? [[key, value]] : []
  );
}

/** The objects of the list that stands in member `name`. */
export function listOf(parent: Node, name: string): Node[] {
  const value = parent[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text that stands in member `name`; an empty one where none does. */
export function textOf(parent: Node, name: string): string {
  const value = parent[name];
  return typeof value === "string" ? value : "";
}

/** The last step of the `$ref` of `node`, which is a name in the document's components. */
export function refOf(node: Node): string | undefined {
  const ref = node["$ref"];
  return typeof ref === "string" ? ref.split("/").at(-1) : undefined;
}

/** What `node` is, or refers to within `document`. */
export function resolved(document: Node, node: Node): Node {
  const ref = node["$ref"];
  if (typeof ref !== "string") return node;
  const steps = ref.slice("#/".length).split("/").map((step) =>
    step.replaceAll("~1", "/").replaceAll("~0", "~")
  );
  return resolved(document, steps.reduce<Node>(nodeOf, document));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
