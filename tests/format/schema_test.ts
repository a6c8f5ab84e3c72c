import { strict as assert } from "node:assert";
import { COUNT, list, object, TEXT } from "../../src/format/schema.ts";

const CONTEXT = { where: "value", code: "malformed_request" } as const;
const MEMBERS = { a: COUNT, b: list(TEXT).optional() };

Deno.test("object() refuses every other member, whatever its name", () => {
  const strict = object(MEMBERS);
  assert.deepEqual(strict.parse({ a: 1 }, CONTEXT), { a: 1 });
  for (const name of ["", "A", "c", "toString", "__proto__"]) {
    const value = JSON.parse(`{"a":1,${JSON.stringify(name)}:1}`);
    assert.throws(() => strict.parse(value, CONTEXT), { code: "malformed_request" }, name);
    assert.deepEqual(object(MEMBERS, "ignored").parse(value, CONTEXT), { a: 1 }, name);
  }
});

Deno.test("object() does not take members from the prototype", () => {
  const value = Object.create({ a: 1 });
  assert.throws(() => object(MEMBERS).parse(value, CONTEXT), { code: "malformed_request" });
});
