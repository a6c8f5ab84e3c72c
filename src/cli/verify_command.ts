/**
 * `verify`: verifies saved proofs and signed attestations offline (protocol.md "Command line").
 *
 * @module
 */

import type { Attestation } from "../proof/format/attestation.ts";
import type { SignedAttestation } from "../proof/format/bundle.ts";
import type { Bytes } from "../base/bytes.ts";
import { errorBuilder } from "../base/errors.ts";
import { verifySignedAttestation } from "../proof/verify/attestation.ts";
import type { VerifyReason } from "../proof/verify/reasons.ts";
import {
  attestationTime,
  quicknetVerifier,
  type TimeBracket,
} from "../proof/verify/time_bracket.ts";
import { NOT_PROVEN } from "../proof/verify/verdict.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { kindOf } from "./input_file.ts";
import { FILE, flag, hiddenOption, optional, repeatedPositional, trustOptions } from "./options.ts";
import { BundleChecker } from "./proofs/bundle_check.ts";
import { type BundleSubject, isAccepted, reportBundle, subjectOf } from "./proofs/bundle_report.ts";
import {
  areListedAccepted,
  listedHeadline,
  listedLines,
  type ListFindings,
} from "./proofs/listed_files.ts";
import { checkLogProof } from "./proofs/log_proof.ts";
import { requireOptionsFor } from "./proofs/proof_options.ts";
import {
  type FoundProof,
  type HashedFile,
  isLogProof,
  LIST_NAME,
  locateProof,
  readProof,
} from "./proofs/saved_proofs.ts";
import { statementText } from "./proofs/statement.ts";
import { checkFiles } from "./proofs/files_check.ts";
import { reportBareToken, TimestampProof } from "./proofs/timestamp_proof.ts";
import type { Line } from "./output.ts";
import { type ShownSource, sourceJson, sourceText } from "./trusted_network.ts";
import {
  attestationJson,
  attestationLines,
  briefClosing,
  closingLines,
  describeCount,
  describeFailure,
  headline,
  timeLines,
} from "./verdict_report.ts";

const options = {
  files: repeatedPositional(
    FILE,
    "File or folder with saved proofs, a proof, a signed attestation, or - for standard input.",
  ),
  manifest: optional(
    "--manifest",
    FILE,
    `Checksum list with a proof that lists the files (default: ${LIST_NAME} beside or above them).`,
  ),
  proof: optional("--proof", FILE, "The proof of the one FILE, if it is not beside it."),
  policy: optional(
    "--policy",
    FILE,
    "Verify a tlog-proof or a COSE receipt by this policy (c2sp.org/tlog-policy).",
  ),
  hidden: hiddenOption,
  verbose: flag("--verbose", "Also print each layer, times, and fields that no signature covers."),
  ...trustOptions,
};
type Options = ValuesOf<typeof options>;

const usage = errorBuilder("usage", "Cannot verify");

/**
 * Of one file, exits 0 if it is valid, and always with JSON output, where scripts read `valid`. Of
 * several files or of a folder, exits 1 if one is not proved.
 */
export const verify = defineCommand("verify", {
  description:
    "Says whether FILE.countersign.json, saved by stamp, proves that FILE existed, by what time, and " +
    "who signed it. Works offline.",
  options,
  async run(options, context) {
    // Before any proof is read.
    if (!options.online) context.process.dropPermissions(ONLINE_PERMISSIONS);
    const checker = new BundleChecker(context, {
      networkConfig: options.networkConfig,
      online: options.online,
      mayAsk: options.online,
    });
    const [name] = options.files;
    const isOne = options.files.length === 1 && await kindOf(context, name!) !== "folder";
    if (options.proof !== undefined && (!isOne || options.manifest !== undefined)) {
      throw usage("give --proof with one file, and without --manifest");
    }
    if (!isOne) {
      if (options.policy !== undefined) throw usage("give --policy with one file");
      return await checkFiles(context, options, checker);
    }
    return await verifyOne(context, options, checker);
  },
});

async function verifyOne(
  context: CommandContext,
  options: Options,
  checker: BundleChecker,
): Promise<number> {
  const { output } = context;
  const { files: [name], manifest, proof: named, policy, verbose } = options;
  const found = named === undefined
    ? await locateProof(context, name!, manifest)
    : { proof: named, content: name! };
  const proof = await readProof(context, found.proof);
  const { networkConfig, online } = options;
  const given = { "--policy": policy, "--network-config": networkConfig, "--online": online };
  requireOptionsFor(proof.kind, given, found.proof);
  if (isLogProof(proof)) {
    const subject = { name: found.proof, policy, file: found.content };
    const status = await checkLogProof(context, proof, subject, checker);
    return output.format === "json" ? 0 : status;
  }
  if (proof.kind === "timestamp") {
    return await verifyToken(context, proof.bytes, { found, checker, verbose });
  }
  const subject = await subjectOf(context, found);
  if (proof.kind === "attestation") {
    return await reportAttestation(context, proof.signed, { checker, subject, verbose });
  }
  const hashes = subject.content === undefined ? [] : [subject.content.hash];
  const findings = await checker.check({ bundle: proof.bundle, hashes, file: found.proof });
  reportBundle(output, findings, subject, { verbose, layers: "first failure" });
  return isAccepted(findings, subject) || output.format === "json" ? 0 : 1;
}

