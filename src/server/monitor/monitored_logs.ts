/**
 * The logs of a monitor's configuration, with their keys and views.
 *
 * @module
 */

import { hexOf, utf8 } from "../../base/bytes.ts";
import { GatewayClient } from "../../client/gateway_client.ts";
import type { Clock } from "../../base/clock.ts";
import type { MonitoredLogNode, ViewNode } from "../../config/monitor_node.ts";
import { readBytesFile, readTextFile } from "../../config/text_file.ts";
import { invalid, naming, namingFile } from "../../config/validation.ts";
import type { CryptoSuite } from "../../proof/crypto/crypto_suite.ts";
import { sha256 } from "../../proof/crypto/hashing.ts";
import { encodeContradiction } from "../../proof/format/federation.ts";
import { parseLogPolicy } from "../../proof/format/log_policy.ts";
import { parseNetwork } from "../../proof/format/network_reader.ts";
import type { MonitoredLog, View } from "../../logs/monitor/ports.ts";
import { NetworkRule, policyRule } from "../../logs/publishing/checkpoint_rule.ts";
import { sourceOf } from "../../logs/publishing/ports.ts";
import { DirectoryCopy } from "../../storage/published/directory_copy.ts";
import { PeerView } from "../../http/outgoing/peer_view.ts";
import { RemoteLog } from "../../logs/publishing/remote_log.ts";
import { verifyAnyContradiction } from "../../proof/verify/succession_conflict.ts";
import type { FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { withCarriedChain } from "../../client/further_epochs.ts";

export interface MonitoredLogContext {
  readonly crypto: CryptoSuite;
  readonly clock: Clock;
}

/** The log of `node`. `invalid_configuration` and others if its policy or configuration cannot be used. */
export async function monitoredLog(
  context: MonitoredLogContext,
  node: MonitoredLogNode,
): Promise<MonitoredLog> {
  try {
    return await openLog(context, node);
  } catch (cause) {
    throw naming(`log "${node.origin}"`, cause);
  }
}

async function openLog(
  context: MonitoredLogContext,
  node: MonitoredLogNode,
): Promise<MonitoredLog> {
  const { origin, trust, maxAgeSeconds, bundlesPerPoll, watch } = node;
  const { crypto } = context;
  const common = {
    origin,
    bundlesPerPoll,
    watch,
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
  };
  if ("policyFile" in trust) {
    const { policyFile: file } = trust;
    const bytes = await readBytesFile(file);
    const rule = namingFile(file, () => policyRule(crypto, parseLogPolicy(bytes), origin));
    return { ...common, rule, views: node.views.map((view) => viewOf(context, view, origin)) };
  }
  const { networkFile: file } = trust;
  const text = await readTextFile(file);
  const parsed = namingFile(file, () => parseNetwork(text, crypto.bls));
  if (parsed.id !== origin) throw invalid(file, `its id is not the origin ${origin}`);
  const pinned = await withCarriedChain(crypto, parsed);
  const views: readonly View[] = node.views.map((view) =>
    viewOf(context, view, origin, () => rule.network)
  );
  const rule: NetworkRule = new NetworkRule(
    crypto,
    pinned,
    views.flatMap(({ tiles }) => tiles ?? []),
  );
  return { ...common, rule, views };
}

function viewOf(
  { crypto, clock }: MonitoredLogContext,
  { name, kind, place }: ViewNode,
  origin: string,
  network?: () => FollowedNetwork,
): View {
  if ("folder" in place) {
    const tiles = sourceOf(DirectoryCopy.reading(place.folder));
    return { name, heads: tiles, tiles };
  }
  const connect = (path = "") => new GatewayClient({ url: new URL(path, place.url), clock });
  if (kind === "witness") {
    // c2sp.org/tlog-witness: <monitoring prefix>/<hex SHA-256 of the origin>/checkpoint
    return { name, heads: new RemoteLog(connect(`${hexOf(sha256(utf8(origin)))}/`)) };
  }
  if (kind === "log") {
    const tiles = new RemoteLog(connect());
    return { name, heads: tiles, tiles };
  }
  const peer = new PeerView(connect(), network!);
  return {
    name,
    heads: peer,
    async contradictions(signal) {
      const evidence = [];
      for (const one of await peer.contradictions(signal)) {
        const { valid } = await verifyAnyContradiction(crypto, network!(), one);
        if (valid) evidence.push({ text: encodeContradiction(one) });
      }
      return evidence;
    },
  };
}
