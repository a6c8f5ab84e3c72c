/**
 * Opens what a gateway is made of from an operator's configuration: keys, witnesses and the store.
 * Everything opened is closed again, in reverse order, by the stack that it was opened on.
 *
 * @module
 */

import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { readLogSigner, readWitnessSigner } from "../config/key_file.ts";
import type {
  EmbeddedWitnessFiles,
  OperatorNetwork,
  RemoteWitness,
} from "../config/operator_network.ts";
import type { Bls } from "../crypto/bls.ts";
import type { Kernels } from "../crypto/kernels.ts";
import type { NetworkConfiguration, WitnessKey } from "../format/network.ts";
import { parseVkey } from "../format/note_key.ts";
import type { LogSigner, LogStore, WitnessClient } from "../gateway/ports.ts";
import { type RoundTreeBuilder, RoundTreeMemo } from "../rounds/round_tree.ts";
import { openKvLogStore } from "../storage/kv_log_store.ts";
import { openWitnessState } from "../storage/witness_state.ts";
import { EmbeddedWitness } from "../transport/embedded_witness.ts";
import { HttpWitnessClient } from "../transport/witness_client.ts";
import { Witness } from "../witness/witness.ts";
import { networkDigest } from "./log_network.ts";

/** What `Gateway.start` takes from the configuration. */
export interface OpenedParts {
  readonly buildTree: RoundTreeBuilder;
  readonly logSigner: LogSigner;
  readonly witnesses: readonly WitnessClient[];
  /** Closed by the gateway that is started over it, not by the stack. */
  readonly openStore: () => Promise<LogStore>;
}

/** Opens keys and witness states; the store is left to be opened when all else is there. */
export async function openParts(
  operator: OperatorNetwork,
  options: {
    readonly dataFolder: string;
    readonly insecure: boolean;
    readonly kernels: Kernels;
    readonly bls: Bls;
    readonly report: (message: string) => void;
  },
  opened: AsyncDisposableStack,
): Promise<OpenedParts> {
  const { network } = operator;
  const logSigner = await readLogSigner(operator.logKeyFile, parseVkey(network.log_vkey));
  // Shared by the gateway and its embedded witnesses: a round is hashed once in this process.
  const trees = new RoundTreeMemo(options.kernels, 64);
  const buildTree: RoundTreeBuilder = (round) => trees.build(round);
  const witnesses: WitnessClient[] = [];
  for (const [place, configured] of operator.witnesses.entries()) {
    const key = network.witnesses[place]!;
    witnesses.push(
      configured.kind === "remote"
        ? remoteWitness(network, key, configured, options.insecure)
        : await embeddedWitness(
          operator,
          key,
          configured,
          { ...options, buildTree },
          opened,
        ),
    );
  }
  const openStore = () =>
    openKvLogStore(join(options.dataFolder, "store.kv"), networkDigest(network));
  return { buildTree, logSigner, witnesses, openStore };
}

function remoteWitness(
  network: NetworkConfiguration,
  key: WitnessKey,
  { url, token }: RemoteWitness,
  insecure: boolean,
): WitnessClient {
  return new HttpWitnessClient({
    id: key.id,
    publicKey: Uint8Array.fromHex(key.pubkey),
    scheme: network.signature_scheme,
    networkId: network.id,
    url,
    token,
    insecure,
  });
}

async function embeddedWitness(
  operator: OperatorNetwork,
  key: WitnessKey,
  files: EmbeddedWitnessFiles,
  context: {
    readonly kernels: Kernels;
    readonly bls: Bls;
    readonly buildTree: RoundTreeBuilder;
    readonly report: (message: string) => void;
  },
  opened: AsyncDisposableStack,
): Promise<WitnessClient> {
  const { network } = operator;
  const publicKey = Uint8Array.fromHex(key.pubkey);
  const signer = await readWitnessSigner(
    files.keyFile,
    { name: key.id, publicKey },
    context.bls,
  );
  const state = await openWitnessState(files.stateFile, { create: false });
  opened.defer(() => state.close());
  return new EmbeddedWitness(
    new Witness({
      id: key.id,
      networkId: network.id,
      signer,
      logs: [{ origin: network.id, publicKey: parseVkey(network.log_vkey).publicKey }],
      state,
      clock: systemClock,
      kernels: context.kernels,
      buildRoundTree: context.buildTree,
      report: ({ storedTimestamp, now }) =>
        context.report(
          `Warning: the last head was cosigned at ${storedTimestamp}, which is ahead of this ` +
            `machine's clock, ${now}`,
        ),
    }),
  );
}
