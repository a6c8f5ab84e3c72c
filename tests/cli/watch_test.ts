import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { join } from "node:path";
import { CommandContext } from "../../src/cli/command_context.ts";
import { watchEvents, type WatchOptions } from "../../src/cli/watch_command.ts";
import { systemClock } from "../../src/base/clock.ts";
import { portableBls } from "../../src/proof/crypto/portable_bls.ts";
import { until } from "../gateway/fixture.ts";
import { type EventServer, withEvents } from "../http/event_clients.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { withClient } from "./client_run.ts";

/** One run of the command, until it is stopped. */
class Watching {
  readonly io: CapturedIo;
  readonly code: Promise<number>;
  readonly #stop = new AbortController();

  constructor(
    { listener: { url } }: EventServer,
    options: Partial<WatchOptions> = {},
    output: "text" | "json" = "text",
    folder = ".",
  ) {
    this.io = new CapturedIo({ folder });
    const context = new CommandContext(
      {
        io: this.io,
        clock: systemClock,
        columns: undefined,
        showsProgress: false,
        stdin: () => ReadableStream.from([]),
        dropPermissions: () => {},
      },
      { output, gateways: [url] },
      portableBls,
    );
    this.code = watchEvents({ types: [], ...options }, context, this.#stop.signal);
  }

  async printed(count: number): Promise<string[]> {
    await until(() => this.io.outLines.length >= count);
    return this.io.outLines;
  }

  /** Stops it; the cursor that it ends with. */
  async stop(): Promise<string> {
    this.#stop.abort();
    assert.equal(await this.code, 0);
    const resumed = /^countersign: Resume with: countersign watch .*--after (\S+) --gateway /;
    return resumed.exec(this.io.errLines.at(-1) ?? "")?.[1] ?? "";
  }
}

Deno.test("watch prints one event per line, as text or JSON, and the cursor to resume from", async () => {
  await withEvents(async (server) => {
    const people = new Watching(server, { after: "v1.0.0.0.0.0" });
    const program = new Watching(server, { after: "v1.0.0.0.0.0" }, "json");
    const [hash] = await server.publish(1);
    server.anchors.add("cross_anchor.added");
    const lines = await people.printed(5);
    assert.match(lines[0]!, new RegExp(`^\\S+Z  attestation.accepted   ${hash}  #0$`));
    assert.match(lines[1]!, new RegExp(`^\\S+Z  attestation.confirmed  ${hash}  #0$`));
    assert.match(
      lines[2]!,
      /^\S+Z {2}batch\.closed {11}size 1 {2}root [0-9a-f]{64} {2}1 attestation$/,
    );
    assert.match(lines[3]!, /^\S+Z {2}sth\.published {10}size 1 {2}root [0-9a-f]{64}$/);
    const events = (await program.printed(5)).map((line) => JSON.parse(line));
    assert.deepEqual(events.map(({ type }) => type).slice(0, 4), [
      "attestation.accepted",
      "attestation.confirmed",
      "batch.closed",
      "sth.published",
    ]);
    const cursor = await people.stop();
    assert.equal(cursor, events.at(-1).id);
    assert.equal(await program.stop(), cursor);
    assert.match(program.io.errLines.at(-1)!, / --output json$/);
    assert.doesNotMatch(people.io.errLines.at(-1)!, /--output/);
    // The next run goes on there.
    const next = new Watching(server, { after: cursor, types: ["sth.published"] });
    await server.publish(1);
    assert.match((await next.printed(1))[0]!, /sth\.published {10}size 2/);
    assert.equal((await next.stop()).split(".")[4], "2");
  });
});

Deno.test("watch fails if the gateway is unreachable or the cursor is invalid", async () => {
  await withClient(async (client) => {
    const unreachable = await client.runJson(["watch"]);
    assert.equal(unreachable.code, 1);
    assert.equal(unreachable.json.error.code, "gateway_unreachable");
    const { stderr } = await client.run(["watch", "--after", "v1.0.0.0.0.0"]);
    assert.doesNotMatch(stderr, /Resume/);
    assert.equal((await client.run(["watch", "--type", "nothing"])).code, 2);
    await withEvents(async (server) => {
      client.gateway = server.listener.url;
      const wrong = await client.runJson(["watch", "--after", "yesterday"]);
      assert.equal(wrong.code, 1);
      assert.equal(wrong.json.error.code, "gateway_refused");
      assert.equal(
        wrong.json.error.message,
        'Cannot resume after "yesterday": it is no cursor. --after needs a cursor that watch printed',
      );
      await client.write("cursor", "tomorrow\n");
      const kept = await client.run(["watch", "--resume", "cursor"]);
      assert.equal(kept.code, 1);
      assert.match(kept.stderr, /after "tomorrow": it is no cursor\. "cursor" must have a cursor/);
    });
  });
});

/** A receiver of webhooks that answers with `statuses` in turn, then with 200. */
class Receiver implements AsyncDisposable {
  readonly bodies: string[] = [];
  readonly signatures: (string | null)[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(statuses: number[]) {
    this.#server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      async (request) => {
        this.bodies.push(await request.text());
        this.signatures.push(request.headers.get("Countersign-Signature"));
        return new Response(null, { status: statuses.shift() ?? 200 });
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/hook?of=log`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

Deno.test("watch --webhook posts each event in order, signed, until it is accepted, and resumes", async () => {
  await inFolder(async (folder) => {
    const secret = "webhook-secret-0123456789abcdef";
    await Deno.writeTextFile(join(folder, "secret"), `${secret}\n`, { mode: 0o600 });
    await Deno.writeTextFile(join(folder, "cursor"), "v1.0.0.0.0.0\n");
    const types = ["batch.closed", "sth.published"] as const;
    await withEvents(async (server) => {
      await using receiver = new Receiver([500]);
      const watch = () =>
        new Watching(
          server,
          { types: [...types], webhook: receiver.url, webhookSecret: "secret", resume: "cursor" },
          "json",
          folder,
        );
      const first = watch();
      await server.publish(1);
      const lines = await first.printed(2);
      await first.stop();
      const cursor = JSON.parse(lines[1]!).id;
      assert.deepEqual(receiver.bodies, [lines[0], lines[0], lines[1]]);
      for (const [index, body] of receiver.bodies.entries()) {
        const hmac = createHmac("sha256", secret).update(body).digest("hex");
        assert.equal(receiver.signatures[index], `sha256=${hmac}`);
      }
      assert.match(first.io.errLines[0]!, /Webhook failed: status 500; trying again/);
      assert.match(first.io.errLines[1]!, /Webhook works again/);
      assert.equal(await Deno.readTextFile(join(folder, "cursor")), `${cursor}\n`);

      await server.publish(1);
      const next = watch();
      const [closed, published] = (await next.printed(2)).map((line) => JSON.parse(line));
      assert.deepEqual([closed.type, published.data.tree_size ?? 2], ["batch.closed", 2]);
      await next.stop();
      assert.equal(await Deno.readTextFile(join(folder, "cursor")), `${published.id}\n`);
      // Its URL may be a secret.
      const again = "countersign: Resume with the same --webhook and --resume cursor";
      assert.equal(next.io.errLines.at(-1), again);
      assert.equal(receiver.bodies.length, 5);
    });
  });
});

Deno.test("watch --webhook stopped before a delivery does not pass the event", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "secret"), "s".repeat(24), { mode: 0o600 });
    await Deno.writeTextFile(join(folder, "cursor"), "v1.0.0.0.0.0\n");
    await withEvents(async (server) => {
      await using receiver = new Receiver(Array(100).fill(503));
      const types = ["sth.published" as const];
      const options = { types, webhook: receiver.url, webhookSecret: "secret", resume: "cursor" };
      const watching = new Watching(server, options, "json", folder);
      await server.publish(1);
      await until(() => receiver.bodies.length > 0);
      await watching.stop();
      assert.deepEqual(watching.io.outLines, []);
      const { id } = JSON.parse(receiver.bodies[0]!);
      assert.notEqual((await Deno.readTextFile(join(folder, "cursor"))).trim(), id);
    });
  });
});

Deno.test("watch --webhook needs a URL and a secret of 24 characters", async () => {
  await withClient(async (client) => {
    assert.equal((await client.run(["watch", "--webhook", "ftp://example"])).code, 2);
    const missing = await client.runJson(["watch", "--webhook", "https://example/"]);
    assert.equal(missing.json.error.code, "invalid_configuration");
  });
});
