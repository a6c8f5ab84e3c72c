/**
 * One fork: a copy of a running gateway's store, taken in one moment as a snapshot of its disk takes
 * it, is started beside the original. Both use the same witnesses. The original goes on; then clients
 * bring hashes to the copy too.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { checkAccepted, checkHeads, checkWitnesses } from "./crash_checks.ts";
import { Deployment, eventually, GATEWAY_READY } from "./deployment.ts";
import { Load } from "./load.ts";
import { Server } from "./program.ts";
import { SeenHeads } from "./seen_heads.ts";
import { WitnessRecorder } from "./witness_recorder.ts";

const THRESHOLD = 2;
const GATEWAY_ARGS = ["--batch-max-age-ms", "50"];
const THINK_MS = 40;
/** How long the copy is watched once it has refused. */
const WATCH_MS = 1_500;
const COPY_DATA = "copy-data";
const COPY_CONFIG = join("net", "copy.json");

/** When things happen. */
export interface ForkPlan {
  readonly seed: string;
  readonly scheme: "ed25519" | "bls";
  /** From the first accepted hashes to the snapshot, and from there to the start of the copy. */
  readonly snapshotAfterMs: number;
  /** No client brings anything to the original from the snapshot until the copy runs: both start from
   * the same published size. Otherwise the original goes on. */
  readonly isQuiet: boolean;
  readonly startAfterMs: number;
  /** Witnesses that are killed after the copy's start, one after another, and start again. */
  readonly kills: readonly { readonly witness: number; readonly afterMs: number }[];
}

/** What happened. */
export interface ForkOutcome {
  readonly violations: readonly string[];
  readonly originalAccepted: number;
  readonly copyAccepted: number;
  /** From the refusal by so many witnesses that the threshold is out of reach to the first 503. */
  readonly noticedMs: number | undefined;
}

interface CopyAnswer {
  readonly sentMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly code: string | undefined;
}

/** Runs one trial. Everything that it started has ended when it resolves. */
export async function runFork(plan: ForkPlan): Promise<ForkOutcome> {
  await using deployment = await Deployment.create(plan.scheme);
  const recorder = await deployment.recordWitnesses();
  await using beside = await recordersOfCopy(deployment);
  const urls = await Promise.all([0, 1, 2].map((index) => deployment.startWitness(index)));
  urls.forEach((url, index) => beside.connect(index, url));
  await deployment.startGateway(...GATEWAY_ARGS);
  const accepted = new Set<string>();
  const address = () => deployment.address;
  const newLoad = (name: string) =>
    new Load(address, accepted, { seed: `${plan.seed} ${name}`, thinkMs: THINK_MS });
  let load = newLoad("before");
  const seen = new SeenHeads(address);
  const answers: CopyAnswer[] = [];
  try {
    await eventually("hashes are accepted", () => when(accepted.size > 50));
    await pause(plan.snapshotAfterMs);
    if (plan.isQuiet) {
      await load.stop();
      await checkAccepted(deployment.address, accepted);
    }
    await snapshot(deployment);
    await pause(plan.startAfterMs);
    await using copy = await startCopy(deployment);
    if (plan.isQuiet) {
      const { status } = await getFrom(copy.url, "/health");
      if (status !== 200) answers.push({ ...NEVER, code: `health ${status} before the fork` });
      load = newLoad("after");
    }
    const signedThen = signedCount(recorder);
    await eventually("the original goes on", () => when(signedCount(recorder) > signedThen));
    const stop = new AbortController();
    const submitting = submitTo(copy.url, plan.seed, answers, stop.signal);
    for (const { witness, afterMs } of plan.kills) {
      await pause(afterMs);
      await deployment.killWitness(witness);
      beside.disconnect(witness);
      await pause(afterMs);
      beside.connect(witness, await deployment.startWitness(witness));
    }
    await eventually("the copy refuses", () => when(answers.some(isRefusal)));
    const { text } = await getFrom(copy.url, "/health");
    if (!text.includes("store_rolled_back")) answers.push({ ...NEVER, code: `health ${text}` });
    await pause(WATCH_MS);
    stop.abort();
    await submitting;
  } finally {
    await load.stop();
    await seen.stop();
  }
  const { violations, places } = await checkAccepted(deployment.address, accepted);
  const known = { seen: seen.bySize, recorder };
  violations.push(...await checkHeads(deployment.address, await deployment.network(), known));
  violations.push(...checkWitnesses(recorder, places));
  violations.push(...contradictionsBetween(recorder, beside), ...lateAnswers(answers));
  const refusedMs = beside.records.map((record) => record.refusedMs ?? Infinity)
    .toSorted((a, b) => a - b)[beside.records.length - THRESHOLD]!;
  const firstMs = answers.find(isRefusal)!.answeredMs;
  return {
    violations,
    originalAccepted: accepted.size,
    copyAccepted: answers.filter(isAccepted).length,
    noticedMs: refusedMs === Infinity ? undefined : Math.max(0, firstMs - refusedMs),
  };
}

