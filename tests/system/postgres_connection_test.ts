import assert from "node:assert/strict";
import { PostgresConnection } from "../../src/storage/postgres/postgres_connection.ts";
import { FakeClock } from "../fake_clock.ts";
import { CuttingProxy } from "./cutting_proxy.ts";
import { accessTo } from "./postgres_access.ts";
import { SERVER } from "./postgres_databases.ts";

/** As of the connection. */
const ANSWER_MS = 4_000;

Deno.test("a statement without an answer has an unknown outcome, and the next one uses another connection", async () => {
  await using proxy = new CuttingProxy(SERVER.port);
  const clock = new FakeClock();
  const connection = new PostgresConnection({
    access: { ...accessTo(SERVER, SERVER.database), port: proxy.port },
    isReadOnly: false,
    clock,
  });
  assert.deepEqual(await connection.run("SELECT 1"), [["1"]]);
  const passing = Promise.withResolvers<void>();
  proxy.hold(passing.promise);
  const unanswered = ["SELECT 2", "SELECT 3"].map((text) =>
    assert.rejects(connection.run(text), {
      code: "storage_failed",
      isAborted: false,
      // The first one that is too late ends the connection.
      message: /Connection to PostgreSQL lost: (no answer within 4 s|Connection terminated)/,
    })
  );
  await clock.advance(ANSWER_MS - 1);
  assert.equal(connection.pending, 2);
  await clock.advance(1);
  await Promise.all(unanswered);
  assert.equal(connection.pending, 0);
  passing.resolve();
  assert.deepEqual(await connection.run("SELECT 4"), [["4"]]);
  connection.close();
});

Deno.test("a server that accepts connections and says nothing cannot be connected to", async () => {
  using silent = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const clock = new FakeClock();
  const connection = new PostgresConnection({
    access: { ...accessTo(SERVER, SERVER.database), port: (silent.addr as Deno.NetAddr).port },
    isReadOnly: false,
    clock,
  });
  const refused = assert.rejects(connection.run("SELECT 1"), {
    code: "storage_failed",
    isAborted: true,
  });
  using _accepted = await silent.accept();
  await clock.advance(ANSWER_MS);
  await refused;
});

Deno.test("the time of a statement begins with the answer to the one before", async () => {
  const access = accessTo(SERVER, SERVER.database);
  const clock = new FakeClock();
  const connection = new PostgresConnection({ access, isReadOnly: false, clock });
  const locks = new PostgresConnection({ access, isReadOnly: false });
  await connection.run("SELECT 1");
  await locks.run("SELECT pg_advisory_lock(1), pg_advisory_lock(2)");
  const statements = [1, 2].map((id) => connection.run("SELECT pg_advisory_lock($1)", [id]));
  await clock.advance(ANSWER_MS - 1);
  await locks.run("SELECT pg_advisory_unlock(1)");
  await statements[0];
  await clock.advance(ANSWER_MS - 1);
  assert.equal(connection.pending, 1);
  await locks.run("SELECT pg_advisory_unlock(2)");
  await statements[1];
  for (const each of [connection, locks]) each.close();
});
