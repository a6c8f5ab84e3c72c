import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { LoadReport } from "../../bench/load/load_report.ts";
import { TrialDeployment } from "../../bench/load/trial_deployment.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const FEW = ["--connections", "4", "--warm-up", "0.05", "--json"];
/** Seconds of a measurement, and of the next tries where a machine got nothing done in them. */
const SECONDS = [0.15, 2, 20];

/**
 * Runs the tool; `report` is of what it printed, if that is one. Rows that a slow machine left with
 * fewer than `least` answers to verify show nothing, and are measured again for longer.
 */
async function load(args: readonly string[], least = 1) {
  for (const seconds of SECONDS) {
    const loaded = await loadFor(seconds, args);
    if (showsEnough(loaded.report, least) || seconds === SECONDS.at(-1)) return loaded;
  }
  throw new Error("no measurement");
}

function showsEnough(report: LoadReport | undefined, least: number): boolean {
  if (report === undefined) return true;
  const { rows, limits } = report;
  return limits.every(({ perSecond }) => perSecond > 0) &&
    rows.every(({ verified, errors, echoRate }) =>
      (verified >= least || Object.keys(errors).length > 0) && echoRate !== 0
    );
}

async function loadFor(seconds: number, args: readonly string[]) {
  // The tool imports no package that the program does not, so that a test never downloads.
  const tool = ["run", "--cached-only", "--config", "deno.json", "-A", "bench/load/load.ts"];
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...tool, ...FEW, "--seconds", String(seconds), ...args],
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout);
  const report: LoadReport | undefined = text.startsWith("{") ? JSON.parse(text) : undefined;
  return { code, report, stderr: new TextDecoder().decode(stderr) };
}

Deno.test("every scenario counts and verifies the answers of a gateway", async () => {
  const { code, report, stderr } = await load([
    "--scenarios",
    "wait,submit,bulk,timestamp,status,bundle,proof,tiles,mixed",
    "--no-machine",
    "--prefill",
    "300",
    "--verify",
    "3",
    "--fronts",
    "1",
  ], 3);
  assert.equal(code, 0, stderr);
  assert.equal(report?.rows.length, 9);
  assert.equal(report.treeSize, 300);
  for (const row of report.rows) {
    assert.ok(row.accepted > 0, row.scenario);
    assert.deepEqual([row.errors, row.failures, row.verified], [{}, [], 3], row.scenario);
  }
  for (const row of report.rows.slice(0, 4)) assert.equal(row.confirmed, row.accepted);
});

Deno.test("load sends a token with each hash if the gateway requires tokens", async () => {
  const { code, report, stderr } = await load([
    "--scenarios",
    "submit",
    "--tokens",
    "--issue",
    "600",
    "--rate",
    "20",
    "--verify",
    "2",
    "--no-machine",
  ], 2);
  assert.equal(code, 0, stderr);
  const [row] = report!.rows;
  assert.deepEqual([row!.errors, row!.failures, row!.verified], [{}, [], 2]);
  assert.equal(row!.confirmed, row!.accepted);
});

Deno.test("an open loop is measured together with an echo server", async () => {
  const { code, report, stderr } = await load([
    "--scenarios",
    "wait",
    "--rate",
    "100",
    "--scheme",
    "bls",
  ]);
  assert.equal(code, 0, stderr);
  const [row] = report!.rows;
  assert.ok(row!.echoRate! > 0 && row!.accepted > 0);
  assert.equal(report!.limits.length, 3);
  assert.ok(report!.limits.every(({ perSecond }) => perSecond > 0));
  assert.deepEqual([row!.loop, row!.dueRate, report!.scheme], ["open", 100, "bls"]);
});

Deno.test("a wrong flag prints the known flags", async () => {
  const { code, stderr } = await load(["--conections", "3"]);
  assert.equal(code, 2);
  assert.match(stderr, /conections[^]*--scenarios A,B/);
});

Deno.test("a server that changes answers is detected", async () => {
  const dataFolder = await Deno.makeTempDir();
  const plan = { dataFolder, scheme: "ed25519", witnesses: "embedded", prefill: 300 } as const;
  const deployment = await TrialDeployment.start(plan);
  try {
    const honest = await throughProxy(deployment.gateway.url, (body) => body);
    assert.equal(honest.code, 0, honest.stderr);
    const forged = await throughProxy(
      deployment.gateway.url,
      (body) => body.replaceAll(/"signature":"../g, `"signature":"00`),
    );
    assert.equal(forged.code, 1);
    assert.ok(forged.report!.rows.every(({ failures }) => failures.length > 0));
    const swapped = await throughProxy(
      deployment.gateway.url,
      (body) => body.replace(/("hash":")./g, (_, name) => `${name}z`),
    );
    assert.equal(swapped.code, 1);
    assert.ok(swapped.report!.rows.every(({ errors }) => errors["wrong answer"]! > 0));
  } finally {
    await deployment.stop();
    await Deno.remove(dataFolder, { recursive: true });
  }
});

/** Runs `wait` and `bundle` through a proxy that changes the bodies of attestations and bundles. */
async function throughProxy(gateway: URL, change: (body: string) => string) {
  await using proxy = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      const answer = await fetch(new URL(pathname, gateway), {
        method: request.method,
        headers: request.headers,
        body: request.method === "POST" ? await request.text() : null,
      });
      const isChanged = /^\/v1\/(attestations|bundle)/.test(pathname);
      const body = isChanged ? change(await answer.text()) : await answer.bytes();
      return new Response(body, { status: answer.status });
    },
  );
  const url = `http://127.0.0.1:${proxy.addr.port}`;
  return await load(["--url", url, "--scenarios", "wait,bundle", "--no-machine", "--verify", "2"]);
}
