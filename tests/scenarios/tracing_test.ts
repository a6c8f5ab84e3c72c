/** Traces over processes: of a request, through its round, to a witness in another process. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { inFolder } from "../server/captured_io.ts";
import { until } from "../gateway/fixture.ts";
import { IS_LONG } from "../long_runs.ts";
import { bls } from "../schemes.ts";
import { Server } from "./program.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const HASH = "ab".repeat(32);

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly scope: string;
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const membersOf = (attributes: readonly KeyValue[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** A collector of OTLP over HTTP that keeps what it is sent, JSON (OTLP 1 section "OTLP/HTTP"). */
class Collector implements AsyncDisposable {
  readonly spans: Span[] = [];
  requests = 0;
  readonly #server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      this.requests++;
      const body = await request.json();
      for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
        const service = String(membersOf(resource.attributes)["service.name"]);
        for (const { scope, spans } of scopeSpans) {
          for (const span of spans) {
            const attributes = membersOf(span.attributes);
            this.spans.push({ ...span, attributes, service, scope: scope.name });
          }
        }
      }
      return Response.json({});
    },
  );

  /** The environment of a process that exports to this collector, when `isOn`. */
  environment(service: string, isOn: boolean): Record<string, string> {
    return {
      ...(isOn && { OTEL_DENO: "true" }),
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      OTEL_SERVICE_NAME: service,
      OTEL_BSP_SCHEDULE_DELAY: "50",
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Runs the program as the tasks do: it reads no variable, but for those that the runtime reads. */
function start(args: readonly string[], ready: RegExp, env: Record<string, string>) {
  const flags = ["--no-prompt", "--allow-net", "--allow-read", "--allow-write"];
  const allowed = "--allow-env=COUNTERSIGN_TOKEN_*,NO_COLOR,TERM";
  return Server.spawn(
    new Deno.Command(Deno.execPath(), {
      args: ["run", ...flags, allowed, "--ignore-env", MAIN, ...args],
      env,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }),
    ready,
  );
}

/** Has `HASH` attested by a gateway and a witness in processes of their own, then ends both. */
async function attest(
  folder: string,
  collector: Collector,
  { isOn, fronts }: { readonly isOn: boolean; readonly fronts: number },
  observed: () => Promise<void> | void = () => {},
): Promise<string> {
  const { networkFile, witnessFiles: [witnessFile] } = await createNetwork({
    witnesses: 1,
    threshold: 1,
    scheme: "ed25519",
    kind: "remote",
    basePort: 8091,
    out: `${folder}/network`,
  }, bls);
  const edit = async (file: string, change: (text: string) => string) =>
    await Deno.writeTextFile(file, change(await Deno.readTextFile(file)));
  await edit(witnessFile!, (text) => text.replace('"port": 8091', '"port": 0'));
  const witness = await start(
    ["witness", witnessFile!],
    / on (http:\S+)/,
    collector.environment("witness", isOn),
  );
  await using _witness = witness.server;
  await edit(networkFile, (text) => text.replace("http://127.0.0.1:8091", witness.match[1]!));
  const gateway = await start(
    [
      "serve",
      "--config",
      networkFile,
      "--data",
      `${folder}/data`,
      "--port",
      "0",
      "--event-sockets-port",
      "0",
      "--fronts",
      String(fronts),
    ],
    / on (http:\S+)/,
    collector.environment("gateway", isOn),
  );
  await using _gateway = gateway.server;
  const answer = await fetch(`${gateway.match[1]}/v1/attestations`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Prefer": "wait=30" },
    body: JSON.stringify({ hash: HASH }),
  });
  // A late witness ends the wait.
  assert.ok([200, 202].includes(answer.status), await answer.clone().text());
  await answer.body?.cancel();
  await observed();
  for (const { server } of [gateway, witness]) assert.equal(await server.stop(), 0, server.stderr);
  return (await Deno.readTextFile(networkFile)).match(/"token": "([^"]+)"/)![1]!;
}

/** The spans from `span` up to the first of its trace that is known. */
function pathTo(span: Span, spans: readonly Span[]): string[] {
  const path: string[] = [];
  for (let at: Span | undefined = span; at !== undefined;) {
    path.unshift(`${at.service}: ${at.name}`);
    const { traceId, parentSpanId }: Span = at;
    at = spans.find((other) => other.traceId === traceId && other.spanId === parentSpanId);
  }
  return path;
}

// With a front, a trace passes one thread more.
for (const fronts of IS_LONG ? [0, 1] : [1]) {
  Deno.test(`--fronts ${fronts}: one trace contains a request, its round and the witness's work`, () =>
    inFolder(async (folder) => {
      await using collector = new Collector();
      const { spans } = collector;
      const named = (name: string) => spans.filter((span) => span.name === name);
      const token = await attest(
        folder,
        collector,
        { isOn: true, fronts },
        () =>
          until(() =>
            ["POST /v1/sign", "POST /v1/attestations", "countersign round"].every((name) =>
              named(name).length > 0
            ) && named("countersign publish_head").length > 0
          ),
      );
      const signed = named("POST /v1/sign").map((span) => pathTo(span, spans).join(", "));
      // A machine that stands still for seconds has a round put to the witness again.
      assert.ok(
        signed.includes(
          "gateway: POST /v1/attestations, gateway: countersign round, gateway: countersign sign, " +
            "gateway: POST, witness: POST /v1/sign",
        ),
        signed.join("\n"),
      );
      for (const name of ["commit", "grow_tree", "cosign_head", "publish_head"]) {
        const ours = named(`countersign ${name}`).map((span) => pathTo(span, spans)[0]);
        assert.ok(ours.includes("gateway: POST /v1/attestations"), `${name}: ${ours}`);
      }
      // Of our own spans nothing says more than counts and ids.
      for (const { name, scope, attributes } of spans) {
        const said = JSON.stringify(attributes);
        assert.ok(!said.includes(token) && !said.includes(HASH), `${name}: ${said}`);
        if (scope === "countersign") assert.doesNotMatch(said, /127\.0|[0-9a-f]{16}/, name);
      }
    }));
}

Deno.test("no trace is exported unless tracing is on", () =>
  inFolder(async (folder) => {
    await using collector = new Collector();
    await attest(folder, collector, { isOn: false, fronts: 1 });
    assert.equal(collector.requests, 0);
  }));
