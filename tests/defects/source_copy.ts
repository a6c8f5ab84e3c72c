/**
 * A copy of the working tree in a temporary folder, where defects are put in and tests are run.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Defect, withDefect } from "./defect.ts";
import { failedTests } from "./test_output.ts";
import type { TestedSource, TestResult } from "./tried_defects.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The flags of `deno task test` and `test:system`, with all permissions. */
const TEST_FLAGS = [
  "--no-check",
  "--preload",
  "tests/limit_tests.ts",
  "--config",
  "tests/deno.json",
  "--no-prompt",
  "-A",
];

export class SourceCopy implements TestedSource, AsyncDisposable {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Copies every file that git does not ignore. */
  static async create(): Promise<SourceCopy> {
    const listed = await new Deno.Command("git", {
      args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      cwd: ROOT,
    }).output();
    if (!listed.success) throw new Error(new TextDecoder().decode(listed.stderr));
    const copy = new SourceCopy(await Deno.makeTempDir({ prefix: "countersign-defects-" }));
    for (const path of new TextDecoder().decode(listed.stdout).split("\0").slice(0, -1)) {
      await Deno.mkdir(dirname(join(copy.#folder, path)), { recursive: true });
      await Deno.copyFile(join(ROOT, path), join(copy.#folder, path)).catch((error) => {
        // Removed, and not yet in a commit.
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      });
    }
    return copy;
  }

  async put(defects: readonly Defect[]): Promise<AsyncDisposable> {
    await using originals = new AsyncDisposableStack();
    for (const defect of defects) {
      const path = join(this.#folder, defect.file);
      const source = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, withDefect(source, defect));
      originals.defer(() => Deno.writeTextFile(path, source));
    }
    return originals.move();
  }

  async typeErrors(files: readonly string[]): Promise<string | undefined> {
    const { success, output } = await this.#deno(["check", "--quiet", ...files]);
    return success ? undefined : output;
  }

  async test(file: string): Promise<TestResult> {
    const startMs = performance.now();
    const { success, output } = await this.#deno(["test", "--fail-fast", ...TEST_FLAGS, file]);
    const seconds = (performance.now() - startMs) / 1000;
    return { passed: success, failed: failedTests(output), output, seconds };
  }

  async #deno(args: readonly string[]): Promise<{ success: boolean; output: string }> {
    // As a push runs the tests.
    const { COUNTERSIGN_TEST_LONG: _, ...environment } = Deno.env.toObject();
    const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...args],
      cwd: this.#folder,
      env: { ...environment, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
      clearEnv: true,
      stdin: "null",
    }).output();
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    return { success, output };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#folder, { recursive: true });
  }
}
