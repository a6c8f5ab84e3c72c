/**
 * The configuration that a log has reached: `network.json`, or `successor.json` while the operator has
 * not renamed it.
 *
 * @module
 */

import { parseOperatorNetwork } from "../../config/operator_network.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { CountersignError } from "../../base/errors.ts";
import { NO_FEDERATION } from "../../proof/format/network_check.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import { coreDigest, coreOf, type TrustCore } from "../../proof/format/trust_core.ts";
import { followSuccession } from "../../proof/verify/followed_network.ts";
import { successorFile } from "../data_paths.ts";
import { exists } from "../files.ts";
import type { GatewayRun } from "./gateway_run.ts";
import type { GatewayStores } from "./gateway_stores.ts";
import { networkDigest } from "./log_network.ts";
import { requireReach } from "./signers_reach.ts";

/**
 * `run` with the configuration of the present epoch, and with the links to it. `store_corrupt` if the
 * links do not verify, `network_changed` if neither file has that configuration.
 */
export async function presentRun(run: GatewayRun, stores: GatewayStores): Promise<GatewayRun> {
  const links = await stores.readLinks();
  const [first] = links;
  if (first === undefined) return run;
  const core = await presentCore(run.crypto, links);
  const storeDigest = networkDigest(first.predecessor);
  if (isOf(run, core)) return { ...run, links, storeDigest };
  // The operator may have renamed one to the other since `run` was read.
  for (const file of [successorFile(run.paths), run.paths.networkFile]) {
    if (!await exists(file)) continue;
    const networkText = await readPrivateFile(file);
    const { insecure } = run.options;
    const operator = parseOperatorNetwork(networkText, file, { insecure, bls: run.crypto.bls });
    const next = { ...run, operator, networkText, links, storeDigest };
    if (!isOf(next, core)) continue;
    await requireReach(operator, file);
    if (file !== run.paths.networkFile) {
      run.report(
        `The log is in epoch ${core.epoch}: using "${file}". Rename it to network.json before the ` +
          "next succession",
      );
    }
    return next;
  }
  throw new CountersignError(
    "network_changed",
    `Cannot open store: its log is in epoch ${core.epoch}, and neither network.json nor ` +
      "successor.json has the configuration of that epoch",
  );
}

/** The trust core to which the stored links lead, at least one; `store_corrupt` if they do not verify. */
async function presentCore(
  crypto: GatewayRun["crypto"],
  links: readonly SuccessionLink[],
): Promise<TrustCore> {
  const { predecessor, successor } = links.at(-1)!;
  const first = { ...links[0]!.predecessor, federation: NO_FEDERATION };
  const { failure } = await followSuccession(crypto, first, links);
  if (failure === undefined) return successor ?? predecessor;
  const { reason, field = "chain" } = failure;
  throw new CountersignError(
    "store_corrupt",
    `Cannot use the links of the store: ${reason} (${field})`,
  );
}

/** The digest of the first epoch's network, with which the store was created. */
export function storeDigestOf({ operator, storeDigest }: GatewayRun): string {
  return storeDigest ?? networkDigest(operator.network);
}

function isOf({ operator }: Pick<GatewayRun, "operator">, core: TrustCore): boolean {
  return coreDigest(coreOf(operator.network)) === coreDigest(core);
}
