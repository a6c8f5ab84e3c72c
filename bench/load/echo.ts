/**
 * Runs a scenario against an echo server: the same requests, and answers of the same size with the
 * same header fields. The result is the limit of this machine, generator and runtime.
 *
 * @module
 */

import { V8_FLAGS } from "../../src/cli/deno_process.ts";
import type { Answer } from "./answer_reader.ts";
import { type Load, type LoadResult, runLoad } from "./load_run.ts";
import type { Scenario } from "./scenario.ts";
import { ServerProcess } from "./server_process.ts";
import { resolveEndpoint } from "./sockets.ts";

/** Fields that the runtime adds. */
const OWN_FIELDS = ["content-length", "date", "connection", "vary"];

/** The shape of an answer. */
export interface AnswerShape {
  readonly bodyLength: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** The shape of `answer`. */
export function shapeOf(answer: Answer): AnswerShape {
  const lines = answer.head.trimEnd().split("\r\n").slice(1);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return {
    bodyLength: answer.bodyEnd - answer.bodyStart,
    headers: headers.filter(([name]) => !OWN_FIELDS.includes(name.toLowerCase())),
  };
}

/** An echo server of answers of `shape`, in so many threads. */
export function startEcho(shape: AnswerShape, threads = 1): Promise<ServerProcess> {
  return ServerProcess.start([
    "run",
    V8_FLAGS,
    "--no-prompt",
    "--allow-net",
    "--allow-read=bench,src",
    "bench/load/echo_server.ts",
    String(shape.bodyLength),
    JSON.stringify(shape.headers),
    String(threads),
  ]);
}

/** Requests of `scenario` to the echo server at `url`, in a closed loop. */
export async function runEcho(url: URL, scenario: Scenario, load: Load): Promise<LoadResult> {
  const { rates: _, observer: __, ...closed } = load;
  return await runLoad(await resolveEndpoint(url), echoScenario(scenario), {
    ...closed,
    checks: 0,
  });
}

/** `scenario` without checks of answers. */
function echoScenario(scenario: Scenario): Scenario {
  return {
    ...scenario,
    client() {
      const client = scenario.client();
      return {
        next: () => client.next(),
        accepts: ({ status }) => status === 200,
        check: () => () => Promise.resolve(),
      };
    },
  };
}
