/**
 * Checks of the parts of updates that are JSON: a value is accepted only if it is exactly what this program
 * would have written.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode, tryParse } from "../errors.ts";
import { HEALTH_STATES } from "../format/gateway_status.ts";
import { readNetwork } from "../format/network.ts";
import type { JsonValue } from "../format/strict_json.ts";
import { parseSuccessionChain } from "../format/succession.ts";
import type { AnchorsState, FailingRound, Health, StatusFacts } from "../gateway/fronts/ports.ts";
import { type EpochChain, Epochs } from "../gateway/succession/epochs.ts";
import type { Refusal } from "./link_frames.ts";
import { malformedFrame } from "./socket_frames.ts";

type Members = Readonly<Record<string, unknown>>;
type Rebuild = (value: unknown) => unknown;

/** A rebuilt value: the members that `shape` has, in its order; optional ones end with `?`. */
function members(shape: Readonly<Record<string, Rebuild>>): Rebuild {
  return (value) => {
    if (typeof value !== "object" || value === null) throw malformed();
    const rebuilt: Record<string, unknown> = {};
    for (const [name, rebuild] of Object.entries(shape)) {
      const isOptional = name.endsWith("?");
      const member = isOptional ? name.slice(0, -1) : name;
      const found = (value as Members)[member];
      if (found === undefined && isOptional) continue;
      rebuilt[member] = rebuild(found);
    }
    return rebuilt;
  };
}

function list(rebuild: Rebuild): Rebuild {
  return (value) => {
    if (!Array.isArray(value)) throw malformed();
    return value.map(rebuild);
  };
}

function oneOf(values: readonly string[]): Rebuild {
  return (value) => {
    if (typeof value === "string" && values.includes(value)) return value;
    throw malformed();
  };
}

function text(value: unknown): unknown {
  if (typeof value === "string") return value;
  throw malformed();
}

function flag(value: unknown): unknown {
  if (typeof value === "boolean") return value;
  throw malformed();
}

function count(value: unknown): unknown {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value;
  throw malformed();
}

/** A time may have fractions. */
function number(value: unknown): unknown {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw malformed();
}

function orNull(rebuild: Rebuild): Rebuild {
  return (value) => value === null ? null : rebuild(value);
}

function malformed(): Error {
  return malformedFrame("a state is malformed");
}

const CODE = oneOf(ERROR_CODES satisfies readonly ErrorCode[]);
const REASON = members({ code: CODE, message: text });

const HEALTH = members({
  "status": oneOf(HEALTH_STATES),
  "refusal?": REASON,
  "isSigning": flag,
  "unacknowledged": oneOf(["none", "unsigned", "all"]),
});

const WAITING = members({
  "attempts": count,
  "nextAttemptAt?": number,
  "lastError?": REASON,
});

const FAILING = list(members({ first: count, size: count, state: WAITING }));

const STATUS = members({
  "witnesses": list(members({
    "id": text,
    "healthy": flag,
    "last_seen_at?": number,
    "last_error?": CODE,
    "failing?": list(text),
  })),
  "pending": count,
  "oldestPendingAt?": number,
  "beacon?": orNull(members({ round: count, time: number })),
  "succession?": members({
    "epoch": count,
    "next?": count,
    "step?": oneOf(["checking", "ending", "beginning"]),
    "tree_size?": count,
    "waits_for?": list(text),
    "frozen?": flag,
  }),
});

const REFUSALS = list(members({ id: count, code: CODE, message: text }));

const ANCHORS = members({
  version: count,
  length: count,
  failingPeers: list(text),
  "witnessing?": members({
    size: count,
    rootHash: text,
    lines: list(members({ vkey: text, line: text })),
    keys: count,
  }),
  "foreignWitnesses?": list(members({
    "name": text,
    "publicUrl?": text,
    "last?": members({ treeSize: count, at: number }),
    "lastError?": CODE,
    "failingSince?": number,
    "nextAttemptAt?": number,
  })),
  "foreignQuorum?": members({ "size": count, "behindSince?": number }),
});

const EPOCHS = members({
  network: (value) => readNetwork(value as JsonValue),
  links: (value) => parseSuccessionChain(JSON.stringify(value)),
});

/** Requires that `value` is JSON of the kind that `rebuild` makes, with its members in any order. */
function exact(rebuild: Rebuild, value: unknown): void {
  if (sorted(rebuild(value)) !== sorted(value)) throw malformed();
}

function sorted(value: unknown): string {
  return JSON.stringify(
    value,
    (_, member) =>
      typeof member === "object" && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1))
        : member,
  );
}

export function checkHealth(value: Health): void {
  exact(HEALTH, value);
}

export function checkFailing(value: readonly FailingRound[]): void {
  exact(FAILING, value);
}

export function checkStatus(value: StatusFacts): void {
  exact(STATUS, value);
}

export function checkRefusals(value: readonly Refusal[]): void {
  exact(REFUSALS, value);
}

export function checkAnchors(value: AnchorsState): void {
  exact(ANCHORS, value);
}

export function checkEpochs(value: EpochChain): void {
  const epochs = tryParse(() => {
    exact(EPOCHS, value);
    return new Epochs(value.network, value.links);
  });
  if (epochs === undefined) throw malformed();
}
