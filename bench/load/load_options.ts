/**
 * The command line of `deno task load`.
 *
 * @module
 */

import { parseArgs } from "node:util";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import {
  TIMESTAMP_SCHEMES,
  type TimestampScheme,
} from "../../src/gateway/timestamping/timestamp_signer.ts";
import type { Spread } from "./known_hashes.ts";

export const SUBMISSIONS = ["wait", "submit", "bulk"] as const;
export const LOOK_UPS = ["status", "bundle", "proof"] as const;
export const SCENARIOS = [...SUBMISSIONS, "timestamp", ...LOOK_UPS, "tiles", "mixed"] as const;
export type ScenarioName = typeof SCENARIOS[number];
export type LookUpName = typeof LOOK_UPS[number] | "tiles";

export const USAGE = `Puts load on a gateway over HTTP and says what it did.

  deno task load [options]

Which gateway
  --url URL             one that runs; without it one is started, with witnesses
  --pid N               its process on this machine, for processor time and memory
  --network-config FILE pins the network; without it the gateway is asked, once
  --data DIR            of the started gateway; kept. Without it a temporary folder
  --scheme S            ed25519 (default) or bls
  --witnesses W         embedded (default) or remote: three processes
  --batch-max-age-ms N  of the started gateway
  --fronts N            threads of the started gateway that answer clients
  --tokens              the started gateway takes new hashes with tokens only,
                        and --issue N of them (default 20000) are issued before all else
  --tsa S               key for scenario timestamp of the started gateway: ecdsa-p256
                        (default) or rsa-3072
  --prefill N           fills the log up to N attestations first

Which load
  --scenarios A,B,...   of ${SCENARIOS.join(", ")}
  --connections N,...   default 1,16,64,512
  --seconds S           measured, default 3; --warm-up S before them, default 1
  --rate R              requests a second of an open loop; without it a closed loop
  --arrivals A          of an open loop: poisson (default) or fixed
  --backlog N           requests of an open loop that may wait, default a second of them
  --spread S            look-ups among the recent 100,000 (default) or all of the log
  --mix A=W,...         weights of mixed, default status=4,bundle=3,proof=2,tiles=1
  --overload F          each scenario at F times the rate of a closed loop, then at half of it
                        (on 1,024 connections, or as many as --connections says)
  --sth                 time from a POST until a signed tree head covers it, with batches
                        of 100 ms unless --batch-max-age-ms says otherwise

What comes out
  --verify N            answers verified offline for each row, default 20
  --no-machine          leaves out what the machine does alone: the echo server beside each
                        row, disk syncs and signatures, and openssl ts beside timestamp
  --no-wrk              leaves out wrk beside the rows wait and submit of a closed loop
  --json                JSON on standard output; progress is on standard error`;

