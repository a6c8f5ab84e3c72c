/**
 * Checks the databases of a backup as `fsck` does.
 *
 * @module
 */

import { join } from "node:path";
import type { Bytes } from "../../base/bytes.ts";
import type { SuccessionLink } from "../../proof/format/succession.ts";
import type { SthRecord } from "../../proof/format/records.ts";
import { coreOf, type TrustCore } from "../../proof/format/trust_core.ts";
import { checkpointNote } from "../../gateway/sequencing/checkpoint_note.ts";
import { Epochs } from "../../gateway/succession/epochs.ts";
import { dataPathsOf } from "../../server/data_paths.ts";
import { logNetwork } from "../../server/gateway/log_network.ts";
import { ReadOnlyLog } from "../../storage/log/read_only_log.ts";
import type { CommandContext } from "../command_context.ts";
import { openLocalStores } from "../fsck/checked_stores.ts";
import { auditedConfiguration, auditStores } from "../fsck/fsck_store.ts";
import { PUBLIC_FILE } from "./backup_files.ts";

/** The log in a backup. */
export interface CheckedBackup {
  readonly networkId: string;
  /** The links of its succession. */
  readonly links: readonly SuccessionLink[];
  /** The trust core of its last epoch. */
  readonly core: TrustCore;
  /** True if the log has ended and the copy has all of it. */
  readonly isEnded: boolean;
  /** How many faults the audit found. */
  readonly faults: number;
  /** Digests in the copy. */
  readonly accepted: number;
  /** Size of the tree. */
  readonly size: number;
  /** The latest published head as a signed note; absent before the first one. */
  readonly checkpoint: string | undefined;
  /** Roots by size: of the tree, and of published heads of smaller sizes. */
  rootAt(size: number): Promise<Bytes | undefined>;
}

/** Checks the backup in `folder`, whose log `opened` closes. Rejects as `fsck` does. */
export async function checkedBackup(
  folder: string,
  context: CommandContext,
  opened: AsyncDisposableStack,
): Promise<CheckedBackup> {
  const configuration = await auditedConfiguration(
    { networkConfig: join(folder, PUBLIC_FILE) },
    dataPathsOf({}, context.io),
    context,
  );
  const network = logNetwork(configuration.trusted.network);
  const stores = await openLocalStores(join(folder, "data"), network, context, opened);
  const { run, report } = await auditStores(stores, configuration, context);
  const log = new ReadOnlyLog(stores.reads);
  const head = await stores.log.head();
  const links = await log.successions.links();
  const last = links.at(-1);
  const epochs = new Epochs(last?.successor ? { ...network, ...last.successor } : network, links);
  const [published]: (SthRecord | undefined)[] = await log.sths.below(Number.MAX_SAFE_INTEGER, 1);
  const size = head?.key ?? 0;
  return {
    networkId: network.id,
    links,
    core: last === undefined ? coreOf(network) : last.successor ?? last.predecessor,
    isEnded: last?.successor === null && last.end.tree_size === size,
    faults: run.faults.total,
    accepted: report.accepted,
    size,
    checkpoint: published && checkpointNote(epochs.ofHead(published.size), published),
    rootAt: async (size) =>
      head !== undefined && "value" in head && head.key === size
        ? head.value
        : (await log.sths.at(size))?.root,
  };
}
