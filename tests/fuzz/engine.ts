/**
 * Feeds damaged inputs to what reads them. A reader either accepts an input, and then means by it
 * what it says, or refuses it with an error of its own codes, in time; all else is a fault.
 *
 * @module
 */

import { type Bytes, utf8 } from "../../src/bytes.ts";
import { CountersignError, type ErrorCode } from "../../src/errors.ts";
import { mutate, textOfInput } from "./mutation.ts";
import { Random, seedOf } from "./random.ts";

/** Something that reads what a stranger wrote. */
export interface Target {
  readonly name: string;
  /** What of `src/` it feeds, as `<path>#<export>`. */
  readonly covers: readonly string[];
  /** Inputs that it accepts. */
  readonly seeds: readonly (string | Bytes)[];
  /** All that it may refuse with. */
  readonly codes: readonly ErrorCode[];
  /**
   * Reads `input`. Answers `false` when it was refused without an error; throws what refused it, or
   * an assertion error when what was read is not what the input says.
   */
  readonly read: (input: Bytes) => unknown;
  /** Of the inputs that fall to every target, how many this one takes: less for a slow one. */
  readonly share?: number;
}

/** An input that a target neither accepted nor refused as it should. */
export interface Fault {
  readonly target: string;
  readonly input: Bytes;
  readonly problem: string;
}

/** What came of a target's inputs. */
export interface Outcome {
  tried: number;
  accepted: number;
  /** By code; `none` for those that were refused without an error. */
  readonly refused: Map<string, number>;
  readonly faults: Fault[];
}

/**
 * Milliseconds after which reading an input counts as hanging: a linear reader takes a hundredth
 * even of a long one. What a busy machine does to one try, it does not do to three.
 */
const HANG_MS = 1_000;
const HANG_TRIES = 3;

/** A target of a text. */
export function ofText(read: (text: string) => unknown): (input: Bytes) => unknown {
  return (input) => read(textOfInput(input));
}

/** Feeds `count` inputs to `target`: its seeds first, which it has to accept. */
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

/** One input; what it came to is counted in `outcome`. */
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
    const start = performance.now();
    // The input is given anew: what is read must not be what an earlier try left behind.
    result = await attempt(target, input.slice());
    fastest = Math.min(fastest, performance.now() - start);
  }
  if (fastest >= hangMs) return fault(`takes ${Math.round(fastest)} ms`);
  if (result.startsWith("!")) return fault(result.slice(1));
  if (result === "accepted") outcome.accepted++;
  else outcome.refused.set(result, (outcome.refused.get(result) ?? 0) + 1);
  return result;
}

/** `accepted`, the code or `none` of a refusal, or what is wrong after a `!`. */
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

/** `fault` for a person: the target, what is wrong and the input, to be fed again. */
export function reportOf({ target, input, problem }: Fault): string {
  const text = JSON.stringify(new TextDecoder().decode(input.subarray(0, 2_000)));
  return `${target}: ${problem}\n  ${input.length} bytes: ${text}\n  base64: ${
    input.subarray(0, 1_000).toBase64()
  }${input.length > 1_000 ? "..." : ""}`;
}
