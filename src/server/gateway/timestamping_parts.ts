/**
 * The parts of a gateway that is a time-stamp authority.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { loadTimestampIdentity, readCertificateChain } from "../../config/timestamp_identity.ts";
import type { TimestampIdentity } from "../../gateway/timestamping/timestamp_signer.ts";
import { runInBackground } from "../background.ts";
import { CertificateWatch } from "./certificate_watch.ts";
import type { GatewayRun } from "./gateway_run.ts";

const STOP_MS = 1_000;

/**
 * The key and the certificates of the time-stamp authority, for each thread that answers clients;
 * `undefined` if none is configured. Errors as `loadTimestampIdentity()`.
 */
export async function openTimestampIdentity(
  { operator: { timestamping }, crypto: { bls }, io, report, opened }: GatewayRun,
): Promise<TimestampIdentity | undefined> {
  if (timestamping === undefined) return undefined;
  const reading = { bls, report, env: (name: string) => io.env(name) };
  const identity = await loadTimestampIdentity(timestamping, reading);
  opened.defer(() => identity.signer[Symbol.dispose]?.());
  return identity;
}

/** Watches the certificates until the gateway stops; `undefined` if none are configured. */
export async function watchCertificates(
  { operator: { timestamping }, report, opened }: GatewayRun,
): Promise<CertificateWatch | undefined> {
  if (timestamping === undefined) return undefined;
  const chain = await readCertificateChain(timestamping.certificatesFile);
  const watch = new CertificateWatch(chain, { clock: systemClock, report });
  runInBackground(opened, STOP_MS, (signal) => watch.run(signal));
  return watch;
}
