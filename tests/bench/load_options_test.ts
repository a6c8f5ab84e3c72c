import assert from "node:assert/strict";
import { parseLoadOptions, UsageError } from "../../bench/load/load_options.ts";

Deno.test("flags are parsed", () => {
  const options = parseLoadOptions([
    "--scenarios",
    "wait,mixed",
    "--connections",
    "1,512",
    "--rate",
    "2e4",
    "--mix",
    "proof=1,tiles=0.5",
    "--prefill",
    "1e6",
    "--url",
    "http://localhost:8080",
  ]);
  assert.deepEqual(options.scenarios, ["wait", "mixed"]);
  assert.deepEqual(options.connections, [1, 512]);
  assert.equal(options.rate, 20_000);
  assert.equal(options.prefill, 1_000_000);
  assert.deepEqual([...options.mix], [["proof", 1], ["tiles", 0.5]]);
  assert.equal(options.url?.port, "8080");
  assert.equal(options.overload, undefined);
  assert.equal(options.tsa, undefined);
  const stamping = parseLoadOptions(["--scenarios", "timestamp", "--tsa", "rsa-3072"]);
  assert.equal(stamping.tsa, "rsa-3072");
});

Deno.test("an invalid flag is refused", () => {
  const refused = [
    ["--scenario", "wait"],
    ["wait"],
    ["--scenarios", "wait,read"],
    ["--scenarios", ""],
    ["--connections", "0"],
    ["--connections", "1.5"],
    ["--seconds", "-1"],
    ["--seconds", "x"],
    ["--rate", ""],
    ["--url", "ftp://localhost"],
    ["--url", "localhost:8080"],
    ["--mix", "proof"],
    ["--scheme", "rsa"],
    ["--scenarios", "timestamp", "--tsa", "rsa"],
    ["--tokens=3"],
    ["--tokens", "--url", "http://localhost:8080"],
    ["--tokens", "--data", "folder"],
    ["--issue", "0"],
    ["--fronts", "-1"],
  ];
  for (const args of refused) {
    assert.throws(() => parseLoadOptions(args), UsageError, args.join(" "));
  }
});
