import assert from "node:assert/strict";
import { encodeChecksums, parseChecksums } from "../../src/format/checksum_list.ts";

const [A, B] = ["a1".repeat(32), "b2".repeat(32)] as const;

Deno.test("a checksum list keeps every name, also with line ends and backslashes", () => {
  const files = ["plain", " two  spaces ", "line\nend", "back\\slash", "\\n", "return\r", "#x"]
    .map((name) => ({ name, hash: A }));
  assert.deepEqual(parseChecksums(encodeChecksums(files)), files);
});

Deno.test("GNU and BSD lines, comments, empty lines and CRLF are accepted", () => {
  const text = `# release\r\n${A.toUpperCase()} *one\r\n\r\nSHA256 (two (2)) = ${B}\n`;
  assert.deepEqual(parseChecksums(text), [{ name: "one", hash: A }, { name: "two (2)", hash: B }]);
});

Deno.test("other lines, empty lists and contradictions are refused with their line", () => {
  const cases = [
    ["", /lists no file/],
    ["# nothing\n", /lists no file/],
    [`${A}  one\nnothing\n`, /line 2/],
    [`${A} one\n`, /line 1/],
    [`${A.slice(1)}  one\n`, /line 1/],
    [`\\${A}  bad\\x\n`, /line 1/],
    [`\\${A}  bad\\\n`, /line 1/],
    [`${A}  one\n${B}  one\n`, /line 2 repeats/],
  ] as const;
  for (const [text, message] of cases) assert.throws(() => parseChecksums(text), message);
});
