import assert from "node:assert/strict";
import { CountersignError } from "../../../src/base/errors.ts";
import { reportError, type ReportLevel } from "../../../src/base/report.ts";
import { Log } from "../../../src/server/log/log.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFormat } from "../../../src/server/log/log_choice.ts";
import { FakeClock } from "../../fake_clock.ts";

/** A log that keeps its lines. */
function kept(format: LogFormat, level: ReportLevel = "debug", colour = false) {
  const lines: string[] = [];
  const write = (line: string) => lines.push(line);
  const log = new Log({ format, level, colour, clock: new FakeClock(1_800_000_000), write });
  return { lines, log };
}

Deno.test("a text line has the sentence and the request id", () => {
  const { lines, log } = kept("text");
  const report = log.report("gateway");
  report("witnesses agree with the store again", { level: "info" });
  report("Cannot read: this", { code: "internal", request_id: "0123456789abcdef" });
  assert.deepEqual(lines, [
    "countersign: witnesses agree with the store again",
    "countersign: Cannot read: this (request 0123456789abcdef)",
  ]);
});

Deno.test("a JSON line has the members of its report", () => {
  const { lines, log } = kept("json");
  log.report("anchoring")("peer fails", { peer: "peer.example", code: "peer_refused" });
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [{
    "@timestamp": "2027-01-15T08:00:00.000Z",
    level: "WARN",
    message: "peer fails",
    logger: "countersign.anchoring",
    peer: "peer.example",
    code: "peer_refused",
  }]);
});

Deno.test("a pretty line has time, level and component, and optional colours", () => {
  const plain = kept("pretty");
  plain.log.report("http")("Lost the listener", { level: "error", status: 500 });
  assert.deepEqual(plain.lines, [
    "2027-01-15T08:00:00.000Z [ERR] countersign.http: Lost the listener status=500",
  ]);
  const coloured = kept("pretty", "debug", true);
  coloured.log.report("http")("Lost the listener", { level: "error" });
  assert.ok(coloured.lines[0]!.includes("\x1b["));
});

Deno.test("a level includes all higher levels", () => {
  for (const [i, level] of LOG_LEVELS.entries()) {
    const { lines, log } = kept("json", level);
    for (const told of LOG_LEVELS) log.report("gateway")(told, { level: told });
    assert.deepEqual(lines.map((line) => JSON.parse(line).message), LOG_LEVELS.slice(i));
    assert.equal(log.isVerbose, level === "debug");
  }
});

Deno.test("untrusted text cannot end a line or control a terminal, in any format", () => {
  const hostile = "a\nb\r\x1b[2J\x1b]0;title\x07\u0085\u009b31m\u2028\u202e\u2066\u061c\x1b[31mred";
  for (const format of LOG_FORMATS) {
    const { lines, log } = kept(format);
    log.report("gateway")(hostile, { peer: hostile, causes: [hostile] });
    assert.equal(lines.length, 1);
    // deno-lint-ignore no-control-regex
    assert.doesNotMatch(lines[0]!, /[\x00-\x1f\x7f-\x9f\u061c\u2028-\u202e\u2066]/, format);
    assert.ok(lines[0]!.includes("red"));
  }
});

Deno.test("an error is logged with its code and its causes", () => {
  const { lines, log } = kept("json");
  const cause = new TypeError("disk", {
    cause: new CountersignError("file_failed", "Cannot read"),
  });
  reportError(
    log.report("http"),
    new CountersignError("storage_failed", "Cannot store", { cause }),
    {
      request_id: "0123456789abcdef",
    },
  );
  const { level, message, code, causes, request_id } = JSON.parse(lines[0]!);
  assert.deepEqual({ level, message, code, causes, request_id }, {
    level: "ERROR",
    message: "Cannot store",
    code: "storage_failed",
    causes: ["TypeError: disk", "file_failed: Cannot read"],
    request_id: "0123456789abcdef",
  });
});

Deno.test("any thrown value is logged in one line, and a cycle of causes ends", () => {
  const circle = new Error("round");
  circle.cause = circle;
  for (
    const thrown of [circle, undefined, null, "words", 7, { a: 1 }, Symbol("s"), "x".repeat(9999)]
  ) {
    const { lines, log } = kept("json");
    reportError(log.report("http"), thrown);
    assert.equal(lines.length, 1);
    assert.ok(lines[0]!.length < 2_000);
  }
});

Deno.test("a cause that quotes unparsed input is logged by its name only", () => {
  const { lines, log } = kept("json");
  let cause: unknown;
  try {
    JSON.parse('{"token": top-secret}');
  } catch (error) {
    cause = error;
  }
  assert.match(String(cause), /top-secret/);
  reportError(log.report("http"), new CountersignError("internal", "Cannot read", { cause }));
  assert.deepEqual(JSON.parse(lines[0]!).causes, ["SyntaxError"]);
  assert.doesNotMatch(lines[0]!, /top-secret/);
});
