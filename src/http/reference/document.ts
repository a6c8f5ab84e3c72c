/**
 * Accessors for the OpenAPI and AsyncAPI documents. An absent member reads as an empty value.
 *
 * @module
 */

/** An object of a document. */
export type Node = Readonly<Record<string, unknown>>;

/** The object in member `name`; `{}` if there is none. */
export function nodeOf(parent: Node, name: string): Node {
  const value = parent[name];
  return isNode(value) ? value : {};
}

/** The entries of the object in member `name` whose values are objects. */
export function entriesOf(parent: Node, name: string): [string, Node][] {
  return Object.entries(nodeOf(parent, name)).flatMap(([key, value]) =>
    isNode(value) ? [[key, value]] : []
  );
}

/** The objects of the list in member `name`. */
export function listOf(parent: Node, name: string): Node[] {
  const value = parent[name];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The text in member `name`; `""` if there is none. */
export function textOf(parent: Node, name: string): string {
  const value = parent[name];
  return typeof value === "string" ? value : "";
}

/** The component name in the `$ref` of `node`: its last segment. */
export function refOf(node: Node): string | undefined {
  const ref = node["$ref"];
  return typeof ref === "string" ? ref.split("/").at(-1) : undefined;
}

/** `node` itself, or the target of its `$ref` in `document`. */
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
