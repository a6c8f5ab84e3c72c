/**
 * `fsck` of the anchors of a stored log in `anchors.kv`.
 *
 * @module
 */

import { providerNamed } from "../../anchors/providers.ts";
import { type AnchorReport, auditAnchors } from "../../audit/anchor_audit.ts";
import type { FaultLog } from "../../audit/faults.ts";
import type { StoredLog } from "../../audit/ports.ts";
import { type Bytes, utf8 } from "../../bytes.ts";
import type { NetworkConfiguration } from "../../format/network.ts";
import type { AnchorRecord } from "../../format/records.ts";
import { encodeCheckpointBody } from "../../format/tree_head.ts";
import { openStoredAnchors } from "../../storage/anchors/kv_stored_anchors.ts";
import type { CryptoSuite } from "../../crypto/crypto_suite.ts";
import { anchorsFile } from "../../server/data_paths.ts";
import { networkDigest } from "../../server/log_network.ts";

/** Checks the anchors in `dataFolder`; `undefined` if there are none. */
export async function fsckAnchors(
  dataFolder: string,
  context: {
    readonly log: Pick<StoredLog, "sths">;
    readonly network: NetworkConfiguration;
    readonly peers: readonly NetworkConfiguration[];
    readonly crypto: CryptoSuite;
    readonly faults: FaultLog;
  },
): Promise<AnchorReport | undefined> {
  const { log, network, peers, crypto, faults } = context;
  const anchors = await openStoredAnchors(anchorsFile(dataFolder), networkDigest(network));
  if (anchors === undefined) return undefined;
  try {
    return await auditAnchors(() => anchors.entries(), {
      networkId: network.id,
      sths: () => log.sths(),
      peers,
      crypto,
      faults,
      proofFault: (anchor) => proofFault(anchor, crypto),
    });
  } finally {
    anchors.close();
  }
}

/** Without trust roots, a provider detects only proofs that are inconsistent. */
async function proofFault(
  { provider: name, treeHead, ...anchor }: AnchorRecord,
  { kernels }: CryptoSuite,
): Promise<string | undefined> {
  const provider = providerNamed(name);
  if (provider === undefined) return `unknown provider ${JSON.stringify(name)}`;
  const digest: Bytes = kernels.sha256(utf8(encodeCheckpointBody(treeHead)));
  const verdict = await provider.verify({ ...anchor, digest, roots: [] });
  return verdict.status === "failed" ? verdict.reason : undefined;
}
