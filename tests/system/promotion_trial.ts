/**
 * A gateway whose PostgreSQL server dies at a random moment under load, and goes on with a replica that
 * lacked its last commits. No attestation that a client got may be contradicted.
 *
 * @module
 */

import { join } from "node:path";
import { eventually } from "../scenarios/deployment.ts";
import { Server } from "../scenarios/program.ts";
import { CuttingProxy } from "./cutting_proxy.ts";
import { PostgresServer } from "./postgres_server.ts";
import { configure } from "./postgres_trial.ts";

const READY = /^Countersign gateway of (\S+) on http:\/\/127\.0\.0\.1:([0-9]+)$/m;
/** How many rounds the gateway has signed again as they were. */
const ADOPTED = /Witnesses signed ([0-9]+) rounds? that the store does not have/;
const CLIENTS = 3;
/** Most milliseconds from an answer to the client's next hash. */
const THINK_MS = 300;
const LOAD_MS = 2_000;
/** The replica lacks what was committed in the last milliseconds, up to so many. */
const MOST_LAG_MS = 100;

/** What became of a promotion. */
export interface PromotionOutcome {
  /** Attestations that clients got before. */
  readonly attested: number;
  /** `completes`: the log went on with each of them; `refuses`: `store_rolled_back`. */
  readonly outcome: "completes" | "refuses";
  /** Rounds that the replica lacked and the gateway completed. */
  readonly completed: number;
  /** Hashes whose attestation the log contradicts, in words. */
  readonly contradicted: readonly string[];
}

/** One promotion, in `folder`. */
export async function runPromotion(
  folder: string,
  random: () => number,
): Promise<PromotionOutcome> {
  await using primary = await PostgresServer.start({
    settings: { wal_level: "replica", max_wal_senders: "4" },
  });
  await using link = new CuttingProxy(primary.port);
  await configure(folder, primary, await primary.createDatabase("log"));
  await using replica = await primary.startReplica(link.port);
  await replica.receives();
  const before = await startGateway(folder);
  const promoted = Promise.withResolvers<void>();
  /** Signed attestations by hash. */
  const got = new Map<string, Attestation>();
  try {
    const over = new AbortController();
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!over.signal.aborted) {
        const hash = crypto.getRandomValues(new Uint8Array(32)).toHex();
        const job = await submit(before.url, hash).catch(() => undefined);
        if (job?.signed_attestation !== undefined) {
          got.set(hash, job.signed_attestation.attestation);
        }
        await pause(random() * THINK_MS);
      }
    });
    await pause(LOAD_MS * (0.5 + random()));
    link.hold(promoted.promise);
    await pause(random() * MOST_LAG_MS);
    await Promise.all([primary.stop("SIGKILL"), before.server.kill()]);
    over.abort();
    await Promise.all(clients);
  } finally {
    await before.server.kill();
  }
  await replica.promote();
  await eventually(
    "the replica is promoted",
    async () => await replica.sql("SELECT pg_is_in_recovery()") === "f" || undefined,
  );
  promoted.resolve();
  await pointTo(folder, replica.port);
  const after = await startGateway(folder);
  await using _after = after.server;
  const status = await eventually("the gateway accepts or refuses", async () => {
    const response = await fetch(`${after.url}/health`);
    const { status } = await response.json();
    return status === "ok" || status === "store_rolled_back" ? status as string : undefined;
  });
  if (status === "store_rolled_back") {
    return { attested: got.size, outcome: "refuses", completed: 0, contradicted: [] };
  }
  const contradicted: string[] = [];
  for (const [hash, attestation] of got) {
    const found = await eventually(`${hash} is attested`, async () => {
      const response = await fetch(`${after.url}/v1/attestations/${hash}`);
      const job = await response.json();
      if (response.status === 404) return "not in the log";
      return job.signed_attestation === undefined
        ? undefined
        : JSON.stringify(job.signed_attestation.attestation);
    });
    if (found !== JSON.stringify(attestation)) {
      contradicted.push(`${JSON.stringify(attestation)}: ${found}`);
    }
  }
  const adopted = after.server.stderr.match(ADOPTED);
  return {
    attested: got.size,
    outcome: "completes",
    completed: Number(adopted?.[1] ?? 0),
    contradicted,
  };
}

/** The members of an attestation. */
type Attestation = Readonly<Record<string, unknown>>;

async function startGateway(folder: string) {
  const args = ["serve", "--data", "data", "--port", "0", "--fronts", "0"];
  const { server, match } = await Server.start(args, READY, { cwd: folder });
  return { server, url: `http://127.0.0.1:${match[2]}` };
}

// deno-lint-ignore no-explicit-any
async function submit(url: string, hash: string): Promise<any> {
  const response = await fetch(`${url}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=5" },
    body: JSON.stringify({ hash }),
  });
  return await response.json();
}

/** The trial network's log is at another server from now on. */
async function pointTo(folder: string, port: number): Promise<void> {
  const file = join(folder, "data", "network", "network.json");
  const configuration = JSON.parse(await Deno.readTextFile(file));
  const url = new URL(configuration.store);
  url.port = String(port);
  await Deno.writeTextFile(file, JSON.stringify({ ...configuration, store: url.href }));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
