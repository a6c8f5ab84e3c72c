/**
 * Runs of the program inside the test: a folder of its own for files, pins and heads, and all that
 * was printed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { type Clock, systemClock } from "../../src/base/clock.ts";
import type { CliProcess } from "../../src/cli/cli_process.ts";
import { CommandContext } from "../../src/cli/command_context.ts";
import type { OutputFormat } from "../../src/cli/output.ts";
import type { CliIo } from "../../src/server/io.ts";
import { bls } from "../schemes.ts";
import { runProgram } from "../../src/cli/program.ts";
import { TokenSupply } from "../../src/cli/token_supply.ts";
import { TrustFolder } from "../../src/cli/trust_folder.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

/** The result of one run. */
export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the run gave up the network. */
  readonly isOffline: boolean;
  /** The one JSON document on standard output. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** The context of a command that prints to `io`. */
export function contextOf(
  io: CliIo,
  { output = "json", clock = systemClock }: {
    readonly output?: OutputFormat;
    readonly clock?: Clock;
  } = {},
): CommandContext {
  const process: CliProcess = {
    io,
    clock,
    dropPermissions: () => {},
    columns: undefined,
    showsProgress: false,
    stdin: () => ReadableStream.from([]),
  };
  return new CommandContext(process, { output }, bls);
}

/** A user with a folder. */
export class Client {
  readonly folder: string;
  readonly trust: TrustFolder;
  /** Where `--gateway` points unless a run says otherwise. */
  gateway = "http://127.0.0.1:1";
  clock: Clock = systemClock;
  /** False for a user without a home folder. */
  hasHome = true;
  /** Answers on a terminal; without them there is none. */
  answers: readonly string[] | undefined;

  constructor(folder: string) {
    this.folder = folder;
    this.trust = new TrustFolder(join(folder, "home"));
  }

  /** The tokens of network `networkId` for {@linkcode gateway}. */
  supply(networkId: string): TokenSupply {
    const gateway = new URL(this.gateway).href;
    return new TokenSupply(join(this.folder, "home"), { gateway, networkId }, this.clock);
  }

  async run(
    args: readonly string[],
    stdin: string | ReadableStream<Uint8Array> = "",
  ): Promise<Finished> {
    const io = new CapturedIo({
      folder: this.folder,
      env: {
        ...(this.hasHome && { COUNTERSIGN_HOME: "home" }),
        COUNTERSIGN_GATEWAY: this.gateway,
      },
      ...(this.answers !== undefined && { answers: this.answers }),
    });
    let isOffline = false;
    const process: CliProcess = {
      io,
      clock: this.clock,
      stdin: () => typeof stdin === "string" ? ReadableStream.from([utf8(stdin)]) : stdin,
      dropPermissions: (kinds) => void (isOffline ||= kinds.includes("net")),
      columns: undefined,
      showsProgress: false,
    };
    const code = await runProgram(args, process);
    const { stdout } = io;
    const stderr = io.errLines.join("\n");
    // Values that are missing or no text. A clause of a specification may have the word.
    assert.doesNotMatch(`${stdout}\n${stderr}`, /: undefined\b|\bundefined$|\[object Object\]/m);
    return {
      code,
      stdout,
      stderr,
      isOffline,
      get json() {
        return JSON.parse(stdout);
      },
    };
  }

  /** {@linkcode run} with JSON output. */
  runJson(
    args: readonly string[],
    stdin?: string | ReadableStream<Uint8Array>,
  ): Promise<Finished> {
    return this.run([...args, "--output", "json"], stdin);
  }

  /** Writes a file into the folder; a value other than a string as JSON. */
  async write(name: string, content: unknown): Promise<void> {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    await Deno.writeTextFile(join(this.folder, name), text);
  }

  read(name: string): Promise<string> {
    return Deno.readTextFile(join(this.folder, name));
  }
}

/** Runs `use` with a new user. */
export async function withClient(use: (client: Client) => Promise<void>): Promise<void> {
  await inFolder((folder) => use(new Client(folder)));
}

/** Requires a JSON run to have failed with `code`. */
export function assertFailed(finished: Finished, code: string, exitCode = 1): void {
  assert.equal(finished.json.error.code, code);
  assert.equal(finished.code, exitCode);
}
