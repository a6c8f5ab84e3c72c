import assert from "node:assert/strict";
import { PostgresServer } from "./postgres_server.ts";

Deno.test("a PostgreSQL server keeps its data through a stop and a crash", async () => {
  await using server = await PostgresServer.start({ settings: { max_connections: "20" } });
  assert.equal(await server.sql("SHOW max_connections"), "20");
  await server.sql("CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)");
  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    await server.stop(signal);
    await assert.rejects(server.sql("SELECT 1"), /Connection refused/);
    await server.start({ work_mem: "1MB" });
    assert.equal(await server.sql("SELECT n FROM kept; SHOW work_mem"), "1\n1MB");
  }
  assert.match(await server.createDatabase("other"), /\/other$/);
});
