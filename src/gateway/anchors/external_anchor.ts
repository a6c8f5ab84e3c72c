/**
 * Selects the stored anchors of a tree head and encodes them for bundles (protocol.md "Resources").
 *
 * @module
 */

import { hexOf } from "../../base/bytes.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import { anchoredDigest } from "./answers.ts";
import type { AnchorProvider, AnchorReads } from "./ports.ts";
import type { AnchorRecord } from "../../proof/format/records.ts";

/**
 * For each of `services`, the first confirmed anchor that covers the head of `size`, else the first
 * pending one. `final` if all are confirmed: the result never changes.
 */
export async function coveringAnchors(
  store: Pick<AnchorReads, "firstConfirmed" | "firstPending">,
  services: readonly { readonly name: string }[],
  size: number,
): Promise<{ readonly records: readonly AnchorRecord[]; readonly final: boolean }> {
  const found = await Promise.all(
    services.map(async ({ name }) =>
      await store.firstConfirmed(name, size) ?? await store.firstPending(name, size)
    ),
  );
  const records = found.filter((record) => record !== undefined);
  return {
    records,
    final: records.length === services.length &&
      records.every(({ status }) => status === "confirmed"),
  };
}

/**
 * The providers with more than one service in `services`: only their anchors name the
 * service.
 */
export function sharedProviders(
  services: readonly { readonly provider: Pick<AnchorProvider, "name"> }[],
): ReadonlySet<string> {
  const names = services.map(({ provider }) => provider.name);
  return new Set(names.filter((name, i) => names.indexOf(name) !== i));
}

/**
 * JSON text of the `ExternalAnchor` of protocol.md "Resources".
 *
 * @param shared providers of several services
 * @param consistencyPath hex: from the batch's tree head to that of `record`
 */
export function externalAnchorJson(
  kernels: Pick<Kernels, "sha256">,
  record: AnchorRecord,
  consistencyPath: readonly string[],
  shared: ReadonlySet<string>,
): string {
  const { service, provider, status, timestamp, treeHead, proof } = record;
  const { network_id, tree_size, root_hash } = treeHead;
  return JSON.stringify({
    provider,
    ...(shared.has(provider) && { service }),
    status,
    timestamp,
    tree_head: { network_id, tree_size, timestamp: treeHead.timestamp, root_hash },
    consistency_path: consistencyPath,
    digest: hexOf(anchoredDigest(kernels, treeHead)),
    proof,
  });
}
