/**
 * `verify`: verifies saved proofs and signed attestations offline (protocol.md "Command line").
 *
 * @module
 */

import type { SignedAttestation } from "../format/bundle.ts";
import { verifySignedAttestation } from "../verify/attestation.ts";
import { attestationTime, quicknetVerifier } from "../verify/time_bracket.ts";
import { NOT_PROVEN } from "../verify/verdict.ts";
import { type CommandContext, ONLINE_PERMISSIONS } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { kindOf } from "./input_file.ts";
import { FILE, hiddenOption, optional, repeatedPositional, trustOptions } from "./options.ts";
import { BundleChecker } from "./proofs/bundle_check.ts";
import { isAccepted, reportBundle, subjectOf } from "./proofs/bundle_report.ts";
import { LIST_NAME, locateProof, readProof } from "./proofs/saved_proofs.ts";
import { statementOf } from "./proofs/statement.ts";
import { checkFiles } from "./proofs/files_check.ts";
import { describeSource, sourceJson } from "./trusted_network.ts";
import {
  attestationJson,
  attestationLines,
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
  hidden: hiddenOption,
  ...trustOptions,
};
type Options = ValuesOf<typeof options>;

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
    const checker = new BundleChecker(context, { ...options, mayAsk: options.online });
    const [name] = options.files;
    if (options.files.length > 1 || await kindOf(context, name!) === "folder") {
      return await checkFiles(context, options, checker);
    }
    return await verifyOne(context, options, checker);
  },
});

async function verifyOne(
  context: CommandContext,
  { files: [name], manifest }: Options,
  checker: BundleChecker,
): Promise<number> {
  const { output } = context;
  const found = await locateProof(context, name!, manifest);
  const proof = await readProof(context, found.proof);
  if (proof.kind === "attestation") return await reportAttestation(context, proof.signed, checker);
  const subject = await subjectOf(context, found);
  const hashes = subject.content === undefined ? [] : [subject.content.hash];
  const findings = await checker.check({ bundle: proof.bundle, hashes, file: found.proof });
  reportBundle(output, findings, subject, { layers: "first failure" });
  return isAccepted(findings, subject) || output.format === "json" ? 0 : 1;
}

async function reportAttestation(
  { crypto, output }: CommandContext,
  signed: SignedAttestation,
  checker: BundleChecker,
): Promise<number> {
  const trusted = await checker.trustedFor(signed.attestation.network_id);
  const result = await verifySignedAttestation(crypto, trusted.network, signed);
  const { valid, verified, required, signers, unknown, reason, field, witness } = result;
  const time = attestationTime(quicknetVerifier(crypto.bls), signed, result);
  const statement = statementOf({
    attestation: signed.attestation,
    network: trusted.network,
    valid,
    reason,
    time,
    signatures: verified,
    unknown,
  });
  output.result({
    valid,
    statement,
    ...attestationJson(signed),
    verified_signatures: verified,
    required_signatures: required,
    signers,
    unknown_signers: unknown,
    time,
    ...(reason !== undefined && { reason }),
    ...(field !== undefined && { field }),
    ...(witness !== undefined && { witness }),
    configuration: sourceJson(trusted),
    not_proven: NOT_PROVEN,
  }, [
    valid ? { text: "VALID", accent: "green" } : headline("invalid"),
    statement,
    ...(valid ? attestationLines(signed) : [`hash in the proof: ${signed.attestation.hash}`]),
    `configuration: ${describeSource(trusted)}`,
    valid
      ? `attestation: verified, ${describeCount(result)}`
      : `attestation: ${describeFailure(result, "failed", witness)}`,
    ...timeLines(time),
    ...closingLines(),
  ]);
  return valid || output.format === "json" ? 0 : 1;
}
