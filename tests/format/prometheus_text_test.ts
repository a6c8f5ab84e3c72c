import assert from "node:assert/strict";
import { CountersignError } from "../../src/errors.ts";
import { parsePrometheusText } from "../../src/format/prometheus_text.ts";

const members = (text: string) =>
  parsePrometheusText(text).map(({ name, labels, value }) => [
    name,
    Object.fromEntries(labels),
    value,
  ]);

Deno.test("samples are read with their labels, comments and empty lines are not", () => {
  assert.deepEqual(
    members(
      '# HELP a words\n# TYPE a counter\n\na 1\na{b="c",d="e f"} 2.5e-3\n' +
        'a{b="\\\\ \\" \\n }"} +Inf\na{le="+Inf"} -Inf\na{} NaN\n',
    ),
    [
      ["a", {}, 1],
      ["a", { b: "c", d: "e f" }, 0.0025],
      ["a", { b: '\\ " \n }' }, Infinity],
      ["a", { le: "+Inf" }, -Infinity],
      ["a", {}, NaN],
    ],
  );
  assert.deepEqual(members(""), []);
});

Deno.test("what is no sample is refused", () => {
  const wrong = [
    "a",
    "a b",
    "1a 1",
    "a  1",
    "a 1 1700000000",
    'a{b="c" 1',
    "a{b=c} 1",
    'a{b="c"d="e"} 1',
  ];
  wrong.push(
    'a{b="c",b="d"} 1',
    'a{b="\\x"} 1',
    "a 0x10",
    "a Infinity",
    "a 1_0",
    "a ",
    "{} 1",
    "a 1\r",
  );
  wrong.push('a{"b"="c"} 1', 'a{b="c"}1', "a __proto__", "a constructor");
  for (const line of wrong) {
    assert.throws(() => parsePrometheusText(`ok 1\n${line}\n`), (error) => {
      assert.ok(error instanceof CountersignError && error.code === "operator_refused", line);
      return true;
    }, JSON.stringify(line));
  }
});

Deno.test("no page is read without end", () => {
  assert.equal(parsePrometheusText("a 1\n".repeat(100_000)).length, 100_000);
  assert.throws(() => parsePrometheusText("a 1\n".repeat(100_001)), /100000 samples/);
});
