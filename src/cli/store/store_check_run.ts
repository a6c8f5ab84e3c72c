/**
 * One run of `store check`.
 *
 * @module
 */

import { ENGINE_CHECKS } from "../../storage/engine_checks/checks.ts";
import { reasonOf } from "../../storage/store_fault.ts";
import type { CommandContext } from "../command_context.ts";
import { type Line, tableLines } from "../output.ts";
import { namedPlace } from "./named_place.ts";

export interface StoreCheckOptions {
  readonly store: string;
  readonly secret?: string | undefined;
  readonly ca?: string | undefined;
  readonly insecure: boolean;
}

/** Exits 1 if a property does not hold. */
export async function runStoreCheck(
  { store, secret, ca, insecure }: StoreCheckOptions,
  context: CommandContext,
): Promise<number> {
  const choice = {
    option: "--secret-file",
    file: secret,
    variable: "COUNTERSIGN_TOKEN_STORE",
    ca,
    insecure,
  };
  const place = await namedPlace(store, choice, context);
  const results: { name: string; holds: boolean; reason?: string }[] = [];
  for (const { name, run } of ENGINE_CHECKS) {
    const opened = new AsyncDisposableStack();
    const open = await place.scratch(opened);
    try {
      await run({ open });
      results.push({ name, holds: true });
    } catch (error) {
      results.push({ name, holds: false, reason: reasonOf(error) });
    }
    await opened.disposeAsync().catch((error) =>
      context.output.note(`Scratch records are left in "${place.name}": ${reasonOf(error)}`)
    );
  }
  const failed = results.filter(({ holds }) => !holds).length;
  const rows = results.map(({ name, holds, reason }) => [name, holds ? "holds" : `NO: ${reason}`]);
  const verdict: Line = failed === 0
    ? { text: "FIT FOR A LOG", accent: "green" }
    : { text: `${failed} PROPERT${failed === 1 ? "Y" : "IES"} MISSING`, accent: "red" };
  context.output.result({ fit: failed === 0, store: place.name, properties: results }, [
    verdict,
    `checked: ${place.name}`,
    ...tableLines(["PROPERTY", "RESULT"], rows),
  ]);
  return failed === 0 ? 0 : 1;
}
