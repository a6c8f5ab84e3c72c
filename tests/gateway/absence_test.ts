import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import { confirmingAbsence } from "../../src/gateway/absence.ts";
import type { GatewayService } from "../../src/gateway/gateway_service.ts";
import { wrappedPart } from "../../src/gateway/wrapped_part.ts";

type Jobs = GatewayService["jobs"];

/** Knows what `known` has, and says so in a private member, as the service's classes do. */
class KnownJobs {
  readonly #known: Set<string>;
  reads = 0;

  constructor(known: Set<string>) {
    this.#known = known;
  }

  get(hash: string): string | undefined {
    this.reads++;
    if (this.#known.has(hash)) return hash;
    if (hash === "refused") throw new CountersignError("rate_limited", "no");
    if (hash === "thrown") throw new CountersignError("hash_unknown", "unknown");
    return undefined;
  }

  accept(): undefined {
    return undefined;
  }

  get size(): number {
    return this.#known.size;
  }
}

function wrapped(known: Set<string>, confirm: () => Promise<void> | undefined) {
  const jobs = new KnownJobs(known);
  const part = confirmingAbsence("jobs", jobs as unknown as Jobs, confirm);
  return { jobs, part: part as unknown as KnownJobs };
}

Deno.test("a read that finds something confirms nothing", () => {
  const { jobs, part } = wrapped(new Set(["a"]), () => assert.fail("confirmed"));
  assert.equal(part.get("a"), "a");
  assert.deepEqual([jobs.reads, part.size], [1, 1]);
});

Deno.test("what is absent is read again once all of the log is here, however it is said", async () => {
  for (const hash of ["absent", "thrown"]) {
    const known = new Set<string>();
    const { jobs, part } = wrapped(known, () => {
      known.add(hash);
      return Promise.resolve();
    });
    assert.equal(await part.get(hash), hash);
    assert.equal(jobs.reads, 2);
  }
});

Deno.test("absent is absent where the whole log is here, and still so after a confirmation", async () => {
  const { part } = wrapped(new Set(), () => undefined);
  assert.equal(part.get("absent"), undefined);
  assert.throws(() => part.get("thrown"), { code: "hash_unknown" });
  const { part: behind } = wrapped(new Set(), () => Promise.resolve());
  assert.equal(await behind.get("absent"), undefined);
  await assert.rejects(async () => await behind.get("thrown"), { code: "hash_unknown" });
});

Deno.test("without a confirmation nothing is said to be absent", async () => {
  const failure = new CountersignError("storage_failed", "away");
  const { part } = wrapped(new Set(), () => Promise.reject(failure));
  for (const hash of ["absent", "thrown"]) {
    await assert.rejects(async () => await part.get(hash), { code: "storage_failed" });
  }
  // Other errors, and other methods, say nothing about absence.
  assert.throws(() => part.get("refused"), { code: "rate_limited" });
  assert.equal(part.accept(), undefined);
});

Deno.test("wrappedPart() wraps a wrapped part, and reads members through it", () => {
  const calls: string[] = [];
  const note = (name: string) => ({
    method:
      (call: (...args: readonly unknown[]) => unknown, method: string) =>
      (...args: readonly unknown[]) => {
        calls.push(`${name} ${method}`);
        return call(...args);
      },
    read: () => void calls.push(`${name} read`),
  });
  const part = wrappedPart(
    wrappedPart(new KnownJobs(new Set(["a"])), note("inner")),
    note("outer"),
  );
  assert.equal(part.get("a"), "a");
  assert.equal(part.size, 1);
  assert.deepEqual(calls, ["outer get", "inner get", "outer read", "inner read"]);
});

Deno.test("what a time stamp needs is read again, too", async () => {
  const known = new Set<string>();
  const proofs = {
    attested(hash: string): string {
      if (known.has(hash)) return hash;
      throw new CountersignError("not_confirmed", "not confirmed");
    },
  } as unknown as GatewayService["proofs"];
  const part = confirmingAbsence("proofs", proofs, () => {
    known.add("a");
    return Promise.resolve();
  });
  assert.equal(await part.attested("a"), "a");
});
