/**
 * Feeds damaged inputs to readers. A reader either accepts an input and keeps its meaning, or refuses
 * it in time with one of its error codes. Everything else is a fault.
 *
 * @module
 */

import process from "node:process";
import { type Bytes, utf8 } from "../../src/base/bytes.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { mutate, textOfInput } from "./mutation.ts";
import { Random, seedOf } from "./random.ts";

/** A reader of untrusted input. */
export interface Target {
  readonly name: string;
  /** The covered functions of `src/`, as `<path>#<export>`. */
  readonly covers: readonly string[];
  /** Valid inputs. */
  readonly seeds: readonly (string | Bytes)[];
  /** The codes that it may refuse with. */
  readonly codes: readonly ErrorCode[];
  /**
   * Reads `input`. Returns `false` if it was refused without an error. Throws the refusal, or an
   * assertion error if the result does not have the meaning of the input.
   */
  readonly read: (input: Bytes) => unknown;
  /** Share of the inputs for every target; below 1 for a slow target. */
  readonly share?: number;
}

/** An input that a target handled wrongly. */
export interface Fault {
  readonly target: string;
  readonly input: Bytes;
  readonly problem: string;
}

/** The results of a target's inputs. */
export interface Outcome {
  tried: number;
  accepted: number;
  /** By code; `none` for refusals without an error. */
  readonly refused: Map<string, number>;
  readonly faults: Fault[];
}

/**
 * Milliseconds of processor time after which a reader counts as hanging. A linear reader needs a hundredth
 * of it for the longest inputs. It is the time of the whole process, which three tries rule out.
 */
const HANG_MS = 1_000;
const HANG_TRIES = 3;

/** A reader of texts as a reader of bytes. */
export function ofText(read: (text: string) => unknown): (input: Bytes) => unknown {
  return (input) => read(textOfInput(input));
}

/** Feeds `count` inputs to `target` after its seeds, which it has to accept. */
export async function fuzz(target: Target, seed: number, count: number): Promise<Outcome> {
  const outcome: Outcome = { tried: 0, accepted: 0, refused: new Map(), faults: [] };
  const random = new Random(seedOf(target.name, seed));
  const seeds = target.seeds.map((input) => typeof input === "string" ? utf8(input) : input);
  for (const input of seeds) {
    if (await feed(target, input, outcome) !== "accepted") {
      outcome.faults.push({ target: target.name, input, problem: "a valid input is refused" });
    }
  }
  const inputs = Math.ceil(count * (target.share ?? 1));
  for (let i = 0; i < inputs; i++) {
    await feed(target, mutate(random, random.pick(seeds), seeds), outcome);
  }
  return outcome;
}

/** Feeds one input and counts the result in `outcome`. */
export async function feed(
  target: Target,
  input: Bytes,
  outcome: Outcome,
  hangMs = HANG_MS,
): Promise<string> {
  const fault = (problem: string) => {
    outcome.faults.push({ target: target.name, input, problem });
    return "fault";
  };
  outcome.tried++;
  let fastest = Infinity;
  let result = "";
  for (let tries = 0; tries < HANG_TRIES && !(fastest < hangMs); tries++) {
    const start = process.cpuUsage();
    // A fresh copy, so that no try sees the changes of an earlier one.
    result = await attempt(target, input.slice());
    const { user, system } = process.cpuUsage(start);
    fastest = Math.min(fastest, (user + system) / 1000);
  }
  if (fastest >= hangMs) return fault(`takes ${Math.round(fastest)} ms`);
  if (result.startsWith("!")) return fault(result.slice(1));
  if (result === "accepted") outcome.accepted++;
  else outcome.refused.set(result, (outcome.refused.get(result) ?? 0) + 1);
  return result;
}

/** `accepted`, the code or `none` of a refusal, or `!` and the problem. */
async function attempt(target: Target, input: Bytes): Promise<string> {
  try {
    return await target.read(input) === false ? "none" : "accepted";
  } catch (error) {
    if (!(error instanceof CountersignError)) return `!${describe(error)}`;
    return target.codes.includes(error.code)
      ? error.code
      : `!refused with ${error.code}: ${error.message}`;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.stack ?? error.message}` : `thrown: ${String(error)}`;
}

/** Describes `fault` with its input, so that it can be reproduced. */
export function reportOf({ target, input, problem }: Fault): string {
  const text = JSON.stringify(new TextDecoder().decode(input.subarray(0, 2_000)));
  return `${target}: ${problem}\n  ${input.length} bytes: ${text}\n  base64: ${
    input.subarray(0, 1_000).toBase64()
  }${input.length > 1_000 ? "..." : ""}`;
}
