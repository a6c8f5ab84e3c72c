/**
 * Runs every test that needs no other program, in two processes at once: much of what the one half
 * does is waiting for processes, and most of the other is computing. Prints what the one prints as it
 * comes, then what the other has printed, and ends with the sum in the words of `deno test`. A process
 * that prints nothing for long is killed, so that a test that hangs is named. Arguments are handed on
 * to both.
 *
 * @module
 */

import { stripVTControlCharacters } from "node:util";

const ROOT = new URL("../", import.meta.url);
const FLAGS = [
  ...["test", "--config", "tests/deno.json", "--no-prompt", "--allow-read", "--allow-write"],
  ...["--allow-net", "--allow-run", "--allow-env", "--allow-sys"],
];
const WAITING = ["cli", "gateway", "lying_gateway", "scenarios"].map((name) => `tests/${name}`);
const ELSEWHERE = ["tests/system", ...WAITING].join();

/** Milliseconds without a word; the longest test takes a tenth of it. */
const SILENCE_MS = 600_000;
const SUMMARY = /^(?:ok|FAILED) \| (\d+) passed(?: \((\d+) steps?\))? \| (\d+) failed/;

/** What one process found. */
interface Outcome {
  readonly passed: number;
  readonly steps: number;
  readonly failed: number;
}

/** Calls `bark` once after {@linkcode SILENCE_MS} without a rest. */
class Watchdog {
  readonly #bark: () => void;
  #timer: ReturnType<typeof setTimeout>;

  constructor(bark: () => void) {
    this.#bark = bark;
    this.#timer = setTimeout(bark, SILENCE_MS);
  }

  rest(): void {
    this.end();
    this.#timer = setTimeout(this.#bark, SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Runs tests; `print` is given what they print, piece by piece. */
async function runTests(
  args: readonly string[],
  print: (piece: Uint8Array) => void,
): Promise<Outcome> {
  const process = new Deno.Command(Deno.execPath(), {
    args: [...FLAGS, ...args],
    cwd: ROOT,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const decoder = new TextDecoder();
  let text = "";
  const outputs = [process.stdout.getReader(), process.stderr.getReader()] as const;
  const watchdog = new Watchdog(() => {
    print(new TextEncoder().encode(`\nKilled: no output for ${SILENCE_MS / 1_000} s\n`));
    process.kill("SIGKILL");
    // Processes that a test has started may keep the pipes open.
    for (const output of outputs) void output.cancel();
  });
  const readAll = async (output: typeof outputs[number]) => {
    for (let read = await output.read(); !read.done; read = await output.read()) {
      watchdog.rest();
      print(read.value);
      if (output === outputs[0]) text += decoder.decode(read.value, { stream: true });
    }
  };
  const status = process.status.finally(() => watchdog.end());
  const [{ success }] = await Promise.all([status, ...outputs.map(readAll)]);
  const lines = stripVTControlCharacters(text).split("\n");
  const found = lines.map((line) => SUMMARY.exec(line)).findLast((match) => match !== null);
  const [passed = 0, steps = 0, failed = 0] =
    found?.slice(1).map((digits) => Number(digits ?? 0)) ??
      [];
  // One that ended otherwise than with a sum, or than by a failing test, failed as a whole.
  const isWhole = success ? found !== undefined : failed > 0;
  return { passed, steps, failed: isWhole ? failed : failed + 1 };
}

function write(piece: Uint8Array): void {
  for (let rest = piece; rest.length > 0;) rest = rest.subarray(Deno.stdout.writeSync(rest));
}

const startMs = performance.now();
const held: Uint8Array[] = [];
const [waiting, computing] = await Promise.all([
  runTests([...Deno.args, ...WAITING], write),
  runTests([...Deno.args, `--ignore=${ELSEWHERE}`, "tests"], (piece) => void held.push(piece)),
]);
for (const piece of held) write(piece);
const passed = waiting.passed + computing.passed;
const steps = waiting.steps + computing.steps;
// Nothing that ran shows nothing.
const failed = waiting.failed + computing.failed + (passed === 0 ? 1 : 0);
const seconds = Math.round((performance.now() - startMs) / 1000);
const word = failed === 0 ? "ok" : "FAILED";
const sum = `${word} | ${passed} passed (${steps} steps) | ${failed} failed (${seconds}s)`;
write(new TextEncoder().encode(`\n${sum}\n`));
Deno.exit(failed === 0 ? 0 : 1);
