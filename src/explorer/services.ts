/**
 * What every page of the explorer is given: its gateway, the verifier, and what this browser keeps.
 *
 * @module
 */

import type { Clock } from "../clock.ts";
import type { GatewayClient } from "../client/gateway_client.ts";
import type { AssetNames } from "./asset_names.ts";
import type { PageStorage } from "./browser_storage.ts";
import type { LogWatch } from "./log_watch.ts";
import type { StampDesk } from "./stamp/stamp_desk.ts";
import type { TrustKeeper } from "./trust_keeper.ts";
import type { CryptoLoader } from "./verifier.ts";

/** One of each for the life of the page. */
export interface Services {
  readonly api: GatewayClient;
  readonly assets: AssetNames;
  readonly crypto: CryptoLoader;
  readonly storage: PageStorage;
  readonly trust: TrustKeeper;
  readonly clock: Clock;
  readonly watch: LogWatch;
  readonly stamps: StampDesk;
}

/** What a page's component takes. */
export interface PageProps {
  readonly services: Services;
}
