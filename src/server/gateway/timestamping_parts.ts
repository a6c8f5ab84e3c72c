/**
 * The parts of a gateway that is a time-stamp authority.
 *
 * @module
 */

import { systemClock } from "../../base/clock.ts";
import { loadTimestampIdentity, readCertificateChain } from "../../config/timestamp_identity.ts";
import { TimestampAuthority } from "../../gateway/timestamping/timestamp_authority.ts";
import { runInBackground } from "../background.ts";
import { CertificateWatch } from "./certificate_watch.ts";
import type { GatewayRun } from "./gateway_run.ts";

const STOP_MS = 1_000;

/**
 * The time-stamp authority, for each thread that answers clients; `undefined` if none is configured.
 * Errors as `loadTimestampIdentity()`.
 */
export async function openTimestampAuthority(
  { operator: { timestamping }, crypto: { bls, kernels }, io, report, opened }: GatewayRun,
): Promise<TimestampAuthority | undefined> {
  if (timestamping === undefined) return undefined;
  const reading = { bls, report, env: (name: string) => io.env(name) };
  const identity = await loadTimestampIdentity(timestamping, reading);
  opened.defer(() => identity.signer[Symbol.dispose]?.());
  return new TimestampAuthority({ identity, kernels, clock: systemClock });
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
