/**
 * `watch`: prints a gateway's events until stopped, then the cursor to resume from.
 *
 * @module
 */

import type { JsonValue } from "../format/strict_json.ts";
import type { EventType } from "../gateway/events/event_ports.ts";
import type { EventFrame } from "../client/event_frames.ts";
import { followEvents } from "../client/event_stream.ts";
import type { CommandContext } from "./command_context.ts";
import { timeText } from "./output.ts";
import { stopOnSignals } from "../server/stop_signal.ts";

export interface WatchOptions {
  /** All when empty. */
  readonly types: readonly EventType[];
  /** 64 lowercase hex. */
  readonly hash?: string | undefined;
  /** A cursor that an earlier run ended with. */
  readonly after?: string | undefined;
}

const TYPE_WIDTH = 21;

/** {@linkcode watchEvents} until SIGINT or SIGTERM. */
export async function runWatch(options: WatchOptions, context: CommandContext): Promise<number> {
  using stop = stopOnSignals();
  return await watchEvents(options, context, stop.signal);
}

/** Prints one unverified event per line until `signal` aborts. */
export async function watchEvents(
  { types, hash, after }: WatchOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  const { output, gateway, process: { clock } } = context;
  let cursor = after;
  try {
    const events = followEvents({
      ...{ url: gateway.url, types, clock, random: Math.random },
      ...(hash !== undefined && { hash }),
      ...(after !== undefined && { after }),
      note: (text) => output.note(text),
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
  const hash = member(data, "hash");
  if (typeof hash === "string") return `${hash}  #${member(data, "sequence")}`;
  const head = member(data, "tree_head") ?? data;
  const count = member(data, "attestation_count");
  const by = member(data, "witnessing_network") ?? member(data, "provider");
  return [
    `size ${member(head, "tree_size")}`,
    `root ${member(head, "root_hash")}`,
    ...(count === undefined ? [] : [`${count} ${count === 1 ? "attestation" : "attestations"}`]),
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(member(data, "status") === undefined ? [] : [String(member(data, "status"))]),
  ].join("  ");
}

function member(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string, JsonValue>)[name] : undefined;
}
