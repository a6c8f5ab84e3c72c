/**
 * `verify`: verifies a SignedAttestation offline (protocol.md "Command line").
 *
 * @module
 */

import { parseSignedAttestation } from "../format/bundle.ts";
import { verifySignedAttestation } from "../verify/attestation.ts";
import { attestationTime, quicknetVerifier } from "../verify/time_bracket.ts";
import { NOT_PROVEN } from "../verify/verdict.ts";
import { ONLINE_PERMISSIONS } from "./command_context.ts";
import { defineCommand } from "./define_command.ts";
import { readDocument } from "./input_file.ts";
import { FILE, positional, trustOptions } from "./options.ts";
import { describeSource, sourceJson, trustedNetwork } from "./trusted_network.ts";
import {
  attestationJson,
  attestationLines,
  closingLines,
  describeCount,
  describeFailure,
  timeLines,
} from "./verdict_report.ts";

/** Exits 0 if valid, and always with JSON output, where scripts read `valid`. */
export const verify = defineCommand("verify", {
  brief: "Verify a signed attestation offline",
  options: {
    file: positional(FILE, "Signed attestation as JSON, or - for standard input."),
    ...trustOptions,
  },
  async run(options, context) {
    // Before the attestation is read.
    if (!options.online) context.process.dropPermissions([...ONLINE_PERMISSIONS, "write"]);
    const { output } = context;
    const signed = await readDocument(
      context,
      options.file,
      "malformed_bundle",
      parseSignedAttestation,
    );
    const trusted = await trustedNetwork(context, options, signed.attestation.network_id);
    const result = await verifySignedAttestation(context.crypto, trusted.network, signed);
    const { valid, verified, required, signers, unknown, reason, field, witness } = result;
    const time = attestationTime(quicknetVerifier(context.crypto.bls), signed, result);
    output.result({
      valid,
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
      valid ? { text: "VALID", accent: "green" } : { text: "INVALID", accent: "red" },
      ...attestationLines(signed),
      `configuration: ${describeSource(trusted.source)}`,
      valid
        ? `attestation: verified, ${describeCount(result)}`
        : `attestation: ${describeFailure(result, "failed", witness)}`,
      ...timeLines(time),
      ...closingLines(),
    ]);
    return valid || output.format === "json" ? 0 : 1;
  },
});
