/**
 * Opens the parts of a gateway that an operator's configuration names, other than stores: keys and witnesses.
 * The given stack closes them in reverse order.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import {
  type KeyReading,
  readLogSigner,
  readMlDsaSigner,
  readWitnessSigner,
} from "../../config/key_file.ts";
import type {
  EmbeddedWitnessFiles,
  OperatorNetwork,
  RemoteWitness,
} from "../../config/operator_network.ts";
import { verifyNative } from "../../proof/crypto/ed25519_native.ts";
import type { Succession } from "../../proof/format/succession.ts";
import { BeaconVerifier } from "../../proof/crypto/beacon_verifier.ts";
import { hasCode } from "../../base/errors.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import type { NetworkConfiguration, WitnessKey } from "../../proof/format/network.ts";
import { mlDsaLogKey, mlDsaWitnessKey } from "../../proof/format/network_check.ts";
import { type NoteKey, parseVkey } from "../../proof/format/note_key.ts";
import type { Peer } from "../../gateway/federation/ports.ts";
import { coreOf } from "../../proof/format/trust_core.ts";
import type { BeaconSource, LogSigner, WitnessClient } from "../../gateway/ports.ts";
import { WitnessClocks } from "../../gateway/signing/witness_clocks.ts";
import type { Report } from "../../base/report.ts";
import { type RoundTreeBuilder, RoundTreeMemo } from "../../proof/merkle/round_tree.ts";
import { openWitnessState } from "../../storage/witness/witness_state.ts";
import { DrandRelays } from "../../http/outgoing/drand_relay.ts";
import { EmbeddedWitness } from "./embedded_witness.ts";
import { HttpWitnessClient } from "../../http/outgoing/witness_client.ts";
import type { BeaconRule } from "../../witness/beacon_rule.ts";
import { Witness } from "../../witness/witness.ts";
import { runInBackground } from "../background.ts";
import { networkReader } from "../witness/network_reader.ts";
import { witnessWarnings } from "../witness/witness_warnings.ts";

/** On stop, how long a request to a relay may take. */
const STOP_RELAYS_MS = 1_000;

/** The options of `Gateway.start` that depend on the configuration. */
export interface OpenedParts {
  readonly buildTree: RoundTreeBuilder;
  readonly logSigner: LogSigner;
  readonly witnesses: readonly WitnessClient[];
  /** The clocks of the remote witnesses. */
  readonly clocks: WitnessClocks;
  /** Absent if rounds have no beacon. */
  readonly beacons?: BeaconSource;
}

/** Context for opening witnesses. */
export interface WitnessContext extends KeyReading {
  readonly insecure: boolean;
  readonly kernels: Kernels;
  /** Networks whose heads the embedded witnesses also cosign, in the epoch that each has reached. */
  readonly peers: readonly Pick<Peer, "network">[];
  /** The succession that embedded witnesses are armed with. */
  readonly armed: () => Promise<Succession | undefined>;
  /** The states of embedded witnesses were moved here, with the store. */
  readonly moved: boolean;
  /** Those that are open already, by key and state. */
  readonly embedded: Map<string, WitnessClient>;
}

/** Opens keys and witness states. The caller opens the log last. */
export async function openParts(
  operator: OperatorNetwork,
  context: WitnessContext,
  opened: AsyncDisposableStack,
): Promise<OpenedParts> {
  const { network } = operator;
  const logSigner = await openLogSigner(operator, context);
  // Shared by the gateway and its embedded witnesses, so that a round is hashed once.
  const trees = new RoundTreeMemo(context.kernels, 64);
  const buildTree: RoundTreeBuilder = (round) => trees.build(round);
  // Shared, so that a beacon is verified once.
  const verifier = new BeaconVerifier(context.bls);
  const beacons = openRelays(operator, { ...context, verifier }, opened);
  const clocks = new WitnessClocks({
    ids: network.witnesses.map(({ id }) => id)
      .filter((_, witnessIndex) => operator.witnesses[witnessIndex]!.kind === "remote"),
    spares: network.witnesses.length - network.threshold,
    clock: systemClock,
    report: context.report,
  });
  const shared = { ...context, clocks, buildTree, verifier };
  return {
    buildTree,
    logSigner,
    witnesses: await openWitnesses(operator, shared, opened),
    clocks,
    ...(beacons !== undefined && { beacons }),
  };
}

/** The signer of the log of `operator`, with both of its keys. */
export async function openLogSigner(
  { network, logKeyFile, logMlDsaKeyFile }: OperatorNetwork,
  reading: KeyReading,
): Promise<LogSigner> {
  const signer = await readLogSigner(logKeyFile, parseVkey(network.log_vkey), reading);
  if (logMlDsaKeyFile === undefined) return signer;
  const mlDsa = await readMlDsaSigner(logMlDsaKeyFile, mlDsaLogKey(network)!, reading);
  return {
    publicKey: signer.publicKey,
    get isAway() {
      return signer.isAway ?? false;
    },
    sign: (message) => signer.sign(message),
    mlDsa,
  };
}

