/**
 * The pinned configuration of a peer, with the succession that leads to its present epoch.
 *
 * @module
 */

import { withCarriedChain } from "../client/further_epochs.ts";
import type { Bls } from "../proof/crypto/bls.ts";
import { verifyNative } from "../proof/crypto/ed25519_native.ts";
import { portableBls } from "../proof/crypto/portable_bls.ts";
import { portableKernels } from "../proof/crypto/portable_kernels.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { parseNetwork } from "../proof/format/network_reader.ts";
import { parseSuccessionChain } from "../proof/format/succession.ts";
import { presentEpoch } from "../gateway/federation/followed_peer.ts";
import { type FollowedNetwork, followSuccession } from "../proof/verify/followed_network.ts";
import { readTextFile } from "./text_file.ts";
import { invalid, namingFile } from "./validation.ts";

/** A configuration with the log's key, of the last epoch that was followed. */
export type PinnedNetwork = FollowedNetwork & { readonly log_vkey: string };

/** The configuration of peer `id` in `file`, followed by the chain in `successionFile`. */
export async function loadPinned(
  id: string,
  file: string,
  successionFile: string | undefined,
  bls: Bls | undefined,
): Promise<PinnedNetwork> {
  const text = await readTextFile(file);
  const pinned = namingFile(file, () => parseNetwork(text, bls));
  if (pinned.id !== id) {
    throw invalid(`"${file}"`, `it is the configuration of ${pinned.id}, not of ${id}`);
  }
  const network = await followFile(pinned, successionFile, bls);
  const { log_vkey } = network;
  if (log_vkey === undefined) throw invalid(`"${file}"`, "log_vkey is missing");
  return { ...network, log_vkey };
}

/** The last epoch that the chains in `pinned` and in `file` lead to, with all others. */
async function followFile(
  pinned: NetworkConfiguration,
  file: string | undefined,
  bls: Bls = portableBls,
): Promise<FollowedNetwork> {
  const crypto = { kernels: portableKernels, ed25519: verifyNative, bls };
  const carried = await withCarriedChain(crypto, pinned);
  if (file === undefined) return presentEpoch(carried);
  const text = await readTextFile(file);
  const links = namingFile(file, () => parseSuccessionChain(text));
  const { network, failure } = await followSuccession(crypto, carried, links);
  if (failure !== undefined) {
    throw invalid(
      `"${file}"`,
      `it does not lead from the configuration of ${pinned.id}: ${failure.reason} (${failure.field})`,
    );
  }
  return presentEpoch(network);
}