async function verifyToken(
  context: CommandContext,
  bytes: Bytes,
  { found, checker, verbose }: {
    readonly found: FoundProof;
    readonly checker: BundleChecker;
    readonly verbose: boolean;
  },
): Promise<number> {
  const { output } = context;
  const token = await TimestampProof.read(context, bytes, found.proof, []);
  if (token.bundle === undefined) {
    await reportBareToken(context, token, found.proof);
    return output.format === "json" ? 0 : 1;
  }
  const subject = await subjectOf(context, found, {
    attestedHashOf: (file) => token.hashOf(file),
  });
  const hashes = [subject.content?.hash, token.hash].filter((hash) => hash !== undefined);
  const findings = await checker.check({ bundle: token.bundle, hashes, file: found.proof });
  const reported = { ...subject, token: await token.shown(findings.verdict) };
  reportBundle(output, findings, reported, { verbose, layers: "first failure" });
  return isAccepted(findings, reported) || output.format === "json" ? 0 : 1;
}

async function reportAttestation(
  { crypto, output }: CommandContext,
  signed: SignedAttestation,
  { checker, subject: { content, list }, verbose }: {
    readonly checker: BundleChecker;
    readonly subject: BundleSubject;
    readonly verbose: boolean;
  },
): Promise<number> {
  const { attestation } = signed;
  const trusted = await checker.trustedFor(attestation.network_id);
  const found = await verifySignedAttestation(crypto, trusted.network, signed);
  const isOther = content !== undefined && content.hash !== attestation.hash;
  const result = found.valid && isOther
    ? { ...found, valid: false, reason: "hash_mismatch" as const }
    : found;
  const { valid: isProved, verified, required, signers, epoch, unknown, reason, field, witness } =
    result;
  const valid = isProved && areListedAccepted(list);
  const time = attestationTime(quicknetVerifier(crypto.bls), signed, result);
  const statement = statementText({
    attestation,
    network: trusted.network,
    valid: isProved,
    reason,
    field,
    witness,
    time,
    signatures: verified,
    unknown,
    file: content?.file,
  });
  output.result({
    valid,
    proved: isProved,
    statement,
    ...attestationJson(signed),
    ...(content !== undefined && { content: { ...content, matches: !isOther } }),
    ...(list !== undefined && { listed_files: list }),
    verified_signatures: verified,
    required_signatures: required,
    signers,
    ...(epoch !== undefined && { epoch }),
    unknown_signers: unknown,
    time,
    reason,
    field,
    witness,
    configuration: sourceJson(trusted),
    not_proven: NOT_PROVEN,
  }, (shown) => attestationReport(shown, verbose));
  return valid || output.format === "json" ? 0 : 1;
}

/** The verdict on an attestation without a bundle, as JSON. */
interface ShownAttestation extends Attestation {
  readonly reason?: VerifyReason | undefined;
  readonly field?: string | undefined;
  readonly valid: boolean;
  /** The attestation is valid; files that it lists may not be. */
  readonly proved: boolean;
  readonly statement: string;
  readonly content?: HashedFile | undefined;
  readonly listed_files?: ListFindings | undefined;
  readonly verified_signatures: number;
  readonly required_signatures: number;
  readonly signers: readonly string[];
  readonly epoch?: number;
  readonly time: TimeBracket;
  readonly witness?: string | undefined;
  readonly configuration: ShownSource;
}

function attestationReport(shown: ShownAttestation, verbose: boolean): Line[] {
  const { valid, proved, statement, content, listed_files: list, time } = shown;
  const { text, accent } = valid
    ? { text: "VALID", accent: "green" as const }
    : headline("invalid");
  const aboutList = proved && list !== undefined ? listedHeadline(content!.file, list) : "";
  const count = describeCount({
    ...shown,
    verified: shown.verified_signatures,
    required: shown.required_signatures,
  });
  return [
    { text: `${text}${aboutList}`, accent },
    statement,
    ...(proved && list !== undefined ? listedLines(list, verbose) : []),
    ...(proved && verbose ? attestationLines(shown) : []),
    ...(proved ? [] : [
      ...(content === undefined ? [] : [`hash of ${content.file}: ${content.hash}`]),
      `hash in the proof: ${shown.hash}`,
    ]),
    `configuration: ${sourceText(shown.configuration)}`,
    proved
      ? verbose ? `attestation: verified, ${count}` : count
      : `attestation: ${describeFailure(shown, "failed")}`,
    ...(proved && (verbose || time.failed.length + time.contradictions.length > 0)
      ? timeLines(time)
      : []),
    ...(verbose ? closingLines() : [briefClosing]),
  ];
}
