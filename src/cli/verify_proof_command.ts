/**
 * `verify-proof`: verifies a ProofBundle layer by layer (protocol.md "Levels", "Command line").
 *
 * @module
 */

import { integerOf } from "../base/bytes.ts";
import { isWitnessId } from "../proof/format/names.ts";
import type { Distrust } from "../proof/verify/followed_network.ts";
import { parseBundle } from "../proof/format/bundle.ts";
import { anchorOptions, anchorVerification } from "./anchor_report.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import {
  FILE,
  HASH,
  optional,
  optionalPositional,
  peerConfigsOption,
  repeated,
  textValue,
  trustOptions,
} from "./options.ts";
import { readDocument, readLogPolicy } from "./input_file.ts";
import { isRemote, mirrorOption } from "./mirror/opened_mirror.ts";
import { BundleChecker } from "./proofs/bundle_check.ts";
import { checkLogProof, usage } from "./proofs/log_proof.ts";
import { isAccepted, reportBundle, subjectOf } from "./proofs/bundle_report.ts";
import { type FoundProof, locateProof } from "./proofs/saved_proofs.ts";

const options = {
  content: optionalPositional(FILE, "File whose saved proof is verified, or a proof bundle."),
  bundle: optional("--bundle", FILE, "Proof bundle as JSON, or - for standard input."),
  hash: optional(
    "--hash",
    HASH,
    "The hash that the bundle must be about. Without a bundle, fetch it.",
  ),
  file: optional("--file", FILE, "The file that the bundle must be about."),
  networkConfig: trustOptions.networkConfig,
  chains: repeated(
    "--chain",
    FILE,
    "The succession of the network or of a peer, as GET /v1/succession answers it.",
  ),
  peerConfigs: peerConfigsOption,
  online: trustOptions.online,
  distrust: repeated(
    "--distrust",
    textValue("WITNESS[@SIZE]"),
    "Do not count this witness's signatures, from a tree size on (default: from the first), and show " +
      "what still stands.",
  ),
  mirror: mirrorOption,
  policy: optional(
    "--policy",
    FILE,
    "Verify a tlog-proof of any log, or a COSE receipt, by this policy (c2sp.org/tlog-policy).",
  ),
  entry: optional(
    "--entry",
    FILE,
    "With --policy: the bytes of the entry, if the proof lacks them.",
  ),
  since: optional(
    "--since",
    FILE,
    "With --policy and a COSE receipt of consistency: the receipt of inclusion in the older tree.",
  ),
  witnessPolicy: optional(
    "--witness-policy",
    FILE,
    "Exit 1 unless witnesses outside the network, by this policy (c2sp.org/tlog-policy), cosigned a " +
      "checkpoint that the bundle shows.",
  ),
  ...anchorOptions,
};
type Options = ValuesOf<typeof options>;

/** Exits 0 at level Basic and above, with a verified anchor of each required provider. */
export const verifyProof = defineCommand("verify-proof", {
  description:
    "Verifies FILE.countersign.json, saved by stamp, and that it is about FILE. Works offline.",
  options,
  async run(options, context) {
    if (options.policy !== undefined) return await verifyByPolicy(options, context);
    if (options.entry !== undefined) throw usage("--entry needs --policy");
    if (options.since !== undefined) throw usage("--since needs --policy");
    const { witnessPolicy } = options;
    const policy = witnessPolicy === undefined
      ? undefined
      : await readLogPolicy(context, witnessPolicy);
    const isAnswer = options.content === undefined && options.bundle === undefined;
    checkOptions(options, isAnswer);
    const distrust = options.distrust.map(distrustOf);
    const isOffline = !isAnswer && !options.online && !isRemote(options.mirror ?? "");
    // Before the bundle is read.
    if (isOffline) context.process.dropPermissions(ONLINE_PERMISSIONS);
    const anchors = await anchorVerification(context, options);
    const found = await placeOf(options, context);
    const bundle = found.proof === undefined
      ? (await context.gateway.bundle(options.hash!)).value
      : await readDocument(context, found.proof, "malformed_bundle", parseBundle);
    const subject = await subjectOf(context, found);
    const checker = new BundleChecker(context, {
      ...options,
      anchors,
      distrust,
      policy,
      mayAsk: !isOffline,
    });
    const hashes = [options.hash, subject.content?.hash].filter((hash) => hash !== undefined);
    const findings = await checker.check({ bundle, hashes, isAnswer, file: found.proof });
    reportBundle(context.output, findings, subject, { verbose: true, layers: "all" });
    const missing = findings.anchors?.missing ?? [];
    const isWitnessed = findings.witnesses?.met ?? true;
    return isAccepted(findings, subject) && missing.length === 0 && isWitnessed ? 0 : 1;
  },
});

function checkOptions(
  { content, bundle, file, hash, mirror }: Options,
  isAnswer: boolean,
): void {
  if (content !== undefined && (bundle ?? file) !== undefined) {
    throw usage(
      "give either FILE, or --bundle and --file; a tlog-proof and a COSE receipt need --policy",
    );
  }
  if (isAnswer && mirror !== undefined) throw usage("--mirror needs FILE or --bundle FILE");
  if (isAnswer && hash === undefined) throw usage("name FILE, --bundle FILE or --hash HASH");
}

async function verifyByPolicy(options: Options, context: CommandContext): Promise<number> {
  const { content, bundle, policy, entry, since, hash, file } = options;
  const proof = content ?? bundle;
  const others = [options.networkConfig, options.mirror];
  const lists = [options.chains, options.peerConfigs, options.distrust];
  const isMixed = options.online || [...others, ...lists.flat()].some((one) => one !== undefined);
  if (proof === undefined || (content !== undefined && bundle !== undefined)) {
    throw usage("--policy takes one tlog-proof or COSE receipt");
  }
  if (options.witnessPolicy !== undefined) {
    throw usage("--witness-policy is for bundles, --policy for tlog-proofs");
  }
  if (isMixed) throw usage("--policy replaces configurations and mirrors");
  if (entry !== undefined && (hash ?? file) !== undefined) {
    throw usage("--entry is the entry itself; --hash and --file are for attestations");
  }
  context.process.dropPermissions(ONLINE_PERMISSIONS);
  return await checkLogProof(context, { proof, policy: policy!, entry, since, hash, file });
}

function distrustOf(text: string): Distrust {
  const [, witness = "", size = "0"] = /^([^@]+)(?:@(.*))?$/s.exec(text) ?? [];
  const from = integerOf(size);
  if (!isWitnessId(witness) || from === undefined) {
    throw usage(`--distrust takes WITNESS or WITNESS@SIZE, not ${text}`);
  }
  return { witness, size: from };
}

/** Without `proof`, the gateway has to be asked for the bundle. */
async function placeOf(
  { content, bundle, file }: Options,
  context: CommandContext,
): Promise<Partial<FoundProof>> {
  if (content !== undefined) return await locateProof(context, content);
  return {
    ...(bundle !== undefined && { proof: bundle }),
    ...(file !== undefined && { content: file }),
  };
}
