/**
 * A client of gateways. It verifies nothing: `../proof/verify/mod.ts` does.
 *
 *     const gateway = new GatewayClient({ url: new URL("https://gateway.example/") });
 *     const { text, value: bundle } = await gateway.stamp(hash);
 *
 * @module
 */

export { type Clock, systemClock } from "../base/clock.ts";
export { CountersignError, type ErrorCode, hasCode } from "../base/errors.ts";
export { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
export { type EventFrame, eventMember } from "./event_frames.ts";
export { followEvents, type FollowOptions } from "./event_stream.ts";
export {
  GatewayClient,
  type GatewayClientOptions,
  type StampOptions,
  type SubmitOptions,
} from "./gateway_client.ts";
export {
  type GatewayAnswer,
  isBusy,
  isTemporary,
  type RetryOptions,
} from "./gateway_connection.ts";
export {
  compareWithRemembered,
  type HeadComparison,
  type HeadFinding,
  type HeadPair,
} from "./head_comparison.ts";
export { LogContradiction } from "./log_contradiction.ts";
export type { ApiKeySource } from "./http_client.ts";
export { type AwaitedState, awaitJobs, type AwaitOptions, BULK_LIMIT } from "./job_follower.ts";
