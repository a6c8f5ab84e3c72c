/**
 * What the engine on PostgreSQL makes of errors. The statements' outcomes are scripted; a real server is
 * in `tests/system/postgres_*`.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PostgresEngine } from "../../src/storage/postgres/postgres_store.ts";
import { connectFault, statementFault } from "../../src/storage/postgres/postgres_fault.ts";
import { PostgresFence } from "../../src/storage/postgres/postgres_fence.ts";
import { encodeValue } from "../../src/storage/postgres/postgres_values.ts";
import type { Row, Run } from "../../src/storage/postgres/postgres_connection.ts";

const COLUMN = `\\x${encodeValue(new Uint8Array(1)).toHex()}`;

/** An engine with a fence that it holds. `next` answers writes; reads find `stored`. */
async function newEngine() {
  const script = {
    stored: [[COLUMN]] as readonly Row[],
    next: (): Promise<readonly Row[]> => Promise.resolve([["1"]]),
  };
  const write: Run = (text) =>
    text.startsWith("SELECT holder") ? Promise.resolve([[null, "00000001"]]) : script.next();
  const fence = new PostgresFence(write, { epoch: undefined, timeline: undefined });
  await fence.take();
  const reads = { run: () => Promise.resolve(script.stored) };
  const engine = new PostgresEngine("log", { reads, writes: { run: write } }, fence);
  const set = (key: string) =>
    engine.atomic().check({ key: [key], versionstamp: null }).set([key], new Uint8Array(1))
      .commit();
  return { script, engine, set };
}

/** An error as the server sends it. */
function serverError(severity: string, code: string): Error {
  return Object.assign(new Error("message"), { severity, code });
}

/** Whether `promise` has settled once all that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let hasSettled = false;
  const settled = () => {
    hasSettled = true;
  };
  promise.then(settled, settled);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return hasSettled;
}

Deno.test("no read returns what an uncertain commit stored before that is confirmed", async () => {
  const { script, engine, set } = await newEngine();
  script.next = () => Promise.reject(new Error("lost"));
  for (const key of ["one", "two"]) await assert.rejects(set(key));
  const confirmed = Promise.withResolvers<readonly Row[]>();
  script.next = () => confirmed.promise;
  const reads = ["one", "two", "one"].map((key) => engine.get([key]));
  for (const read of reads) assert.equal(await isSettled(read), false);
  assert.equal(await isSettled(engine.get(["three"])), true);
  confirmed.reject(new Error("lost"));
  for (const read of reads) await assert.rejects(read, { code: "storage_failed" });
  script.next = () => Promise.resolve([["1"]]);
  assert.deepEqual((await engine.get(["one"])).value, new Uint8Array(1));
  script.next = () => Promise.reject(new Error("not confirmed again"));
  await engine.get(["one"]);
  await assert.rejects(engine.get(["two"]), { code: "storage_failed" });
});

Deno.test("a record that a commit conflicts with is confirmed before it is returned", async () => {
  const { script, engine, set } = await newEngine();
  script.next = () => Promise.reject(new Error("lost"));
  await assert.rejects(set("one"));
  // The server has not run the lost commit yet.
  [script.stored, script.next] = [[], () => Promise.resolve([["1"]])];
  assert.equal((await engine.get(["one"])).value, null);
  // Now it has, and shows it before it is durable.
  script.stored = [[COLUMN]];
  script.next = () => Promise.reject(serverError("ERROR", "23505"));
  assert.deepEqual(await set("one"), { ok: false });
  script.next = () => Promise.reject(new Error("lost"));
  await assert.rejects(engine.get(["one"]), { code: "storage_failed" });
});

Deno.test("errors of PostgreSQL tell whether anything is stored", () => {
  const known = (severity: string, code: string) => {
    const { isAborted, isConflict, endsConnection } = statementFault(serverError(severity, code));
    return { isAborted, isConflict, endsConnection };
  };
  const aborted = { isAborted: true, isConflict: false, endsConnection: false };
  const conflict = { ...aborted, isConflict: true };
  const unknown = { isAborted: false, isConflict: false, endsConnection: true };
  assert.deepEqual(known("ERROR", "53100"), aborted);
  assert.deepEqual(known("ERROR", "25006"), { ...aborted, endsConnection: true });
  // A server speaks the language of `lc_messages`.
  for (const severity of ["ERROR", "FEHLER"]) {
    for (const code of ["22012", "23505"]) assert.deepEqual(known(severity, code), conflict);
  }
  for (const severity of ["FATAL", "PANIC"]) {
    assert.deepEqual(known(severity, "57P01"), unknown);
    assert.deepEqual(known(severity, "XX000"), unknown);
  }
  // Of a pooler that lost the server, whatever it calls the severity.
  for (const code of ["08006", "08007", "40003", "57P01", "58000"]) {
    assert.deepEqual(known("ERROR", code), unknown);
  }
  // The server has run nothing: the statement is sent again without its name.
  for (const code of ["26000", "42P05", "0A000"]) {
    const { isNameRejected, isAborted } = statementFault(serverError("ERROR", code));
    assert.deepEqual([isNameRejected, isAborted], [true, true]);
  }
  assert.equal(statementFault(serverError("ERROR", "53100")).isNameRejected, false);
  const refused = connectFault("postgres://u@h:1/d", serverError("FATAL", "28P01"));
  assert.deepEqual([refused.isAborted, refused.isRefusal], [true, true]);
});

Deno.test("the fence is not taken on another timeline than the lease", async () => {
  // A replica was promoted in between: it has the row of the lease too, and may lack commits.
  const run: Run = (text) =>
    Promise.resolve(text.startsWith("SELECT holder") ? [["other", "00000002"]] : [["1"]]);
  const taken = new PostgresFence(run, { epoch: 5, timeline: "00000002" });
  await taken.take();
  const fence = new PostgresFence(run, { epoch: 5, timeline: "00000001" });
  await assert.rejects(fence.take(), { code: "fence_lost", message: /replica .* was promoted/ });
});
