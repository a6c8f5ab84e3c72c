import assert from "node:assert/strict";
import plugin from "../../lint/writing.ts";

/** The rules that a source text breaks. */
function broken(source: string): string[] {
  return Deno.lint.runPlugin(plugin, "a.ts", source).map(({ id }) => id);
}

const SPREAD = ["writing/spread"];
const COMMENT = ["writing/comment"];

for (
  const [source, rules] of [
    ["f({ ...{ a, b }, c });", SPREAD],
    ["f({ ...({ a, b }), c });", SPREAD],
    ["f({ ...{ ...a, b } });", SPREAD],
    ['f(["a", ...["b", "c"]]);', SPREAD],
    ['f([...["a", "b"] as const, "c"]);', SPREAD],
    ["f(...[a, b]);", SPREAD],
    ["f({ ...a, b });", []],
    ["f([...a, ...b.map(c)]);", []],
    ["f([...[1, 2].map(String)]);", []],
    ["f({ ...(a === undefined ? {} : { a }) });", []],
    ["f({ ...(a !== undefined && { a }) });", []],
    ["/** See the module. */\nclass A {}", COMMENT],
    ["/** See the module. One step at a time. */\nclass A {}", COMMENT],
    ["/**\n * See the module. Times are\n * milliseconds.\n */\nclass A {}", COMMENT],
    ["// See the module.\nclass A {}", COMMENT],
    ["/** The module that sees. */\nclass A {}", []],
    ['f("See the module.");', []],
  ] as const
) {
  Deno.test(`${source} breaks ${rules.length === 0 ? "no rule" : rules.join()}`, () => {
    assert.deepEqual(broken(source), rules);
  });
}
