/**
 * `verify-proof`: verifies a ProofBundle layer by layer (protocol.md "Levels", "Command line").
 *
 * @module
 */

import { CountersignError } from "../base/errors.ts";
import { integerOf } from "../base/bytes.ts";
import { isWitnessId } from "../proof/format/names.ts";
import type { Distrust } from "../proof/verify/followed_network.ts";
import type { ProofBundle } from "../proof/format/bundle.ts";
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
import { readLogPolicy } from "./input_file.ts";
import { isRemote, mirrorOption } from "./mirror/opened_mirror.ts";
import { BundleChecker } from "./proofs/bundle_check.ts";
import { checkLogProof, usage } from "./proofs/log_proof.ts";
import { isAccepted, reportBundle, subjectOf } from "./proofs/bundle_report.ts";
import { type GivenOptions, requireOptionsFor } from "./proofs/proof_options.ts";
import { type FoundProof, locateProof, looksLikeProof, readProof } from "./proofs/saved_proofs.ts";
import { reportBareToken, TimestampProof } from "./proofs/timestamp_proof.ts";
import { fileWord } from "./shell_word.ts";

const options = {
  content: optionalPositional(FILE, "File whose saved proof is verified, or a proof."),
  bundle: optional("--bundle", FILE, "The proof, or - for standard input."),
  hash: optional(
    "--hash",
    HASH,
    "The hash that the bundle must be about. Without a bundle, fetch it.",
  ),
  file: optional("--file", FILE, "The file that the proof must be about."),
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
    "Verify a tlog-proof or a COSE receipt by this policy (c2sp.org/tlog-policy), not by the configuration " +
      "of its network.",
  ),
  entry: optional(
    "--entry",
    FILE,
    "Of a tlog-proof or a COSE receipt: the bytes of the entry, if the proof lacks them.",
  ),
  since: optional(
    "--since",
    FILE,
    "Of a COSE receipt of consistency: the receipt of inclusion in the older tree.",
  ),
  tsaRoots: repeated(
    "--tsa-root",
    FILE,
    "Of a time-stamp token: root certificates, PEM or DER, of which one must vouch for the authority.",
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
    "Verifies FILE.countersign.json, saved by stamp, and that it is about FILE. Works offline. A tlog-proof, " +
    "a COSE receipt or a time-stamp token takes its place by name.",
  options,
  async run(options, context) {
    const isAnswer = options.content === undefined && options.bundle === undefined;
    checkOptions(options, isAnswer);
    const distrust = options.distrust.map(distrustOf);
    const isOffline = !isAnswer && !options.online && !isRemote(options.mirror ?? "");
    // Before the proof is read.
    if (isOffline) context.process.dropPermissions(ONLINE_PERMISSIONS);
    const found = await placeOf(options, context);
    const proof = found.proof === undefined
      ? { kind: "bundle", bundle: (await context.gateway.bundle(options.hash!)).value } as const
      : await readProof(context, found.proof);
    requireOptionsFor(proof.kind, givenOf(options), found.proof);
    switch (proof.kind) {
      case "attestation":
        throw new CountersignError(
          "malformed_bundle",
          `Cannot verify "${found.proof}" layer by layer: it is a signed attestation, without its place ` +
            `in the log (verify it with: countersign verify ${fileWord(found.proof!)})`,
        );
      case "bundle":
        return await verifyBundle(
          { ...options, distrust },
          context,
          proof.bundle,
          found,
          !isOffline,
        );
      case "timestamp": {
        const name = found.proof!;
        const token = await TimestampProof.read(context, proof.bytes, name, options.tsaRoots);
        if (token.bundle !== undefined) {
          return await verifyBundle(
            { ...options, distrust },
            context,
            token.bundle,
            found,
            !isOffline,
            token,
          );
        }
        await reportBareToken(context, token, name);
        return 1;
      }
      default: {
        const { policy, entry, since, hash, networkConfig, chains, online } = options;
        const trust = { networkConfig, chains, online };
        const checker = new BundleChecker(context, { ...trust, mayAsk: false });
        const given = { policy, entry, since, hash, file: found.content };
        return await checkLogProof(context, proof, { name: found.proof!, ...given }, checker);
      }
    }
  },
});

async function verifyBundle(
  options: Omit<Options, "distrust"> & { readonly distrust: readonly Distrust[] },
  context: CommandContext,
  bundle: ProofBundle,
  found: Partial<FoundProof>,
  mayAsk: boolean,
  token?: TimestampProof,
): Promise<number> {
  const { witnessPolicy } = options;
  const policy = witnessPolicy === undefined
    ? undefined
    : await readLogPolicy(context, witnessPolicy);
  const anchors = await anchorVerification(context, options);
  const subject = await subjectOf(
    context,
    found,
    token && { attestedHashOf: (file) => token.hashOf(file) },
  );
  const checker = new BundleChecker(context, { ...options, anchors, policy, mayAsk });
  const hashes = [options.hash, subject.content?.hash, token?.hash]
    .filter((hash) => hash !== undefined);
  const isAnswer = found.proof === undefined;
  const findings = await checker.check({ bundle, hashes, isAnswer, file: found.proof });
  const reported = token === undefined
    ? subject
    : { ...subject, token: await token.shown(findings.verdict) };
  reportBundle(context.output, findings, reported, { verbose: true, layers: "all" });
  const missing = findings.anchors?.missing ?? [];
  const isWitnessed = findings.witnesses?.met ?? true;
  return isAccepted(findings, reported) && missing.length === 0 && isWitnessed ? 0 : 1;
}

function checkOptions(options: Options, isAnswer: boolean): void {
  const { content, bundle, hash, mirror, entry, file } = options;
  if ((content ?? hash ?? bundle) === undefined) {
    throw usage("name FILE, --bundle FILE or --hash HASH");
  }
  if (content !== undefined && bundle !== undefined) throw usage("give either FILE or --bundle");
  if (entry !== undefined && (hash ?? file) !== undefined) {
    throw usage("give either --entry, or --hash and --file");
  }
  if (isAnswer && mirror !== undefined) throw usage("--mirror needs FILE or --bundle FILE");
  if (isAnswer) requireOptionsFor("bundle", givenOf(options), undefined);
}

function givenOf(options: Options): GivenOptions {
  return {
    "--policy": options.policy,
    "--entry": options.entry,
    "--since": options.since,
    "--network-config": options.networkConfig,
    "--chain": options.chains,
    "--online": options.online,
    "--peer-config": options.peerConfigs,
    "--distrust": options.distrust,
    "--mirror": options.mirror,
    "--witness-policy": options.witnessPolicy,
    "--anchors": options.anchors,
    "--anchor-root": options.anchorRoots,
    "--require-anchor": options.requiredAnchors,
    "--tsa-root": options.tsaRoots,
  };
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
  if (content !== undefined) {
    if (file === undefined) return await locateProof(context, content);
    // Also one that is itself stamped.
    if (await looksLikeProof(context, content)) return { proof: content, content: file };
    throw usage(
      `give --file with a proof, and "${content}" is none (with a proof elsewhere: countersign verify ` +
        `${fileWord(content)} --proof PROOF)`,
    );
  }
  return {
    ...(bundle !== undefined && { proof: bundle }),
    ...(file !== undefined && { content: file }),
  };
}
