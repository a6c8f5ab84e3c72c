/**
 * Witnesses that go away and come back: below the threshold nothing is attested and nothing is lost.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ErrorCode } from "../../src/base/errors.ts";
import { parseSignedAttestation } from "../../src/proof/format/bundle.ts";
import { isEd25519Set } from "../../src/proof/format/signature_set.ts";
import { eachSchemeOfLongRuns, IS_LONG } from "../long_runs.ts";
import { LogLines } from "../log_lines.ts";
import { Deployment, eventually, whenSigned } from "./deployment.ts";

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

eachSchemeOfLongRuns.test("a network goes on without one witness, waits without two, and finishes with them back", async ({ scheme, t }) => {
  await using deployment = await Deployment.start(scheme, "--log-format", "json");
  const log = () => LogLines.parse(deployment.gateway.stderr);
  /** Waits until the log has as many lines that `code` began and ended: reports may take 2 s. */
  const logged = (code: ErrorCode, times: number, ends = times) =>
    eventually(`the log has ${times} and ${ends} lines of ${code}`, () => {
      const isSaid = log().begun(code).length === times && log().ended(code).length === ends;
      return Promise.resolve(isSaid ? true : undefined);
    });

  const submit = (hash: string, seconds: number) =>
    deployment.post("/v1/attestations", { hash }, { Prefer: `wait=${seconds}` });
  const jobOf = async (hash: string) => {
    const { status, text } = await deployment.get(`/v1/attestations/${hash}`);
    assert.equal(status, 200, text);
    return JSON.parse(text);
  };
  const batched = (hash: string) =>
    eventually(`${hash} is batched`, async () => {
      const job = await jobOf(hash);
      return job.progress === "batched" ? job : undefined;
    });

  await t.step("one witness killed: all still works", async () => {
    await deployment.killWitness(0);
    const { status, text } = await whenSigned(() => submit(hashOf("with two"), 30));
    assert.equal(status, 200, text);
    const set = parseSignedAttestation(JSON.stringify(JSON.parse(text).signed_attestation));
    const signers = isEd25519Set(set)
      ? set.signatures.map(({ witness_id }) => witness_id)
      : set.signers;
    const [, second, third] = (await deployment.network()).witnesses;
    assert.deepEqual(signers, [second?.id, third?.id]);
    await batched(hashOf("with two"));
    await logged("witness_unreachable", 1, 0);
    log().assertSaid("threshold_not_met", 0);
  });

  const waiting = ["a", "b", "c"].map((name) => hashOf(`with one, ${name}`));
  await t.step("two killed: jobs are accepted and wait", async () => {
    await deployment.killWitness(1);
    const killedMs = performance.now();
    for (const hash of waiting) {
      const { status, text } = await submit(hash, 1);
      assert.equal(status, 202, text);
    }
    const job = await eventually("an attempt has failed", async () => {
      const found = await jobOf(waiting[0]!);
      return found.status === "retryable" ? found : undefined;
    });
    assert.equal(job.progress, "unconfirmed");
    assert.equal(job.signed_attestation, undefined);
    assert.ok(job.attempts >= 1 && job.next_attempt_at > 0);
    assert.equal((await deployment.get(`/v1/bundle/${waiting[0]}`)).status, 404);
    const again = await submit(waiting[0]!, 0);
    assert.equal(JSON.parse(again.text).created_at, job.created_at);
    await logged("witness_unreachable", 2, 0);
    log().assertSaid("threshold_not_met", 1, 0);
    // Half a minute is waited for once, and by the clock of tests/gateway/health_reports_test.ts.
    if (!IS_LONG || scheme === "bls") return;
    const { health, seconds } = await eventually("health is not ok", async () => {
      const { status, text } = await deployment.get("/health");
      const seconds = (performance.now() - killedMs) / 1000;
      return status === 503 ? { health: JSON.parse(text).status, seconds } : undefined;
    });
    assert.equal(health, "signing_stalled");
    assert.ok(seconds > 30, `after ${seconds} s`);
    assert.equal((await submit(waiting[1]!, 0)).status, 202, "accepted all the same");
  });

  await t.step("a gateway that is stopped meanwhile forgets none of them", async () => {
    assert.equal(await deployment.stopGateway(), 0);
    await deployment.startGateway("--log-format", "json");
    for (const hash of waiting) assert.notEqual((await jobOf(hash)).status, "confirmed");
    log().assertSaid("witnesses_unavailable", 1, 0);
  });

  await t.step("the witnesses return: every job is confirmed and batched, in order", async () => {
    await deployment.startWitness(0);
    await deployment.startWitness(1);
    const sequences = [];
    for (const hash of waiting) {
      sequences.push((await batched(hash)).signed_attestation.attestation.sequence);
    }
    assert.deepEqual(sequences, [1, 2, 3]);
    await eventually("the log says that all is well", () => {
      const ended = ["witnesses_unavailable", "threshold_not_met"] as const;
      return Promise.resolve(ended.every((code) => log().ended(code).length === 1) || undefined);
    });
  });
});
