/**
 * A process with a clock that steps, by libfaketime. Only the time of day steps: durations are real.
 *
 * @module
 */

const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

export class FakeTime {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** The true time, until it is set. `file` holds the difference. */
  static async create(file: string): Promise<FakeTime> {
    const time = new FakeTime(file);
    await time.set("+0");
    return time;
  }

  /** Steps to `offset` from the true time, such as `+2h`, within a second. */
  async set(offset: string): Promise<void> {
    await Deno.writeTextFile(this.#file, offset);
  }

  /** Runs the command that is appended to it. */
  get wrapper(): readonly string[] {
    return [
      "env",
      `LD_PRELOAD=${LIBRARY}`,
      `FAKETIME_TIMESTAMP_FILE=${this.#file}`,
      "FAKETIME_CACHE_DURATION=1",
      "DONT_FAKE_MONOTONIC=1",
    ];
  }
}
