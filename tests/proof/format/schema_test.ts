import assert from "node:assert/strict";
import { hasCode } from "../../../src/base/errors.ts";
import {
  type Components,
  COUNT,
  HASH,
  list,
  object,
  oneOf,
  orNull,
  type Schema,
  TEXT,
  union,
} from "../../../src/proof/format/schema.ts";

const CONTEXT = { where: "shelf", code: "malformed_request" } as const;
const BOOK = object({ title: TEXT, pages: COUNT.optional() }).named("Book");
const SHELF = object({ books: list(BOOK, 1, 2), owner: orNull(TEXT) }, "ignored").named("Shelf");

function refused(schema: Schema<unknown>, text: string, message: RegExp): void {
  assert.throws(
    () => schema.parseText(text, CONTEXT),
    (error) => hasCode(error, "malformed_request") && message.test(error.message),
    text,
  );
}

Deno.test("parseText() returns known members and names the first bad one", () => {
  const text = '{"books":[{"title":"a","pages":3}],"owner":null,"colour":1}';
  assert.deepEqual(SHELF.parseText(text, CONTEXT), {
    books: [{ title: "a", pages: 3 }],
    owner: null,
  });
  refused(SHELF, '{"books":[],"owner":null}', /shelf\.books: /);
  refused(SHELF, '{"books":[{"title":"a","isbn":1}],"owner":"b"}', /shelf\.books\[0\]: .*"isbn"/);
  refused(SHELF, '{"books":[{"title":"a","pages":1.5}],"owner":"b"}', /\.books\[0\]\.pages: /);
  refused(SHELF, '{"books":[{"title":"a"}]}', /shelf: member owner is missing/);
  for (const other of ["[]", "1.5", "null", '"a"']) refused(SHELF, other, /shelf: .*object/);
});

Deno.test("withDefault() reads its value for an absent member, and documents have it", () => {
  const schema = object({ size: COUNT.convert((size) => size + 1).withDefault(4) });
  assert.deepEqual(schema.parseText("{}", CONTEXT), { size: 5 });
  assert.deepEqual(schema.parseText('{"size":1}', CONTEXT), { size: 2 });
  refused(schema, '{"size":null}', /shelf\.size: expected an integer/);
  const { properties, required } = schema.describe({});
  assert.equal((properties as { size: { default: number } }).size.default, 4);
  assert.deepEqual(required, []);
});

Deno.test("convert() tells the place of a value, and its own errors pass", () => {
  const schema = list(TEXT.convert((text, where, { folder }) => `${folder} ${where} ${text}`));
  assert.deepEqual(schema.parseText('["a"]', { ...CONTEXT, folder: "/x" }), ["/x shelf[0] a"]);
  const failing = union(
    TEXT.convert(() => {
      throw new RangeError("own");
    }),
    TEXT,
  );
  assert.throws(() => failing.parseText('"a"', CONTEXT), RangeError);
});

Deno.test("union() reports the alternative that matches most deeply", () => {
  const either = union(object({ a: TEXT }), object({ kind: oneOf(["b"]), hash: HASH }));
  assert.deepEqual(either.parseText('{"a":"x"}', CONTEXT), { a: "x" });
  refused(either, '{"kind":"b","hash":"00"}', /shelf\.hash: .*64 lowercase hex/);
  refused(either, '{"a":"x","hash":1}', /shelf/);
});

Deno.test("describe() makes JSON Schema with one component for each name", () => {
  const components: Components = {};
  assert.deepEqual(SHELF.describe(components), { $ref: "#/components/schemas/Shelf" });
  assert.deepEqual(Object.keys(components), ["Shelf", "Book"]);
  assert.deepEqual(components["Book"], {
    type: "object",
    properties: {
      title: { type: "string" },
      pages: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    },
    required: ["title"],
    additionalProperties: false,
  });
});

Deno.test("object() refuses every other member, whatever its name", () => {
  const members = { title: TEXT };
  for (const name of ["", "Title", "toString", "constructor", "__proto__"]) {
    const text = `{"title":"a",${JSON.stringify(name)}:1}`;
    refused(object(members), text, /shelf: unknown member/);
    assert.deepEqual(object(members, "ignored").parseText(text, CONTEXT), { title: "a" }, name);
  }
});

Deno.test("object() takes no member from the prototype", () => {
  const value = Object.create({ title: "a" });
  assert.throws(() => object({ title: TEXT }).parse(value, CONTEXT), { code: CONTEXT.code });
});
