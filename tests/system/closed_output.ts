/**
 * Commands whose output goes to a program that closes the pipe, such as `head`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { withEvents } from "../http/event_clients.ts";
import { inFolder } from "../server/captured_io.ts";
import { runTool, type ToolResult } from "./tools.ts";

/** What shells have for a program that SIGPIPE ends. */
const EXIT_OUTPUT_CLOSED = 141;

/** `wordsOf` has the words that start the program. */
export function testClosedOutput(runtime: string, wordsOf: () => Promise<readonly string[]>): void {
  const run = async (
    args: readonly string[],
    reader: string,
    folder: string,
  ): Promise<ToolResult> => {
    const words = ["-c", `set -o pipefail; "$@" | ${reader}`, "bash", ...await wordsOf(), ...args];
    return await runTool("bash", words, { cwd: folder });
  };

  Deno.test(`watch ends without a message when its output is closed, on ${runtime}`, () =>
    withEvents((server) =>
      inFolder(async (folder) => {
        let isRunning = true;
        const { url } = server.listener;
        const args = ["watch", "--after", "v1.0.0.0.0.0", "--resume", "cursor", "--gateway", url];
        const running = run(args, "head -1", folder).finally(() => isRunning = false);
        const pause = () => new Promise((resolve) => setTimeout(resolve, 50));
        // It notices when it prints the next event.
        for (; isRunning; await pause()) await server.publish(1);
        const { code, stdout, stderr } = await running;
        assert.deepEqual([code, stderr], [EXIT_OUTPUT_CLOSED, ""]);
        assert.match(stdout, /^\S+Z {2}attestation\.accepted .*\n$/);
      })
    ));

  Deno.test(`a result that is cut off by a closed pipe is no success, on ${runtime}`, () =>
    inFolder(async (folder) => {
      const { code, stdout, stderr } = await run(["openapi"], "head -c 1", folder);
      assert.deepEqual([code, stdout, stderr], [EXIT_OUTPUT_CLOSED, "{", ""]);
      // A short result is written in one piece, and read before the pipe is closed.
      assert.equal((await run(["help", "verify"], "head -1", folder)).code, 0);
    }));
}
