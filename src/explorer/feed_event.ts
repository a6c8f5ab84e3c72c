/**
 * Events as a gateway tells them (protocol.md "Events"), read for a list that people watch. An
 * event is a hint
 * to look: what it says is not signed, and nothing is concluded from it.
 *
 * @module
 */

import { HASH_LENGTH, isCount, isHex } from "../bytes.ts";
import { Fields } from "../format/fields.ts";
import { type JsonValue, parseStrictJson } from "../format/strict_json.ts";
import type { Route } from "./route.ts";
import { countText, plural } from "./text.ts";

const CODE = "malformed_bundle";

/** Types that a log of any size tells rarely, and those that come with every attestation. */
export const LOG_EVENT_TYPES = [
  "batch.closed",
  "sth.published",
  "cross_anchor.added",
  "external_anchor.added",
] as const;
export const ATTESTATION_EVENT_TYPES = ["attestation.accepted", "attestation.confirmed"] as const;

/** One event in words. */
export interface FeedEvent {
  readonly id: string;
  readonly type: string;
  /** Unix seconds. */
  readonly at: number;
  readonly text: string;
  /** Where the page shows more of it. */
  readonly route?: Route;
}

/** The event of JSON `text`; `malformed_bundle`. */
export function parseFeedEvent(text: string): FeedEvent {
  const fields = new Fields(
    parseStrictJson(text, CODE),
    { where: "event", code: CODE },
    ["id", "type", "at", "data"],
    { ignoreUnknown: true },
  );
  const data = fields.object("data", [], { ignoreUnknown: true });
  const type = fields.text("type");
  return { id: fields.text("id"), type, at: fields.integer("at"), ...describe(type, data) };
}

function describe(type: string, data: Fields): Pick<FeedEvent, "text" | "route"> {
  const hash = data.value("hash");
  switch (type) {
    case "attestation.accepted":
    case "attestation.confirmed": {
      const word = type === "attestation.accepted" ? "accepted" : "signed";
      return typeof hash === "string" && isHex(hash, HASH_LENGTH)
        ? { text: `${hash.slice(0, 16)}... ${word}`, route: { page: "attestation", hash } }
        : { text: `A hash ${word}` };
    }
    case "batch.closed":
      return describeBatch(data);
    case "sth.published":
    case "cross_anchor.added":
    case "external_anchor.added":
      return describeHead(type, data);
    default:
      return { text: "Of a kind that this page does not know" };
  }
}

function describeBatch(data: Fields): Pick<FeedEvent, "text" | "route"> {
  const [id, count] = [data.value("id"), data.value("attestation_count")];
  if (!isCount(id)) return { text: "A batch closed" };
  const size = isCount(count) ? ` with ${plural(count, "attestation")}` : "";
  return { text: `Batch ${countText(id)} closed${size}`, route: { page: "batch", id } };
}

function describeHead(type: string, data: Fields): Pick<FeedEvent, "text" | "route"> {
  const head = data.value("tree_head");
  const size = isObject(head) ? head["tree_size"] : data.value("tree_size");
  const who = data.value(type === "cross_anchor.added" ? "witnessing_network" : "provider");
  const by = typeof who === "string" ? ` by ${who}` : "";
  const what = isCount(size) ? `Tree head of size ${countText(size)}` : "A tree head";
  const done = {
    "sth.published": "published",
    "cross_anchor.added": `cosigned${by}`,
    "external_anchor.added": `anchored${by}`,
  }[type];
  const route: Route | undefined = isCount(size) ? { page: "batch", id: size } : undefined;
  return { text: `${what} ${done}`, ...(route && { route }) };
}

function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

/**
 * `added`, latest last, in front of `shown`, latest first: each once, and no more than `limit`. What
 * was found by looking and is then told has another id, and says the same.
 */
export function mergeEvents(
  shown: readonly FeedEvent[],
  added: readonly FeedEvent[],
  limit: number,
): readonly FeedEvent[] {
  const known = new Set(shown.flatMap(namesOf));
  const fresh = added.filter((event) => {
    const names = namesOf(event);
    if (names.some((name) => known.has(name))) return false;
    for (const name of names) known.add(name);
    return true;
  });
  return [...fresh.toReversed(), ...shown].slice(0, limit);
}

function namesOf({ id, type, at, text }: FeedEvent): string[] {
  return [id, `${type} ${at} ${text}`];
}