/** The clients of all witnesses of `operator`, in the order of its network. */
export async function openWitnesses(
  operator: OperatorNetwork,
  context: WitnessContext & {
    readonly clocks?: WitnessClocks;
    readonly buildTree?: RoundTreeBuilder;
    readonly verifier?: BeaconVerifier;
  },
  opened: AsyncDisposableStack,
): Promise<WitnessClient[]> {
  const { network } = operator;
  const { verifier = new BeaconVerifier(context.bls) } = context;
  const trees = new RoundTreeMemo(context.kernels, 64);
  const { buildTree = (round) => trees.build(round) } = context;
  const witnesses: WitnessClient[] = [];
  for (const [witnessIndex, configured] of operator.witnesses.entries()) {
    const key = network.witnesses[witnessIndex]!;
    if (configured.kind === "remote") {
      witnesses.push(remoteWitness(network, key, configured, context));
      continue;
    }
    const name = `${key.pubkey} ${key.ml_dsa_vkey} ${configured.stateFile}`;
    const beacons = beaconRule(operator, verifier);
    const witness = context.embedded.get(name) ??
      await embeddedWitness(operator, key, configured, { ...context, buildTree, beacons }, opened);
    context.embedded.set(name, witness);
    witnesses.push(witness);
  }
  return witnesses;
}

/** Polls the relays until the stack is disposed. */
function openRelays(
  { beacon }: OperatorNetwork,
  context: {
    readonly insecure: boolean;
    readonly verifier: BeaconVerifier;
    readonly report: Report;
  },
  opened: AsyncDisposableStack,
): BeaconSource | undefined {
  if (beacon === undefined) return undefined;
  const { insecure, verifier, report } = context;
  const relays = new DrandRelays({ ...beacon, verifier, clock: systemClock, insecure, report });
  runInBackground(opened, STOP_RELAYS_MS, (signal) => relays.run(signal));
  return relays;
}

/** With relays configured, embedded witnesses refuse rounds without a beacon. */
function beaconRule({ beacon }: OperatorNetwork, verifier: BeaconVerifier): BeaconRule {
  return { verifier, maxAgeSeconds: beacon?.maxAgeSeconds };
}

/** The client of a witness over HTTP. */
export function remoteWitness(
  network: NetworkConfiguration,
  key: WitnessKey,
  { url, token }: RemoteWitness,
  { insecure, clocks }: { readonly insecure: boolean; readonly clocks?: WitnessClocks },
): HttpWitnessClient {
  return new HttpWitnessClient({
    id: key.id,
    publicKey: Uint8Array.fromHex(key.pubkey),
    scheme: network.signature_scheme,
    networkId: network.id,
    url,
    token,
    insecure,
    clocks,
  });
}

async function embeddedWitness(
  operator: OperatorNetwork,
  key: WitnessKey,
  files: EmbeddedWitnessFiles,
  context: WitnessContext & {
    readonly buildTree: RoundTreeBuilder;
    readonly beacons: BeaconRule;
  },
  opened: AsyncDisposableStack,
): Promise<WitnessClient> {
  const { network } = operator;
  const publicKey = Uint8Array.fromHex(key.pubkey);
  const signer = await readWitnessSigner(
    files.keyFile,
    { name: key.id, publicKey },
    context,
  );
  const mlDsaKey = mlDsaWitnessKey(key);
  const mlDsa = mlDsaKey && await readMlDsaSigner(files.mlDsaKeyFile!, mlDsaKey, context);
  const state = await openWitnessState(files.stateFile, context);
  opened.defer(() => state.close());
  const crypto = { kernels: context.kernels, ed25519: verifyNative, bls: context.bls };
  const witness = new Witness({
    id: key.id,
    networkId: network.id,
    signer,
    mlDsa,
    logs: [
      { origin: network.id, keys: [parseVkey(network.log_vkey)] },
      ...context.peers.flatMap((peer) => {
        const presentKey = () => logKeyOf(peer);
        const key = presentKey();
        return key === undefined ? [] : [{ origin: peer.network.id, keys: [key], presentKey }];
      }),
    ],
    state,
    clock: systemClock,
    kernels: context.kernels,
    buildRoundTree: context.buildTree,
    beacons: context.beacons,
    succession: { armed: context.armed, crypto },
    vouching: { network: networkReader(coreOf(network), context.armed), crypto },
    report: witnessWarnings(context.report, key.id),
  });
  opened.defer(() => witness.close());
  try {
    await witness.load();
  } catch (error) {
    // The witness has reported the error and retries on each call; the others may be enough.
    if (!hasCode(error, "storage_failed")) throw error;
  }
  return new EmbeddedWitness(witness);
}

function logKeyOf({ network: { log_vkey } }: Pick<Peer, "network">): NoteKey | undefined {
  return log_vkey === undefined ? undefined : parseVkey(log_vkey);
}
