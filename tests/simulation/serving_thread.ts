/**
 * The threads of gateway processes that answer clients.
 *
 * @module
 */

import type { Front } from "../../src/gateway/fronts/front.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import type { GatewayProcess } from "./gateway_process.ts";

/** The part of a gateway, or of a front, that clients use. */
export type ServedGateway = Pick<Front, keyof GatewayService | "eventLog">;

/** A front, or the only thread of a process without fronts. */
export interface ServingThread {
  readonly name: string;
  readonly process: GatewayProcess;
  readonly service: ServedGateway;
  /** False once it has ended. Its clients see a closed connection. */
  readonly isAlive: boolean;
  /** Unanswered requests of clients. */
  asked: number;
  /** The front has seen that unsigned digests must not be acknowledged. */
  readonly mustRefuseUnsigned?: boolean;
  /** Resolves after `ms` milliseconds; never if the thread has ended by then. */
  answered(what: string, ms: number): Promise<void>;
}
