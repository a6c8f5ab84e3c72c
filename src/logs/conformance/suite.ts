/**
 * Runs the conformance suite against a witness, log, mirror or verifier.
 *
 * @module
 */

import type { Clock } from "../../base/clock.ts";
import type { Kernels } from "../../proof/crypto/kernels.ts";
import type { VerifierCrypto } from "../../proof/verify/verifier_crypto.ts";
import type { Role } from "./clauses.ts";
import { Exchanger } from "./exchange.ts";
import type { LogTarget } from "./checkpoint_checks.ts";
import { LogChecks } from "./log_checks.ts";
import { MirrorChecks } from "./mirror_checks.ts";
import { Findings, type Report, reportOf } from "./report.ts";
import { type LogSigner, SuiteLog } from "./suite_log.ts";
import type { SuiteContext } from "./cosignature_checks.ts";
import { Submissions, type WitnessTarget } from "./submissions.ts";
import type { Vector } from "./vectors.ts";
import { checkVerifier, type TestedVerifier } from "./verifier_checks.ts";
import { WitnessChecks } from "./witness_checks.ts";

export interface SuiteOptions {
  readonly crypto: VerifierCrypto & { readonly kernels: Kernels };
  readonly clock: Clock;
  /** Instead of the global one, in tests. */
  readonly fetch?: typeof fetch;
}

/** A target that follows the log of `signer`. */
type FollowingTarget = WitnessTarget & { readonly signer: LogSigner };

export async function testWitness(target: FollowingTarget, options: SuiteOptions): Promise<Report> {
  const log = new SuiteLog(target.signer, options.crypto.kernels);
  const context = contextOf("witness", options);
  const submissions = new Submissions(log, target, context, "witness");
  const notes = await new WitnessChecks(submissions, { isMirror: false }).run();
  return suiteReport(target, [suiteNote(log), ...notes], context, options);
}

export async function testLog(target: LogTarget, options: SuiteOptions): Promise<Report> {
  const context = contextOf("log", options);
  const notes = await new LogChecks(target, context, options.crypto.kernels).run();
  return suiteReport(target, notes, context, options);
}

export async function testMirror(target: FollowingTarget, options: SuiteOptions): Promise<Report> {
  const log = new SuiteLog(target.signer, options.crypto.kernels);
  const context = contextOf("mirror", options);
  const submissions = new Submissions(log, target, context, "mirror");
  const checks = new MirrorChecks(submissions);
  await checks.checkUnknown();
  await new WitnessChecks(submissions, { isMirror: true }).run();
  if (await checks.run()) {
    const served = { url: checks.servedUrl, keys: [log.key] };
    await new LogChecks(served, context, options.crypto.kernels).run();
  }
  const notes = [suiteNote(log), `The last checkpoint of the run has size ${submissions.size}.`];
  return suiteReport(target, notes, context, options);
}

/** Tests a verifier with `vectors`. */
export async function testVerifier(
  vectors: readonly Vector[],
  verifier: TestedVerifier,
  { clock }: Pick<SuiteOptions, "clock">,
): Promise<Report> {
  const findings = new Findings("verifier");
  await checkVerifier(findings, vectors, verifier);
  const notes = [`${vectors.length} vectors.`];
  const { command: target } = verifier;
  return reportOf({ target, nowMs: clock.nowMs(), notes }, findings);
}

function suiteReport(
  { url }: { readonly url: URL },
  notes: readonly string[],
  { findings }: SuiteContext,
  { clock }: SuiteOptions,
): Report {
  return reportOf({ target: url.href, nowMs: clock.nowMs(), notes }, findings);
}

function contextOf(role: Role, { clock, crypto, fetch }: SuiteOptions): SuiteContext {
  return { crypto, findings: new Findings(role), exchanger: new Exchanger({ clock, fetch }) };
}

function suiteNote({ origin, vkey }: SuiteLog): string {
  return `The suite's log: origin ${origin}, key ${vkey}.`;
}
