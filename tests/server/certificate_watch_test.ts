import assert from "node:assert/strict";
import { join } from "node:path";
import { readCertificateChain } from "../../src/config/timestamp_identity.ts";
import { CertificateWatch } from "../../src/server/gateway/certificate_watch.ts";
import { readinessWarnings } from "../../src/server/gateway/readiness_checks.ts";
import type { ReportLevel } from "../../src/base/report.ts";
import { timestampChain, writeTimestampFiles } from "../config/timestamp_files.ts";
import { FakeClock } from "../fake_clock.ts";
import type { CertificateParts } from "../proof/timestamp/test_certificates.ts";
import { inFolder } from "./captured_io.ts";

const DAY_SECONDS = 86_400;
/** 2027-01-01 00:00:00 UTC, when a certificate expires. */
const END = 1_798_761_600;
const ENDING: Partial<CertificateParts> = { notAfter: "270101000000Z" };

/** Watches certificates `days` before {@linkcode END}, while `use` moves the clock. */
async function watching(
  days: number,
  { leaf = {}, issuer = {} }: {
    readonly leaf?: Partial<CertificateParts>;
    readonly issuer?: Partial<CertificateParts>;
  },
  use: (
    watch: CertificateWatch,
    clock: FakeClock,
    lines: readonly (readonly [string, ReportLevel | undefined])[],
  ) => Promise<void>,
): Promise<void> {
  const chain = await inFolder(async (folder) => {
    const certificates = await timestampChain(leaf, "ecdsa-p256", issuer);
    await writeTimestampFiles(folder, certificates.slice(0, 2));
    return await readCertificateChain(join(folder, "tsa.pem"));
  });
  const clock = new FakeClock(END - days * DAY_SECONDS);
  const lines: [string, ReportLevel | undefined][] = [];
  const watch = new CertificateWatch(chain, {
    clock,
    report: (line, details) => void lines.push([line, details?.level]),
  });
  const stop = new AbortController();
  const running = watch.run(stop.signal);
  try {
    await use(watch, clock, lines);
  } finally {
    stop.abort();
    await running;
  }
}

const warningsOf = (certificates: CertificateWatch) =>
  readinessWarnings({ clocks: { finding: undefined, differences: [] }, disk: DISK, certificates });

const DISK = { check: () => Promise.resolve(), subject: "disk", advice: "" } as const;

Deno.test("the log has a line 60 and 14 days before a certificate expires, and when it has", async () => {
  await watching(61, { leaf: ENDING }, async (watch, clock, lines) => {
    assert.equal(watch.expiresAt, END);
    assert.deepEqual([watch.warning, lines.length], [undefined, 0]);
    assert.deepEqual(warningsOf(watch), []);
    await clock.advance(1.5 * DAY_SECONDS * 1000);
    assert.match(lines[0]![0], /CN=Stamps .*expires at 2027-01-01 00:00:00 UTC, in 59 days/);
    const [warning] = warningsOf(watch);
    assert.equal(warning?.code, "tsa_certificate_expires");
    assert.match(warning.detail, /all time-stamp requests are rejected/);
    await clock.advance(45 * DAY_SECONDS * 1000);
    assert.equal(lines.length, 1);
    await clock.advance(DAY_SECONDS * 1000);
    assert.match(lines[1]![0], /in 13 days/);
    await clock.advance(13 * DAY_SECONDS * 1000);
    assert.equal(lines.length, 2);
    await clock.advance(DAY_SECONDS * 1000);
    assert.match(lines[2]![0], /has expired at 2027-01-01/);
    assert.match(warningsOf(watch)[0]!.detail, /has expired/);
    assert.deepEqual(lines.map(([, level]) => level), ["warning", "warning", "error"]);
    await clock.advance(30 * DAY_SECONDS * 1000);
    assert.equal(lines.length, 3);
  });
});

Deno.test("a start has the line of the present time alone", async () => {
  await watching(10, { leaf: ENDING }, (_, __, lines) => {
    assert.equal(lines.length, 1);
    assert.match(lines[0]![0], /in 10 days/);
    return Promise.resolve();
  });
});

Deno.test("the first certificate of the chain to expire counts", async () => {
  await watching(1, { issuer: ENDING }, (watch, _, lines) => {
    assert.equal(watch.expiresAt, END);
    assert.match(lines[0]![0], /CN=Intermediate .*all time-stamp requests are rejected/);
    return Promise.resolve();
  });
});

Deno.test("a certificate that is not valid yet is a warning, which ends", async () => {
  await watching(1, { leaf: { notBefore: "270101000000Z" } }, async (watch, clock, lines) => {
    assert.match(watch.warning ?? "", /CN=Stamps .*not valid before 2027-01-01/);
    assert.equal(lines.length, 1);
    await clock.advance(DAY_SECONDS * 1000);
    assert.equal(watch.warning, undefined);
    assert.match(lines[1]![0], /The certificates are valid, after 86400 s/);
  });
});
