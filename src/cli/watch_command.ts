/**
 * `watch`: prints a gateway's events until stopped, then the cursor to resume from.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import type { JsonValue } from "../format/strict_json.ts";
import { EVENT_TYPES } from "../gateway/events/event_ports.ts";
import { type EventFrame, eventMember } from "../client/event_frames.ts";
import { followEvents } from "../client/event_stream.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { HASH, optional, repeated, textValue } from "./options.ts";
import { timeText } from "./output.ts";
import { stopOnSignals } from "../server/stop_signal.ts";

const TYPE_WIDTH = 21;

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
};

export type WatchOptions = Partial<ValuesOf<typeof options>>;

/** {@linkcode watchEvents} until SIGINT or SIGTERM. */
export const watch = defineCommand("watch", {
  brief: "Follow the events of the log",
  description: "Prints one event per line until stopped, then the cursor to resume from.",
  options,
  async run(values, context) {
    using stop = stopOnSignals();
    return await watchEvents(values, context, stop.signal);
  },
});

/** Prints one unverified event per line until `signal` aborts. */
export async function watchEvents(
  { types = [], hash, after }: WatchOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { output, gateway, process: { clock } } = context;
  let cursor: string | undefined;
  try {
    const events = followEvents({
      ...{ url: gateway.url, types, clock, random: Math.random },
      ...(hash !== undefined && { hash }),
      ...(after !== undefined && { after }),
      changed: (change) => {
        if (change !== "connected") output.note(CHANGES[change]);
      },
      reached: (reached) => cursor = reached,
    }, signal);
    for await (const event of events) output.item(event.text, lineOf(event));
  } finally {
    // Also after an error, so that no event is printed twice.
    if (cursor !== undefined) output.note(`Resume with --after ${cursor}`);
  }
  return 0;
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
