import assert from "node:assert/strict";
import { encodeChecksums, parseChecksums } from "../../../src/proof/format/checksum_list.ts";

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
    [`\\${A}  one\0`, /entry 1/],
    [`${A}  one\0${B}  one\0`, /entry 2 repeats/],
    [`${A}  one\0# comment\0`, /entry 2/],
    [`${A}  one\0\0`, /entry 2/],
    ["\0", /entry 1/],
  ] as const;
  for (const [text, message] of cases) assert.throws(() => parseChecksums(text), message);
});

Deno.test("a list of sha256sum -z has every entry, with names as they are", () => {
  const names = ["plain", "line\nend", "back\\slash", "return\r", "#x", " "];
  const list = names.map((name) => `${A}  ${name}\0`).join("");
  assert.deepEqual(parseChecksums(list), names.map((name) => ({ name, hash: A })));
  assert.deepEqual(parseChecksums(`SHA256 (one) = ${B}\0`), [{ name: "one", hash: B }]);
});

Deno.test("a list with any other separator is refused, not read as its first entry", () => {
  for (
    const separator of ["\r", "\v", "\f", "\t", "\x1e", "\x85", "\u2028", "\u2029", "\0\n"]
  ) {
    for (
      const entries of [[`${A}  one`, `${B}  two`], [`SHA256 (one) = ${A}`, `SHA256 (two) = ${B}`]]
    ) {
      const list = entries.join(separator);
      for (const text of [list, `${list}\n`, list + separator, `# list${separator}${list}\n`]) {
        assert.throws(
          () => parseChecksums(text),
          /Cannot read checksum list/,
          JSON.stringify(text),
        );
      }
    }
  }
  assert.throws(() => parseChecksums(`${A}  one\n${B}  two\n\0`), /Cannot read checksum list/);
  assert.throws(() => parseChecksums(`${A}  one\0${B}  two`), /does not end with one/);
});
