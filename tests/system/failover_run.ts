/**
 * Ends the active gateway or its database under load, in every way, again and again, while a standby takes
 * over. Checks that nothing accepted is lost and nothing signed is contradicted, and shows for how long no
 * hash was accepted. What the gateways logged during a gap of more than 5 s is shown. For kills of the
 * database, the last two columns count from when it accepts connections again:
 *
 *     deno task failover [--kills 20] [--database-kills 5] [--suspensions 2] [--cuts 4] [--hand-overs 5]
 *       [--fronts 2] [--scheme ed25519|bls] [--accepted 500] [--seed N]
 *
 * The drills come in an order that the seed decides. A cut lasts 5 to 20 s, and separates the active gateway,
 * or both, from the database.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "node:util";
import { tableLines } from "../../src/cli/output.ts";
import { seededRandom } from "../scenarios/crash_plan.ts";
import { FailoverSite } from "./failover_site.ts";

const SUSPENDED_MS = 10_000;
const SHORTEST_CUT_MS = 5_000;
const LONGEST_CUT_MS = 20_000;
const MAX_TOLD = 10;
/** Some hundred hashes a second. */
const THINK_MS = 100;

/** After a longer gap, what the gateways logged is shown. */
const LONG_GAP_MS = 5_000;

/**
 * What is done to a site; it ends with both gateways running. Returns the milliseconds to the next accepted
 * hash, counted from when the database accepts connections.
 */
type Drill = (site: FailoverSite, random: () => number) => Promise<number | void>;

const DRILLS = {
  "kills": async (site) => {
    const active = await site.active();
    await site.killGateway(active);
    await site.accept(1);
    await site.startGateway(active);
  },
  "database-kills": async (site) => {
    await site.postgres.stop("SIGKILL");
    await site.postgres.start();
    return await site.accept(1);
  },
  "suspensions": async (site) => {
    const active = await site.active();
    const server = site.server(active);
    server.signal("SIGSTOP");
    await pause(SUSPENDED_MS);
    server.signal("SIGCONT");
    if (await server.ended() !== 1) throw new Error(`Ended otherwise: ${server.stderr}`);
    site.forget(active);
    await site.startGateway(active);
  },
  "cuts": async (site, random) => {
    const active = await site.active();
    const isCut = site.proxies.map((_, index) => index === active || random() < 0.5);
    const ended = pause(SHORTEST_CUT_MS + random() * (LONGEST_CUT_MS - SHORTEST_CUT_MS));
    for (const [index, proxy] of site.proxies.entries()) if (isCut[index]) proxy.hold(ended);
    await ended;
    await site.accept(1);
  },
  "hand-overs": async (site) => {
    await site.handOver();
  },
} satisfies Record<string, Drill>;

type Kind = keyof typeof DRILLS;

interface Options {
  readonly counts: ReadonlyMap<Kind, number>;
  readonly scheme: "ed25519" | "bls";
  /** How many threads of each gateway answer clients; with 0, its one thread does. */
  readonly fronts: number;
  /** The fewest hashes that are accepted between two drills. */
  readonly accepted: number;
  readonly seed: number;
}

function optionsOf(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      "kills": { type: "string", default: "20" },
      "database-kills": { type: "string", default: "5" },
      "suspensions": { type: "string", default: "2" },
      "cuts": { type: "string", default: "4" },
      "hand-overs": { type: "string", default: "5" },
      "fronts": { type: "string", default: "2" },
      "scheme": { type: "string", default: "ed25519" },
      "accepted": { type: "string", default: "500" },
      "seed": { type: "string", default: String(Math.floor(Math.random() * 2 ** 32)) },
    },
  });
  const number = (text: string) => {
    if (/^[0-9]+$/.test(text)) return Number(text);
    throw new Error(`No count: ${text}`);
  };
  const { scheme } = values;
  if (scheme !== "ed25519" && scheme !== "bls") throw new Error(`No scheme: ${scheme}`);
  const kinds = Object.keys(DRILLS) as Kind[];
  return {
    counts: new Map(kinds.map((kind) => [kind, number(values[kind])])),
    scheme,
    fronts: number(values.fronts),
    accepted: number(values.accepted),
    seed: number(values.seed),
  };
}

/** Each kind as often as `counts` says, in random order. */
function shuffled(counts: ReadonlyMap<Kind, number>, random: () => number): Kind[] {
  const kinds = [...counts].flatMap(([kind, count]) => new Array<Kind>(count).fill(kind));
  return kinds.map((kind) => ({ kind, order: random() }))
    .toSorted((a, b) => a.order - b.order).map(({ kind }) => kind);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Milliseconds of one drill, as of {@linkcode Drill}. */
interface Gap {
  readonly ms: number;
  readonly sinceStartMs: number | undefined;
}

/** Median, 90th percentile and maximum. */
function spread(values: readonly number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.9, 1].map((part) => {
    const value = sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
    return value?.toFixed(0) ?? "";
  });
}

function gapLines(gaps: ReadonlyMap<Kind, readonly Gap[]>): string[] {
  const rows = [...gaps].map(([kind, all]) => {
    const sinceStart = all.flatMap(({ sinceStartMs }) => sinceStartMs ?? []);
    return [kind, String(all.length), ...spread(all.map(({ ms }) => ms)), ...spread(sinceStart)];
  });
  const titles = ["drill", "times", "median gap, ms", "p90", "worst"];
  return tableLines([...titles, "database up, median ms", "p90", "worst"], rows);
}

/** The exit code: 1 for a violation. */
async function main({ counts, scheme, accepted, seed, fronts }: Options): Promise<number> {
  tell(`seed ${seed}`);
  const random = seededRandom(seed);
  const gaps = new Map<Kind, Gap[]>();
  await using site = await FailoverSite.start(scheme, { fronts, thinkMs: THINK_MS });
  for (const [i, kind] of shuffled(counts, random).entries()) {
    await site.accept(accepted);
    await pause(random() * 1_000);
    site.accepted.takeGap();
    const startMs = Date.now();
    const sinceStartMs = await DRILLS[kind](site, random) ?? undefined;
    await site.accept(accepted);
    const ms = site.accepted.takeGap();
    gaps.set(kind, [...gaps.get(kind) ?? [], { ms, sinceStartMs }]);
    const start = sinceStartMs === undefined
      ? ""
      : ` (${sinceStartMs.toFixed(0)} since the database is up)`;
    tell(`${i + 1}  ${kind}: ${ms.toFixed(0)} ms${start}; ${site.accepted.size} accepted`);
    if (ms > LONG_GAP_MS) { for (const line of site.logSince(startMs)) tell(`    ${line}`); }
  }
  const violations = [...await site.check(), ...await site.audit()];
  for (const line of gapLines(gaps)) tell(line);
  for (const violation of violations.slice(0, MAX_TOLD)) tell(`  ${violation}`);
  tell(`${site.accepted.size} accepted, ${violations.length} violations`);
  return violations.length > 0 ? 1 : 0;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

if (import.meta.main) Deno.exitCode = await main(optionsOf(Deno.args));
