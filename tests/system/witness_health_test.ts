/**
 * What a gateway and its witnesses say while witnesses cannot work, as real processes. A disk is full
 * for a process whose limit on the size of files was set to nothing (setrlimit(2)), and has room again
 * when the limit is lifted.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { IS_LONG } from "../long_runs.ts";
import { Deployment, eventually } from "../scenarios/deployment.ts";
import { submitBulk } from "../scenarios/trial_gateway.ts";

/** Has writes beyond the limit fail, where a process would end otherwise. */
const IGNORING_LIMIT = ["bash", "-c", `trap '' XFSZ; exec "$0" "$@"`];
const SAMPLES = IS_LONG ? 60 : 12;
const SAMPLE_MS = 250;
/** Of a witness that does not answer in time, as on a busy machine. */
const LATE = "witness_unreachable";

interface WitnessStatus {
  readonly id: string;
  readonly healthy: boolean;
  readonly last_error?: string;
  readonly failing?: readonly string[];
}

/** What `GET /v1/status` says of each witness, ascending by id. */
async function witnessesOf(deployment: Deployment): Promise<readonly WitnessStatus[]> {
  const { text } = await deployment.get("/v1/status");
  return JSON.parse(text).witnesses;
}

/** Waits until the witnesses are healthy or not, as `expected` says. */
function eventuallyHealthy(deployment: Deployment, expected: readonly boolean[]): Promise<true> {
  return eventually(`health ${expected.join(" ")}`, async () => {
    const witnesses = await witnessesOf(deployment);
    return witnesses.every(({ healthy }, place) => healthy === expected[place]) ? true : undefined;
  });
}

async function limitFileSize(pid: number, limit: "0" | "unlimited"): Promise<void> {
  const args = ["--pid", String(pid), `--fsize=${limit}:unlimited`];
  const { success, stderr } = await new Deno.Command("prlimit", { args }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** How often `pattern` matches. */
function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

Deno.test("two witnesses with full disks look ill in every sample, say so themselves, and recover", async () => {
  await using deployment = await Deployment.create("ed25519");
  const urls: URL[] = [];
  for (const index of [0, 1, 2]) urls.push(await deployment.startWitness(index, IGNORING_LIMIT));
  await deployment.startGateway("--batch-max-age-ms", "20");
  await eventuallyHealthy(deployment, [true, true, true]);
  const pids = [1, 2].map((index) => deployment.witness(index).pid);
  for (const pid of pids) await limitFileSize(pid, "0");

  await submitBulk(deployment.address, "on full disks");
  await eventuallyHealthy(deployment, [true, false, false]);
  // A probe comes every 10 s.
  for (let sample = 0, isWhole = false; sample < SAMPLES || !isWhole; sample++) {
    const [first, ...full] = await witnessesOf(deployment);
    isWhole = first!.healthy &&
      full.every(({ last_error, failing }) =>
        last_error === "witness_storage_failed" && failing?.includes("probe")
      );
    // The first is cancelled whenever the others refuse, which is no failure of it.
    assert.match(first!.last_error ?? LATE, new RegExp(LATE), JSON.stringify(first));
    for (const witness of full) {
      assert.equal(witness.healthy, false, `sample ${sample}: ${JSON.stringify(witness)}`);
      assert.match(witness.last_error!, new RegExp(`witness_storage_failed|${LATE}`));
    }
    for (const url of urls.slice(1)) {
      const response = await fetch(new URL("health", url));
      assert.deepEqual([response.status, await response.json()], [503, {
        status: "storage_failed",
      }]);
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }

  for (const pid of pids) await limitFileSize(pid, "unlimited");
  await eventuallyHealthy(deployment, [true, true, true]);
  await eventually("the witnesses say ok", async () => {
    const answers = await Promise.all(urls.map((url) => fetch(new URL("health", url))));
    for (const answer of answers) await answer.body?.cancel();
    return answers.every(({ status }) => status === 200) ? true : undefined;
  });
  for (const index of [1, 2]) {
    const { stderr } = deployment.witness(index);
    const failures = count(stderr, /cannot use its state/g);
    const minutes = Number(/again, after (\d+) s/.exec(stderr)?.[1]) / 60;
    assert.ok(failures >= 1 && failures <= 1 + minutes, stderr);
    assert.equal(count(stderr, /can use its state again/g), 1, stderr);
    assert.equal(count(stderr, /request [0-9a-f]{16}/g), 0, stderr);
  }
});

Deno.test("a gateway with a wrong token sees at its first probe that the witness refuses it, though it is idle", async () => {
  await using deployment = await Deployment.create("ed25519");
  const file = join("net", "witness-3", "witness.json");
  const node = JSON.parse(await deployment.readFile(file));
  await deployment.writeFile(
    file,
    JSON.stringify({ ...node, token: "another-token-of-24-characters" }),
  );
  for (const index of [0, 1, 2]) await deployment.startWitness(index);
  await deployment.startGateway();
  await eventuallyHealthy(deployment, [true, true, false]);
  for (let sample = 0, isWhole = false; sample < SAMPLES || !isWhole; sample++) {
    const [, , third] = await witnessesOf(deployment);
    isWhole = third!.last_error === "token_refused";
    assert.equal(third!.healthy, false, `sample ${sample}`);
    assert.match(third!.last_error!, new RegExp(`token_refused|${LATE}`));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
});