const NEVER = { sentMs: 0, answeredMs: 0, status: 0 } as const;

function isAccepted({ status }: CopyAnswer): boolean {
  return status >= 200 && status < 300;
}

function isRefusal({ code }: CopyAnswer): boolean {
  return code === "store_rolled_back";
}

/** The configuration of the copy: the same witnesses, behind recorders of its own. */
async function recordersOfCopy(deployment: Deployment): Promise<DisposableRecorder> {
  const recorder = new DisposableRecorder();
  const network = JSON.parse(await deployment.readFile(join("net", "network.json")));
  for (const witness of network.witnesses) witness.url = recorder.open(witness.id);
  await deployment.writeFile(COPY_CONFIG, JSON.stringify(network));
  await Deno.chmod(join(deployment.folder, COPY_CONFIG), 0o600);
  return recorder;
}

class DisposableRecorder extends WitnessRecorder implements AsyncDisposable {
  async [Symbol.asyncDispose](): Promise<void> {
    for (const index of this.records.keys()) this.disconnect(index);
    await this.close();
  }
}

/** Copies the store as the disk has it in one moment: the process stands still meanwhile. */
async function snapshot({ gateway, dataFolder, folder }: Deployment): Promise<void> {
  const to = join(folder, COPY_DATA);
  await Deno.mkdir(to);
  gateway.signal("SIGSTOP");
  try {
    for await (const { name, isFile } of Deno.readDir(dataFolder)) {
      // Shared memory is made anew by whoever opens the file first.
      if (!isFile || name.endsWith("-shm")) continue;
      await Deno.copyFile(join(dataFolder, name), join(to, name));
    }
  } finally {
    gateway.signal("SIGCONT");
  }
}

async function startCopy({ folder }: Deployment): Promise<AsyncDisposable & { url: string }> {
  const { server, match } = await Server.start(
    ["serve", "--config", COPY_CONFIG, "--data", COPY_DATA, "--port", "0", "--moved"],
    GATEWAY_READY,
    { cwd: folder },
  );
  return { url: match[1]!, [Symbol.asyncDispose]: () => server.kill() };
}

async function submitTo(
  url: string,
  seed: string,
  answers: CopyAnswer[],
  stop: AbortSignal,
): Promise<void> {
  for (let i = 0; !stop.aborted; i++) {
    const hash = createHash("sha256").update(`copy ${seed} ${i}`).digest("hex");
    const sentMs = performance.now();
    const response = await fetch(new URL("/v1/attestations", url), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ hash }),
    });
    const { code } = JSON.parse(await response.text());
    answers.push({ sentMs, answeredMs: performance.now(), status: response.status, code });
    await pause(20);
  }
}

async function getFrom(url: string, path: string) {
  const response = await fetch(new URL(path, url));
  return { status: response.status, text: await response.text() };
}

/** No hash is accepted by the copy after it has refused one. */
function lateAnswers(answers: readonly CopyAnswer[]): string[] {
  const first = answers.findIndex(isRefusal);
  return [
    ...answers.slice(first).filter(isAccepted)
      .map(({ status }) => `the copy answered ${status} after it had refused`),
    ...answers.filter(({ status }) => status === 0).map(({ code }) => `the copy answers ${code}`),
  ];
}

/** No sequence has two hashes that a threshold of witnesses signed, or that one witness signed. */
function contradictionsBetween(original: WitnessRecorder, copy: WitnessRecorder): string[] {
  const violations: string[] = [];
  const signers = new Map<string, Set<number>>();
  const hashes = new Map<number, Set<string>>();
  for (const { records } of [original, copy]) {
    for (const [place, { signed }] of records.entries()) {
      for (const [sequence, hash] of signed) {
        const key = `${sequence} ${hash}`;
        signers.set(key, (signers.get(key) ?? new Set()).add(place));
        hashes.set(sequence, (hashes.get(sequence) ?? new Set()).add(hash));
      }
    }
  }
  for (const [sequence, found] of hashes) {
    const sets = [...found].map((hash) => signers.get(`${sequence} ${hash}`)!);
    if (sets.filter((set) => set.size >= THRESHOLD).length > 1) {
      violations.push(`a threshold signed two hashes at ${sequence}`);
    }
    const count = sets.reduce((sum, set) => sum + set.size, 0);
    if (count > new Set(sets.flatMap((set) => [...set])).size) {
      violations.push(`one witness signed two hashes at ${sequence}`);
    }
  }
  return violations;
}

function signedCount({ signed }: WitnessRecorder): number {
  return signed.length;
}

function when(holds: boolean): Promise<true | undefined> {
  return Promise.resolve(holds ? true : undefined);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
