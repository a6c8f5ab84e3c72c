/**
 * One run of `backup`. The files are written to a temporary folder next to the named one, checked, and then
 * renamed: the named folder never has an incomplete backup.
 *
 * @module
 */

import { mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { readTextFile } from "../../config/text_file.ts";
import { parseOperatorNetwork } from "../../config/operator_network.ts";
import { CountersignError } from "../../base/errors.ts";
import { publicNetworkJson } from "../../proof/format/public_network.ts";
import { anchorsFile, dataPathsOf, storeFile, trialNetworkFile } from "../../server/data_paths.ts";
import { exists, listFolder, makeFolder, writeNewFile } from "../../server/files.ts";
import { replaceFile } from "../../server/replaced_file.ts";
import { syncFolder } from "../../storage/disk_write.ts";
import { plainReason, reasonOf } from "../../storage/store_fault.ts";
import type { CommandContext } from "../command_context.ts";
import { fileWord } from "../shell_word.ts";
import { CHECKPOINT_FILE, checksumsOf, PUBLIC_FILE, SUMS_FILE } from "./backup_files.ts";
import { type CheckedBackup, checkedBackup } from "./checked_backup.ts";

export interface BackupOptions {
  readonly to: string;
  readonly data?: string | undefined;
  readonly config?: string | undefined;
}

/** Exits 1 if the log has a fault: then there is no backup. */
export async function runBackup(options: BackupOptions, context: CommandContext): Promise<number> {
  const { io, output } = context;
  const to = io.resolvePath(options.to);
  const paths = dataPathsOf(options, io);
  const rules = { insecure: true, bls: context.crypto.bls };
  const text = await readTextFile(paths.networkFile);
  const { network, store } = parseOperatorNetwork(text, paths.networkFile, rules);
  if (store !== undefined) {
    throw new CountersignError(
      "usage",
      "Cannot back up: the log is in PostgreSQL. Use its own backup, such as pg_dump, which is " +
        "consistent while the gateway runs",
    );
  }
  const source = storeFile(paths.dataFolder);
  if (!await exists(source)) {
    throw new CountersignError(
      "configuration_missing",
      `Cannot back up "${paths.dataFolder}": it is not the data folder of a gateway`,
    );
  }
  if ((await listFolder(to)).length > 0) throw failed(to, "it is not empty; name a new folder");
  await makeFolder(dirname(to));
  const folder = await mkdtemp(`${to}.unfinished-`).catch((cause) => {
    throw failed(to, plainReason(reasonOf(cause)), cause);
  });
  try {
    await makeFolder(join(folder, "data"));
    // Anchors first: they refer to heads of the log, so the log must be the later copy.
    for (const file of [anchorsFile, storeFile]) {
      const from = file(paths.dataFolder);
      if (!await exists(from)) continue;
      await copyDatabase(from, file(join(folder, "data"))).catch((cause) => {
        throw failed(to, plainReason(reasonOf(cause)), cause);
      });
    }
    await writeNewFile(join(folder, PUBLIC_FILE), publicNetworkJson(network), 0o644);
    const checked = await checkedFolder(folder, context);
    if (checked.faults > 0) {
      output.result({
        saved: false,
        from: paths.dataFolder,
        fault_count: checked.faults,
      }, ({ from, fault_count }) => [
        { text: `NOT SAVED: ${fault_count} FAULTS`, accent: "red" },
        `Stop the gateway and check ${from} with countersign fsck`,
      ]);
      return 1;
    }
    // With the chain, proofs of every epoch verify with this file.
    const published = publicNetworkJson({ ...network, links: checked.links });
    await replaceFile(join(folder, PUBLIC_FILE), published, 0o644);
    if (checked.checkpoint !== undefined) {
      await writeNewFile(join(folder, CHECKPOINT_FILE), checked.checkpoint, 0o644);
    }
    await writeNewFile(join(folder, SUMS_FILE), await checksumsOf(folder), 0o644);
    for (const written of [join(folder, "data"), folder]) await syncFolder(written);
    // Fails if another backup was renamed to this name meanwhile.
    await rename(folder, to).catch((cause) => {
      throw failed(to, plainReason(reasonOf(cause)), cause);
    });
    await syncFolder(dirname(to));
    const { size, accepted } = checked;
    output.result({
      saved: true,
      to,
      tree_size: size,
      accepted,
      check: `countersign restore --check ${fileWord(options.to)}${configWords(options)}`,
    }, ({ to, tree_size, accepted, check }) => [
      { text: "SAVED", accent: "green" },
      `to: ${to}`,
      `log: ${accepted} digests, tree of ${tree_size} leaves`,
      "not included: keys, tokens, and the states of witnesses",
      `before a start: ${check}`,
    ]);
    return 0;
  } finally {
    // After the rename there is nothing here.
    await rm(folder, { recursive: true, force: true });
  }
}

/** The option of `restore --check` for the network of this backup, a command to paste. */
function configWords({ data, config }: BackupOptions): string {
  const file = config ?? (data && trialNetworkFile(data));
  return file === undefined ? "" : ` --config ${fileWord(file)}`;
}

async function checkedFolder(folder: string, context: CommandContext): Promise<CheckedBackup> {
  await using opened = new AsyncDisposableStack();
  return await checkedBackup(folder, context, opened);
}

/** More pages than any database has: a copy in one step is of one state. */
const ALL_PAGES = 2 ** 31 - 1;

/**
 * Copies one state of the database, and syncs it. Commits of a gateway that runs go on. Not by
 * `VACUUM INTO`, which needs more permissions than files (Deno refuses to attach databases without all).
 */
async function copyDatabase(from: string, to: string): Promise<void> {
  {
    using source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
    await backup(source, to, { rate: ALL_PAGES });
  }
  // The copy is one file, without a write-ahead file beside it.
  {
    using copy = new DatabaseSync(to);
    copy.exec("PRAGMA journal_mode = DELETE");
  }
  await Deno.chmod(to, 0o600);
  using file = await Deno.open(to, { write: true });
  await file.sync();
}

function failed(to: string, reason: string, cause?: unknown): CountersignError {
  return new CountersignError("file_failed", `Cannot back up to "${to}": ${reason}`, { cause });
}
