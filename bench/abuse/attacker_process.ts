/**
 * Starts the attacking client as a process.
 *
 * @module
 */

import type { AttackPlan, Tally } from "./attack.ts";
import type { AttackName } from "./attack_names.ts";

/** Milliseconds beyond the attack itself after which the process is killed. */
const OVERTIME_MS = 60_000;
const PROJECT = new URL("../../", import.meta.url);

/** An attack that has begun. */
export class AttackerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly #overtime: ReturnType<typeof setTimeout>;
  #text = "";

  private constructor(child: Deno.ChildProcess, mostMs: number) {
    this.#child = child;
    // Its output ends with it, and so does whoever waits for a line.
    this.#overtime = setTimeout(() => child.kill("SIGKILL"), mostMs);
    this.#lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Resolves when the attack, which lasts `seconds`, begins. */
  static async start(
    name: AttackName,
    seconds: number,
    plan: AttackPlan,
  ): Promise<AttackerProcess> {
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--config=deno.json",
        "-A",
        "bench/abuse/attacker.ts",
        name,
        String(seconds),
        JSON.stringify(plan),
      ],
      cwd: PROJECT,
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
      env: { NO_COLOR: "1" },
    }).spawn();
    const attacker = new AttackerProcess(child, 1_000 * seconds + OVERTIME_MS);
    await attacker.#line();
    return attacker;
  }

  /** Resolves when the attack is over and all its connections are closed. */
  async ended(): Promise<Tally> {
    const tally = JSON.parse(await this.#line());
    await Promise.all([this.#lines.cancel(), this.#child.status]);
    clearTimeout(this.#overtime);
    return tally;
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#lines.read();
      if (done) throw new Error("The attacking process ended before its attack did");
      this.#text += value;
    }
  }
}
