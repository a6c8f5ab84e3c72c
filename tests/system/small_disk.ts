/**
 * A small disk in memory, in a mount namespace that only the commands of {@linkcode SmallDisk.wrapper} see.
 * Only root can make one.
 *
 * @module
 */

/** Prints a line once `$0`, of `$1` bytes, is mounted, and keeps it until its input ends. */
const KEEPER = 'mount -t tmpfs -o size="$1",mode=1777 tmpfs "$0" && echo mounted && exec cat';

/** Its content is lost when it is disposed of. */
export class SmallDisk implements AsyncDisposable {
  /** Where it is mounted, for commands that run with {@linkcode wrapper}. */
  readonly path: string;
  readonly #keeper: Deno.ChildProcess;

  private constructor(path: string, keeper: Deno.ChildProcess) {
    this.path = path;
    this.#keeper = keeper;
  }

  static async mount(bytes: number): Promise<SmallDisk> {
    const path = await Deno.makeTempDir({ prefix: "countersign-disk-" });
    const keeper = new Deno.Command("unshare", {
      args: ["--mount", "sh", "-c", KEEPER, path, String(bytes)],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const disk = new SmallDisk(path, keeper);
    const output = keeper.stdout.getReader();
    const { done } = await output.read();
    output.releaseLock();
    if (!done) return disk;
    await disk[Symbol.asyncDispose]();
    throw new Error("Cannot mount a disk");
  }

  /** Whether this process may make one. */
  static async isPossible(): Promise<boolean> {
    try {
      await using _disk = await SmallDisk.mount(1 << 20);
      return true;
    } catch {
      return false;
    }
  }

  /** Runs what is appended to it where the disk is mounted. */
  get wrapper(): string[] {
    return ["nsenter", "--mount", `--target=${this.#keeper.pid}`, "--"];
  }

  /** The disk as this process sees it. */
  get outside(): string {
    return `/proc/${this.#keeper.pid}/root${this.path}`;
  }

  /** Leaves no space on it. */
  async fill(): Promise<void> {
    using file = await Deno.open(this.#filler, { create: true, append: true });
    for (let bytes = 1 << 20; bytes > 0;) {
      try {
        await file.write(new Uint8Array(bytes));
      } catch (error) {
        if (!/os error 28/.test(String(error))) throw error;
        bytes >>= 1;
      }
    }
  }

  /** Gives back what {@linkcode fill} took. */
  async free(): Promise<void> {
    await Deno.remove(this.#filler);
  }

  get #filler(): string {
    return `${this.outside}/filler`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#keeper.stdin.close();
    await this.#keeper.stdout.cancel();
    await this.#keeper.status;
    await Deno.remove(this.path, { recursive: true });
  }
}