/** The options of the command line; paths are as typed. */
export interface LoadOptions {
  readonly url?: URL;
  readonly pid?: number;
  readonly networkConfig?: string;
  readonly data?: string;
  readonly scheme: SignatureScheme;
  readonly witnesses: "embedded" | "remote";
  readonly batchMaxAgeMs?: number;
  readonly fronts?: number;
  readonly tokens: boolean;
  readonly issue: number;
  /** Present if the started gateway has to be a time-stamp authority. */
  readonly tsa?: TimestampScheme;
  readonly prefill: number;
  readonly scenarios: readonly ScenarioName[];
  readonly connections: readonly number[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rate?: number;
  readonly arrivals: "poisson" | "fixed";
  readonly backlog?: number;
  readonly spread: Spread;
  readonly mix: ReadonlyMap<LookUpName, number>;
  readonly overload?: number;
  readonly sth: boolean;
  readonly verify: number;
  readonly machine: boolean;
  readonly wrk: boolean;
  readonly json: boolean;
}

/** An invalid command line; the message has the reason. */
export class UsageError extends Error {}

const FLAGS = {
  "url": { type: "string" },
  "pid": { type: "string" },
  "network-config": { type: "string" },
  "data": { type: "string" },
  "scheme": { type: "string", default: "ed25519" },
  "witnesses": { type: "string", default: "embedded" },
  "batch-max-age-ms": { type: "string" },
  "fronts": { type: "string" },
  "tokens": { type: "boolean", default: false },
  "issue": { type: "string", default: "20000" },
  "tsa": { type: "string", default: "ecdsa-p256" },
  "prefill": { type: "string", default: "0" },
  "scenarios": { type: "string", default: "wait,submit,bulk,status,bundle,proof,tiles" },
  "connections": { type: "string", default: "1,16,64,512" },
  "seconds": { type: "string", default: "3" },
  "warm-up": { type: "string", default: "1" },
  "rate": { type: "string" },
  "arrivals": { type: "string", default: "poisson" },
  "backlog": { type: "string" },
  "spread": { type: "string", default: "recent" },
  "mix": { type: "string", default: "status=4,bundle=3,proof=2,tiles=1" },
  "overload": { type: "string" },
  "sth": { type: "boolean", default: false },
  "verify": { type: "string", default: "20" },
  "no-machine": { type: "boolean", default: false },
  "no-wrk": { type: "boolean", default: false },
  "json": { type: "boolean", default: false },
} as const;

/** Parses `args` by {@linkcode USAGE}; {@linkcode UsageError}. */
export function parseLoadOptions(args: readonly string[]): LoadOptions {
  const values = readFlags(args);
  const connections = values.connections.split(",").map((text) => positive("connections", text));
  if (!connections.every(Number.isInteger)) {
    throw new UsageError("Cannot read --connections: whole numbers required, found others");
  }
  const scenarios = values.scenarios.split(",").map((name) => oneOf("scenarios", name, SCENARIOS));
  const tsa = oneOf("tsa", values.tsa, TIMESTAMP_SCHEMES);
  const needsTsa = scenarios.includes("timestamp") && values.url === undefined;
  if (values.tokens && (values.url ?? values.data) !== undefined) {
    throw new UsageError(
      "Cannot read --tokens: a gateway of our own required, found --url or --data",
    );
  }
  return {
    ...optional("url", values.url, readUrl),
    ...optional("pid", values.pid, (text) => positive("pid", text)),
    ...optional("networkConfig", values["network-config"], String),
    ...optional("data", values.data, String),
    scheme: oneOf("scheme", values.scheme, ["ed25519", "bls"]),
    witnesses: oneOf("witnesses", values.witnesses, ["embedded", "remote"]),
    ...optional(
      "batchMaxAgeMs",
      values["batch-max-age-ms"],
      (text) => positive("batch-max-age-ms", text),
    ),
    ...optional("fronts", values.fronts, (text) => number("fronts", text)),
    tokens: values.tokens,
    issue: positive("issue", values.issue),
    prefill: number("prefill", values.prefill),
    ...(needsTsa && { tsa }),
    scenarios,
    connections,
    seconds: positive("seconds", values.seconds),
    warmUpSeconds: number("warm-up", values["warm-up"]),
    ...optional("rate", values.rate, (text) => positive("rate", text)),
    arrivals: oneOf("arrivals", values.arrivals, ["poisson", "fixed"]),
    ...optional("backlog", values.backlog, (text) => positive("backlog", text)),
    spread: oneOf("spread", values.spread, ["recent", "all"]),
    mix: readMix(values.mix),
    ...optional("overload", values.overload, (text) => positive("overload", text)),
    sth: values.sth,
    verify: number("verify", values.verify),
    machine: !values["no-machine"],
    wrk: !values["no-wrk"],
    json: values.json,
  };
}

function readFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function optional<Name extends string, Value>(
  name: Name,
  text: string | undefined,
  read: (text: string) => Value,
): Partial<Record<Name, Value>> {
  if (text === undefined) return {};
  const entry: Partial<Record<Name, Value>> = {};
  entry[name] = read(text);
  return entry;
}

function oneOf<Name extends string>(flag: string, text: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === text);
  if (found !== undefined) return found;
  throw new UsageError(`Cannot read --${flag}: ${names.join(" or ")} required, found "${text}"`);
}

/** A number that is not negative, such as 20, 0.5 or 1e6. */
function number(flag: string, text: string): number {
  const value = /^[0-9]+(\.[0-9]+)?(e[0-9]+)?$/.test(text) ? Number(text) : NaN;
  if (Number.isFinite(value)) return value;
  throw new UsageError(`Cannot read --${flag}: a number required, found "${text}"`);
}

function positive(flag: string, text: string): number {
  const value = number(flag, text);
  if (value > 0) return value;
  throw new UsageError(`Cannot read --${flag}: a number above 0 required, found "${text}"`);
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new UsageError(`Cannot read --url: an http or https URL required, found "${text}"`);
}

function readMix(text: string): Map<LookUpName, number> {
  const parts = text.split(",").map((part): [LookUpName, number] => {
    const [name = "", weight = ""] = part.split("=");
    return [oneOf("mix", name, [...LOOK_UPS, "tiles"]), positive("mix", weight)];
  });
  return new Map(parts);
}
