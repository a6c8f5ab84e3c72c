/**
 * Schemas of health and of the gateway's opinions (protocol.md "Requests").
 *
 * @module
 */

import { HEALTH_STATES, HEALTHY_STATES, isHealthy } from "../../proof/format/gateway_status.ts";
import { THRESHOLD } from "../../proof/format/key_members.ts";
import { count, FLAG, list, object, oneOf, TEXT, text, time } from "../../proof/format/schema.ts";
import { VERIFY_REASONS, type VerifyReason } from "../../proof/verify/reasons.ts";

export const HEALTH = object({ status: oneOf(HEALTHY_STATES) }).named("Health");

export const UNHEALTHY = object({
  status: oneOf(HEALTH_STATES.filter((state) => !isHealthy(state))),
})
  .named("Unhealthy");

const REASON = oneOf(Object.keys(VERIFY_REASONS) as VerifyReason[]);

const TIME_BOUND = object({
  time: time("The bound"),
  source: text("Source of the bound").with({ example: "attestation" }),
  word: text("Who must be honest for the bound to hold").with({
    example: "2 witnesses of countersign.example/log",
  }),
}).named("TimeBound");

const TIME_BRACKET = object({
  not_before: list(TIME_BOUND).with({ description: "Latest first; empty without a beacon" }),
  not_after: list(TIME_BOUND).with({ description: "Earliest first" }),
  failed: list(object({ source: TEXT, reason: REASON })).with({
    description: "Sources that do not verify; they set no bound",
  }),
  contradictions: list(object({ not_before: TIME_BOUND, not_after: TIME_BOUND })).with({
    description: "Pairs of bounds that exclude each other; one of the two is wrong",
  }),
}).named("TimeBracket", {
  description: "Bounds on the time of signing. Present exactly when `valid` is true",
});

export const OPINION = object({
  valid: FLAG,
  verified_signatures: count("Number of distinct configured witnesses whose signatures verify"),
  required_signatures: THRESHOLD,
  reason: REASON.with({
    description: "Present exactly when `valid` is false",
    example: "signature_invalid",
  }).optional(),
  time: TIME_BRACKET.optional(),
}).named("Opinion");
