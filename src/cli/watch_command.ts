/**
 * `watch`: prints a gateway's events until stopped, then the cursor to resume from.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import { loadToken } from "../config/bearer_tokens.ts";
import { CountersignError } from "../base/errors.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import { urlOf } from "../proof/format/service_url.ts";
import type { JsonValue } from "../proof/format/strict_json.ts";
import { EVENT_TYPES } from "../gateway/events/event_ports.ts";
import { type EventFrame, eventMember } from "../client/event_frames.ts";
import { followEvents } from "../client/event_stream.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { FILE, HASH, optional, repeated, textValue } from "./options.ts";
import { timeText } from "./output.ts";
import { replaceFile, textIfExists } from "../server/replaced_file.ts";
import { Webhook } from "../http/outgoing/webhook.ts";
import { stopOnSignals } from "../server/stop_signal.ts";
import { shellWord } from "./shell_word.ts";

const TYPE_WIDTH = 21;

/** Used without `--webhook-secret`. */
const SECRET_VARIABLE = "COUNTERSIGN_TOKEN_WEBHOOK";

const CHANGES = {
  lost: "Connection lost; resuming from the last event",
  gap: "Earlier events cannot be replayed: the gateway's log no longer contains the cursor",
} as const;

const options = {
  types: repeated("--type", choice(EVENT_TYPES, { metavar: "TYPE" }), "Only events of this type."),
  hash: optional("--hash", HASH, "Only events about this hash."),
  after: optional(
    "--after",
    textValue("CURSOR"),
    "Resume after this cursor, which an earlier run printed (default: new events only).",
  ),
  resume: optional(
    "--resume",
    FILE,
    "Keep the cursor in this file, and resume after the one that it holds.",
  ),
  webhook: optional(
    "--webhook",
    textValue("URL"),
    "Post each event to this URL, signed, in order, until it is accepted.",
  ),
  webhookSecret: optional(
    "--webhook-secret",
    FILE,
    "File with the secret for signatures (default: the variable COUNTERSIGN_TOKEN_WEBHOOK).",
  ),
};

export type WatchOptions = Partial<ValuesOf<typeof options>>;

/** {@linkcode watchEvents} until SIGINT or SIGTERM. */
export const watch = defineCommand("watch", {
  description: "Prints one event per line until stopped, then the cursor to resume from.",
  options,
  async run(values, context) {
    using stop = stopOnSignals();
    return await watchEvents(values, context, stop.signal);
  },
});

/** Prints one unverified event per line until `signal` aborts. */
export async function watchEvents(
  watched: WatchOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { types = [], hash, after, resume, webhook, webhookSecret } = watched;
  const { output, gatewayUrls, apiKey, process: { clock } } = context;
  const receiver = webhook === undefined
    ? undefined
    : await openWebhook(context, webhook, webhookSecret);
  const file = resume === undefined ? undefined : new CursorFile(context.io.resolvePath(resume));
  const from = after ?? await file?.read();
  let cursor: string | undefined;
  try {
    const events = followEvents({
      ...gatewayUrls,
      apiKey,
      types,
      clock,
      random: Math.random,
      ...(hash !== undefined && { hash }),
      ...(from !== undefined && { after: from }),
      changed: (change) => {
        if (change !== "connected") output.note(CHANGES[change]);
      },
      reached: (reached) => {
        cursor = reached;
        file?.write(reached);
      },
    }, signal);
    for await (const event of events) {
      // An event that was not delivered has to be the first one of the next run.
      if (receiver && !await receiver.deliver(event.text, signal)) break;
      output.item(event.text, lineOf(event));
      await file?.written;
    }
  } catch (error) {
    const isRefused = error instanceof GatewayRefusal && error.reason === "malformed_parameter";
    // The other parameters were checked before.
    if (!isRefused || from === undefined) throw error;
    throw new CountersignError(
      "gateway_refused",
      `Cannot resume after ${JSON.stringify(from)}: it is no cursor. ` +
        (after === undefined
          ? `"${resume}" must have a cursor that watch wrote; without the file, new events follow`
          : "--after needs a cursor that watch printed"),
      { cause: error },
    );
  } finally {
    await file?.written;
    // Also after an error, so that no event is printed twice.
    if (cursor !== undefined && !output.isCut) output.note(resumption(context, watched, cursor));
  }
  return 0;
}

/** How to go on after `cursor`, which the file of `--resume` has. The URL of a webhook may be a secret. */
function resumption(
  context: CommandContext,
  { types = [], hash, resume, webhook }: WatchOptions,
  cursor: string,
): string {
  const from = resume === undefined
    ? `--after ${shellWord(cursor)}`
    : `--resume ${shellWord(resume)}`;
  if (webhook !== undefined) return `Resume with the same --webhook and ${from}`;
  const words = [
    "watch",
    ...types.map((type) => `--type ${type}`),
    ...(hash === undefined ? [] : [`--hash ${hash}`]),
    from,
  ];
  const format = context.output.format === "json" ? " --output json" : "";
  return `Resume with: ${context.commandLine(words.join(" "))}${format}`;
}

/** The file of `--resume`. */
class CursorFile {
  readonly #path: string;
  /** Rejects with `file_failed` if a cursor could not be written. */
  written: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<string | undefined> {
    return (await textIfExists(this.#path))?.trim();
  }

  write(cursor: string): void {
    this.written = this.written.then(() => replaceFile(this.#path, `${cursor}\n`, 0o600));
    this.written.catch(() => {});
  }
}

function lineOf({ at, type, data }: EventFrame): string {
  return `${timeText(at)}  ${type.padEnd(TYPE_WIDTH)}  ${detailOf(data)}`;
}

/** The hash, or the size of the tree and its signer. */
function detailOf(data: JsonValue): string {
  const hash = eventMember(data, "hash");
  if (typeof hash === "string") return `${hash}  #${eventMember(data, "sequence")}`;
  const head = eventMember(data, "tree_head") ?? data;
  const count = eventMember(data, "attestation_count");
  const by = eventMember(data, "witnessing_network") ?? eventMember(data, "provider");
  return [
    `size ${eventMember(head, "tree_size")}`,
    `root ${eventMember(head, "root_hash")}`,
    ...(count === undefined ? [] : [`${count} ${count === 1 ? "attestation" : "attestations"}`]),
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(eventMember(data, "status") === undefined ? [] : [String(eventMember(data, "status"))]),
  ].join("  ");
}

/** The webhook at `address`; `usage`, and the errors of {@linkcode loadToken}. */
export async function openWebhook(
  context: CommandContext,
  address: string,
  secretFile: string | undefined,
): Promise<Webhook> {
  const url = urlOf(address);
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CountersignError("usage", "--webhook must be an http: or https: URL");
  }
  const { io, output, process: { clock } } = context;
  const secret = await loadToken(
    secretFile === undefined
      ? { kind: "environment", name: SECRET_VARIABLE }
      : { kind: "file", path: io.resolvePath(secretFile) },
    { env: (name) => io.env(name) },
  );
  return new Webhook(url, secret, {
    changed: (text) => output.note(text),
    clock,
    random: Math.random,
  });
}
