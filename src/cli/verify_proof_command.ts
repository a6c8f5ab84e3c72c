/**
 * `verify-proof`: verifies a ProofBundle layer by layer (protocol.md "Levels", "Command line").
 *
 * @module
 */

import { CountersignError } from "../errors.ts";
import { parseBundle, type ProofBundle } from "../format/bundle.ts";
import type { NetworkConfiguration } from "../format/network.ts";
import { verifyBundle } from "../verify/bundle.ts";
import type { Verdict } from "../verify/verdict.ts";
import {
  anchorLines,
  anchorOptions,
  type AnchorReport,
  anchorReport,
  anchorsJson,
  anchorVerification,
  withVerifiedAnchors,
} from "./anchor_report.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { FILE, HASH, optional, repeated, trustOptions } from "./options.ts";
import { hashContent, readDocument } from "./input_file.ts";
import { describeMemory, type HeadMemory, memoryJson, rememberHead } from "./head_memory.ts";
import {
  describeSource,
  readNetworkFile,
  sourceJson,
  type TrustedNetwork,
  trustedNetwork,
} from "./trusted_network.ts";
import {
  attestationJson,
  attestationLines,
  closingLines,
  headline,
  layerLines,
  overdueSince,
  overdueText,
  timeLines,
} from "./verdict_report.ts";

const options = {
  bundle: optional("--bundle", FILE, "Proof bundle as JSON, or - for standard input."),
  hash: optional(
    "--hash",
    HASH,
    "The hash that the bundle must be about. Without --bundle, fetch its bundle.",
  ),
  file: optional("--file", FILE, "The file that the bundle must be about."),
  networkConfig: trustOptions.networkConfig,
  peerConfigs: repeated("--peer-config", FILE, "Configuration of a peer network."),
  online: trustOptions.online,
  ...anchorOptions,
};
type Options = ValuesOf<typeof options>;

/** Exits 0 at level Basic and above, with a verified anchor of each required provider. */
export const verifyProof = defineCommand("verify-proof", {
  brief: "Verify a proof bundle, layer by layer",
  options,
  async run(options, context) {
    const isOffline = options.bundle !== undefined && !options.online;
    // Before the bundle is read.
    if (isOffline) context.process.dropPermissions(ONLINE_PERMISSIONS);
    const verification = await anchorVerification(context, options);
    const bundle = await obtainBundle(options, context);
    const { hash, network_id } = bundle.signed_attestation.attestation;
    const isAnswer = options.bundle === undefined;
    const trusted = await trustedNetwork(context, { ...options, isAnswer }, network_id);
    const peers = await peerConfigurations(options, context, trusted.network);
    const contentHash = options.file === undefined
      ? undefined
      : await hashContent(context, options.file);
    const expected = [options.hash, contentHash].find((h) => h !== undefined && h !== hash) ?? hash;
    const trust = { network: trusted.network, peers };
    const found = await verifyBundle(context.crypto, trust, bundle, { hash: expected });
    const anchors = await anchorReport(verification, bundle, found);
    const verdict = withVerifiedAnchors(found, anchors);
    const memory = await compareWithMemory(context, trusted, bundle, {
      verdict,
      mayAsk: !isOffline,
    });
    // A file may be older than the batch; a fresh answer of the gateway is not.
    const isLate = options.bundle === undefined && verdict.valid && bundle.batch_inclusion === null;
    const { attestation } = bundle.signed_attestation;
    const due = isLate
      ? overdueSince(trusted.network, attestation, context.process.clock)
      : undefined;
    report(context, { options, bundle, trusted, verdict, anchors, memory, contentHash, due });
    return verdict.valid && (anchors === undefined || anchors.missing.length === 0) ? 0 : 1;
  },
});

async function obtainBundle(
  { bundle, hash }: Options,
  context: CommandContext,
): Promise<ProofBundle> {
  if (bundle !== undefined) {
    return await readDocument(context, bundle, "malformed_bundle", parseBundle);
  }
  if (hash !== undefined) return (await context.gateway.bundle(hash)).value;
  throw new CountersignError(
    "usage",
    "Cannot verify proof: name --bundle FILE or --hash HASH",
  );
}

/** The named configurations, and the pins of the peers in the home configuration. */
async function peerConfigurations(
  options: Options,
  context: CommandContext,
  home: NetworkConfiguration,
): Promise<readonly NetworkConfiguration[]> {
  const peers = await Promise.all(
    options.peerConfigs.map((name) => readNetworkFile(context, name)),
  );
  for (const { id } of home.federation.peer_networks) {
    if (peers.some((peer) => peer.id === id)) continue;
    const pin = await context.trust.pin(id);
    if (pin !== undefined) peers.push(pin);
  }
  return peers;
}

async function compareWithMemory(
  context: CommandContext,
  trusted: TrustedNetwork,
  bundle: ProofBundle,
  { verdict, mayAsk }: { readonly verdict: Verdict; readonly mayAsk: boolean },
): Promise<HeadMemory | undefined> {
  if (bundle.batch_inclusion === null || verdict.layers.batch.status !== "verified") {
    return undefined;
  }
  return await rememberHead(context, trusted, bundle.batch_inclusion.sth, { mayAsk });
}

interface Findings {
  readonly options: Options;
  readonly bundle: ProofBundle;
  readonly trusted: TrustedNetwork;
  readonly verdict: Verdict;
  /** Absent if anchors are not verified. */
  readonly anchors: AnchorReport | undefined;
  readonly memory: HeadMemory | undefined;
  readonly contentHash: string | undefined;
  /** Unix seconds at which the missing batch was due. */
  readonly due: number | undefined;
}

function report({ output }: CommandContext, findings: Findings): void {
  const { options, bundle, trusted, verdict, anchors, memory, contentHash, due } = findings;
  const signed = bundle.signed_attestation;
  const matches = contentHash === signed.attestation.hash;
  const head = memory && describeMemory(memory);
  output.result({
    valid: verdict.valid,
    level: verdict.level,
    ...attestationJson(signed),
    ...(contentHash !== undefined && {
      content: { file: options.file, hash: contentHash, matches },
    }),
    configuration: sourceJson(trusted),
    layers: verdict.layers,
    ...(anchors !== undefined && anchorsJson(anchors)),
    signers: verdict.signers,
    time: verdict.time,
    ...(due !== undefined && { batch_overdue_since: due }),
    ...(memory !== undefined && { remembered_head: memoryJson(memory) }),
    unauthenticated: verdict.unauthenticated,
    not_proven: verdict.notProven,
  }, [
    headline(verdict.level),
    ...attestationLines(signed),
    ...(contentHash === undefined ? [] : [
      `content: ${options.file} ${matches ? "has this hash" : `has another hash, ${contentHash}`}`,
    ]),
    `configuration: ${describeSource(trusted.source)}`,
    ...layerLines(verdict, anchors && anchorLines(anchors)),
    ...timeLines(verdict.time),
    ...(due === undefined ? [] : [overdueText(due)]),
    ...(head === undefined ? [] : [`tree head: ${head}`]),
    ...closingLines(verdict.unauthenticated),
  ]);
}
