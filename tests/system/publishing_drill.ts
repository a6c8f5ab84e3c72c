/**
 * A gateway whose log is published while it grows: by a process that is killed again and again, or by the
 * gateway.
 *
 * @module
 */

import { join } from "node:path";
import { parseLogCheckpoint } from "../../src/proof/format/log_checkpoint.ts";
import { parseNote } from "../../src/proof/format/note.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { eventually } from "../scenarios/deployment.ts";
import { HttpClient } from "../scenarios/http_client.ts";
import { run, Server } from "../scenarios/program.ts";
import { startTrial, submitBulk } from "../scenarios/trial_gateway.ts";
import { inFolder } from "../server/captured_io.ts";
import { bls } from "../schemes.ts";

const NETWORK = join("data", "network");
const CONFIG = ["--network-config", join(NETWORK, "network.public.json")];
const COPY = "copy";
/** A publisher takes about half a second to start. */
const LONGEST_LIFE_MS = 2_000;
const BETWEEN_BULKS_MS = 100;
const POLL_MS = 5;

/** Kills `publish` so many times while the log grows; what is wrong with the copy, and its size. */
export async function killPublishers(
  kills: number,
  random: () => number,
): Promise<{ readonly violations: readonly string[]; readonly size: number }> {
  const violations: string[] = [];
  let size = 0;
  await inFolder(async (folder) => {
    await configure(folder, {});
    const { server, address } = await startTrial("data", { cwd: folder });
    await using _gateway = server;
    const args = publishArgs(address);
    let isLoaded = true;
    const load = (async () => {
      for (let i = 0; isLoaded; i++) {
        await submitBulk(address, `bulk ${i}`);
        await pause(BETWEEN_BULKS_MS);
      }
    })();
    for (let i = 0; i < kills; i++) {
      const publisher = Server.launch(args, { cwd: folder });
      await pause(random() * LONGEST_LIFE_MS);
      await publisher.kill();
      const now = await copiedSize(folder);
      if (now < size) violations.push(`kill ${i}: the copy shrank from ${size} to ${now}`);
      size = now;
    }
    isLoaded = false;
    await load;
    violations.push(...await failureOf([...args, "--once"], folder));
    size = await copiedSize(folder);
    using client = await HttpClient.open(address);
    const published = await publishedSize(client);
    if (size !== published) violations.push(`the copy has ${size} entries, the log ${published}`);
    violations.push(...await failureOf(["fsck", "--mirror", COPY, ...CONFIG], folder));
  });
  return { violations, size };
}

/** Milliseconds from the gateway's checkpoint to the one of the copy, for each of `heads` heads. */
export async function publishingDelays(
  publisher: "gateway" | "publish",
  heads: number,
): Promise<number[]> {
  const delays: number[] = [];
  await inFolder(async (folder) => {
    // Relative to the folder of the configuration.
    const publish = { publish: { directory: join("..", "..", COPY) } };
    await configure(folder, publisher === "gateway" ? publish : {});
    const { server, address } = await startTrial("data", { cwd: folder });
    await using _gateway = server;
    await using _publisher = publisher === "publish"
      ? Server.launch(publishArgs(address), { cwd: folder })
      : undefined;
    using client = await HttpClient.open(address);
    // The first head is for the start of the publisher.
    for (let i = 0; i <= heads; i++) {
      const before = await publishedSize(client);
      await submitBulk(address, `head ${i}`);
      const size = await eventually("a head is published", async () => {
        const now = await publishedSize(client);
        return now > before ? now : undefined;
      });
      const startMs = performance.now();
      while (await copiedSize(folder) < size) await pause(POLL_MS);
      if (i > 0) delays.push(performance.now() - startMs);
    }
  });
  return delays;
}

/** A trial network in `folder`, with further members in `network.json`, without limits. */
async function configure(folder: string, members: Readonly<Record<string, unknown>>) {
  const plan = { witnesses: 3, threshold: 2, kind: "embedded", basePort: 0 } as const;
  await Deno.mkdir(join(folder, "data"));
  await createNetwork({ ...plan, scheme: "ed25519", out: join(folder, NETWORK) }, bls);
  const file = join(folder, NETWORK, "network.json");
  const network = JSON.parse(await Deno.readTextFile(file));
  await Deno.writeTextFile(file, JSON.stringify({ ...network, ...members, limits: "off" }));
}

function publishArgs({ port }: Deno.NetAddr): string[] {
  return ["publish", "--from", `http://127.0.0.1:${port}/`, "--to", COPY, ...CONFIG];
}

/** What a command that failed wrote. */
async function failureOf(args: readonly string[], folder: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(args, { cwd: folder });
  return code === 0 ? [] : [`${args[0]}: ${stdout}${stderr}`];
}

async function publishedSize(client: HttpClient): Promise<number> {
  const { status, text } = await client.get("/checkpoint");
  return status === 404 ? 0 : sizeIn(text);
}

async function copiedSize(folder: string): Promise<number> {
  try {
    return sizeIn(await Deno.readTextFile(join(folder, COPY, "checkpoint")));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

function sizeIn(checkpoint: string): number {
  return parseLogCheckpoint(parseNote(checkpoint).text).size;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
