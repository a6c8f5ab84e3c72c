/**
 * Every command that asks a gateway, as one user runs it: with the network pinned and a tree head
 * remembered, or on first contact.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { textOf } from "../../src/base/bytes.ts";
import type { Clock } from "../../src/base/clock.ts";
import { firstLog as rekor } from "../gateway/anchors/rekor/test_log.ts";
import { Client, type Finished, withClient } from "../cli/client_run.ts";
import { HASH, OTHER_HASH, SIZES, type World } from "./world.ts";

/** One command line, and the files and pins of its user. */
export interface ClientCommand {
  readonly args: readonly string[];
  /** Whether the network is pinned and a head of the second size remembered. */
  readonly pinned: boolean;
}

const [FIRST, SECOND] = SIZES.map(String) as [string, string];

function pinned(...args: readonly string[]): ClientCommand {
  return { args, pinned: true };
}

function atFirst(...args: readonly string[]): ClientCommand {
  return { args, pinned: false };
}

/** By the name in expectations. `*.json` are files with honest answers. */
export const COMMANDS = {
  "stamp": pinned("stamp", "--hash", HASH, "--timeout", "2"),
  "stamp several": pinned("stamp", "--hash", HASH, "--hash", OTHER_HASH, "--timeout", "2"),
  "stamp save": pinned("stamp", "--hash", HASH, "--save", "--wait-batched", "--timeout", "2"),
  "stamp at first": atFirst("stamp", "--hash", HASH, "--save", "--timeout", "2"),
  "status": pinned("status", HASH),
  "bundle": pinned("bundle", HASH),
  "proof": pinned("proof", HASH),
  "anchors": pinned("anchors", HASH),
  "anchors save": pinned("anchors", HASH, "--save", "proofs"),
  "config": pinned("config"),
  "network": pinned("network"),
  "network at first": atFirst("network"),
  "pin": pinned("network", "--pin", "--yes"),
  "pin at first": atFirst("network", "--pin", "--yes"),
  "verify online": pinned("verify", "attestation.json", "--online"),
  "verify at first": atFirst("verify", "attestation.json", "--online"),
  "verify-proof": pinned("verify-proof", "--hash", HASH, "--peer-config", "peer.json"),
  "verify-proof anchors": pinned(
    "verify-proof",
    "--hash",
    HASH,
    "--peer-config",
    "peer.json",
    "--anchor-root",
    "rekor=trusted_root.json",
    "--require-anchor",
    "rekor",
  ),
  "verify-proof online": pinned(
    "verify-proof",
    "--bundle",
    "bundle.json",
    "--online",
    "--peer-config",
    "peer.json",
  ),
  "verify-proof at first": atFirst(
    "verify-proof",
    "--hash",
    HASH,
    "--online",
    "--peer-config",
    "peer.json",
  ),
  "sth": pinned("log", "sth"),
  "sth verify": pinned("log", "sth", "--verify"),
  "sth of a size": pinned("log", "sth", FIRST, "--verify"),
  "consistency": pinned("log", "consistency", FIRST, SECOND),
  "consistency verify": pinned("log", "consistency", FIRST, SECOND, "--verify"),
  "log proof": pinned("log", "proof", HASH),
  "log proof verify": pinned("log", "proof", HASH, "--verify"),
  "log proof of a size": pinned("log", "proof", HASH, "--tree-size", SECOND, "--verify"),
} as const satisfies Readonly<Record<string, ClientCommand>>;

/** A key of {@linkcode COMMANDS}. */
export type CommandName = keyof typeof COMMANDS;

export const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

/** Commands with an additional option, run only for lies that name them. */
export const VARIATIONS: ReadonlySet<string> = new Set<CommandName>([
  "anchors save",
  "verify-proof anchors",
]);

/** Honest answers, saved in files and as remembered heads. */
export interface Before {
  readonly attestation: string;
  readonly bundle: string;
}

/** Runs commands against one gateway, each as a new user. */
export class CommandRunner implements AsyncDisposable {
  readonly #url: string;
  /** The folder of a user whose home and files others begin with. */
  readonly #model: Client;
  /** Paths below the folder of the files of a user with a pin. */
  readonly #kept: readonly string[];
  /** Seconds that the user's clock is ahead. */
  aheadSeconds = 0;

  private constructor(url: string, model: Client, kept: readonly string[]) {
    this.#url = url;
    this.#model = model;
    this.#kept = kept;
  }

  static async start(world: World, url: string, before: Before): Promise<CommandRunner> {
    const model = new Client(await Deno.makeTempDir());
    await model.write("attestation.json", before.attestation);
    await model.write("bundle.json", before.bundle);
    await model.write("peer.json", world.peer.configuration);
    await model.write("trusted_root.json", textOf(rekor.trustedRoot()));
    await model.trust.savePin(world.network);
    await model.trust.saveGateway(new URL(url).href, world.network.id);
    await model.trust.saveHead(await world.sth(SIZES[1]));
    const kept = [];
    for (const folder of ["home/networks", "home/gateways", "home/heads"]) {
      for await (const { name } of Deno.readDir(join(model.folder, folder))) {
        kept.push(`${folder}/${name}`);
      }
    }
    return new CommandRunner(url, model, kept);
  }

  /** The command's output as JSON or text, with `~` for the user's folder. */
  async run(name: CommandName, format: "json" | "text"): Promise<Finished> {
    const command: ClientCommand = COMMANDS[name];
    const given = command.args.map((arg) =>
      arg.replace(/[a-z_]+\.json$/, (name) => join(this.#model.folder, name))
    );
    let finished: Finished | undefined;
    await withClient(async (client) => {
      client.gateway = this.#url;
      client.clock = hastyClock(Date.now() + this.aheadSeconds * 1000);
      if (command.pinned) await this.#furnish(client);
      const args = format === "json" ? [...given, "--output", "json"] : given;
      finished = withoutFolder(await client.run(args), client.folder);
    });
    return finished!;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.#model.folder, { recursive: true });
  }

  async #furnish(client: Client): Promise<void> {
    for (const path of this.#kept) {
      await Deno.mkdir(join(client.folder, dirname(path)), { recursive: true });
      await Deno.copyFile(join(this.#model.folder, path), join(client.folder, path));
    }
  }
}

/** A clock that only pauses advance, without waiting. */
function hastyClock(start: number): Clock {
  let now = start;
  return {
    nowMs: () => now,
    elapsedMs: () => now,
    sleep(ms) {
      now += ms;
      return Promise.resolve();
    },
  };
}

function withoutFolder(finished: Finished, folder: string): Finished {
  const stdout = finished.stdout.replaceAll(folder, "~");
  const stderr = finished.stderr.replaceAll(folder, "~");
  const { code, isOffline } = finished;
  return {
    code,
    isOffline,
    stdout,
    stderr,
    get json() {
      return JSON.parse(stdout);
    },
  };
}
