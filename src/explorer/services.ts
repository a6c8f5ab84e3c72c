/**
 * The services of the page: the gateway, the verifier and the state of this browser.
 *
 * @module
 */

import { type Child, createContext, useContext } from "hono/jsx/dom";
import type { Clock } from "../base/clock.ts";
import type { GatewayClient } from "../client/gateway_client.ts";
import type { ApiKeyStore } from "./api_key.ts";
import type { CryptoLoader, TimestampLoader } from "./assets.ts";
import type { PageStorage } from "./browser_storage.ts";
import type { GatewayLine } from "./gateway_line.ts";
import type { GatewayPulse } from "./gateway_pulse.ts";
import type { HashPool } from "./hashing/hash_pool.ts";
import type { LogWatch } from "./log_watch.ts";
import type { Route } from "./route.ts";
import type { PageTokens } from "./stamp/page_tokens.ts";
import type { ProofSaving } from "./stamp/proof_saving.ts";
import type { StampQueue } from "./stamp/stamp_queue.ts";
import type { TrustStore } from "./trust_store.ts";

/** A static copy of a log in place of its gateway. */
export interface CopyOfLog {
  readonly client: GatewayClient;
  /** The component of a page that a gateway does not have; `undefined` for the others. */
  readonly pageOf: (route: Route) => Child | undefined;
}

/** One of each for the life of the page. */
export interface Services {
  readonly api: GatewayClient;
  /** Present if the page is beside a static copy of a log. */
  readonly copy: CopyOfLog | undefined;
  readonly apiKey: ApiKeyStore;
  readonly crypto: CryptoLoader;
  readonly storage: PageStorage;
  readonly trust: TrustStore;
  readonly clock: Clock;
  /** Requests that wait until the gateway answers. */
  readonly line: GatewayLine;
  readonly pulse: GatewayPulse;
  /** Ends the pauses between requests to a gateway that is away. */
  readonly askNow: () => void;
  readonly hashing: HashPool;
  readonly timestamps: TimestampLoader;
  readonly watch: LogWatch;
  readonly tokens: PageTokens;
  readonly stamps: StampQueue;
  readonly saving: ProofSaving;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

/** The services, in a component below the provider of {@linkcode ServicesContext}. */
export function useServices(): Services {
  return useContext(ServicesContext)!;
}
