import assert from "node:assert/strict";
import {
  bytesText,
  countText,
  durationText,
  plural,
  relativeText,
  witnessName,
} from "../../src/explorer/text.ts";

Deno.test("durationText() and relativeText() choose the unit", () => {
  const durations = [[-5, "0 s"], [59.9, "59 s"], [60, "1 min"], [3599, "59 min"], [3600, "1 h"]];
  for (const [seconds, text] of [...durations, [172_799, "47 h"], [172_800, "2 d"]] as const) {
    assert.equal(durationText(seconds as number), text);
  }
  assert.deepEqual(
    [100, 99, 98, 40, 102, 160].map((time) => relativeText(time, 100)),
    ["just now", "just now", "2 s ago", "1 min ago", "in 2 s", "in 1 min"],
  );
});

Deno.test("countText(), plural() and bytesText() group digits and choose units", () => {
  assert.deepEqual([0, 999, 1000, 1234567].map(countText), ["0", "999", "1,000", "1,234,567"]);
  assert.deepEqual([plural(1, "leaf", "leaves"), plural(1000, "leaf", "leaves")], [
    "1 leaf",
    "1,000 leaves",
  ]);
  const sizes = [[0, "0 B"], [999, "999 B"], [1000, "1.0 kB"], [9949, "9.9 kB"], [9950, "10 kB"]];
  const large = [[999_499, "999 kB"], [999_500, "1.0 MB"], [1_073_741_824, "1.1 GB"]];
  for (const [bytes, text] of [...sizes, ...large, [2 ** 53, "9.0 PB"]] as const) {
    assert.equal(bytesText(bytes as number), text);
  }
});

Deno.test("witnessName() leaves out the network's id", () => {
  assert.equal(witnessName("a.example/log/w1", "a.example/log"), "w1");
  assert.equal(witnessName("a.example/logger/w1", "a.example/log"), "a.example/logger/w1");
});
