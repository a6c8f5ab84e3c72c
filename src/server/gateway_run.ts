/**
 * The context that the parts of one gateway share.
 *
 * @module
 */

import type { OperatorNetwork } from "../config/operator_network.ts";
import type { CryptoSuite } from "../crypto/crypto_suite.ts";
import type { Report } from "../report.ts";
import type { DamageLog } from "../telemetry/damage_log.ts";
import type { Log } from "../telemetry/log.ts";
import type { DataPaths } from "./data_paths.ts";
import type { CliIo } from "./io.ts";
import type { ServeOptions } from "./role_options.ts";

export interface GatewayRun {
  readonly operator: OperatorNetwork;
  readonly options: ServeOptions;
  readonly paths: DataPaths;
  readonly io: CliIo;
  readonly crypto: CryptoSuite;
  readonly log: Log;
  readonly report: Report;
  readonly damage: DamageLog;
  /** Closes the parts when the gateway stops, the last opened first. */
  readonly opened: AsyncDisposableStack;
}
