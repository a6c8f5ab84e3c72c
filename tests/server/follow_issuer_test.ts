/** A gateway that follows the keys of an issuer, both as their operators run them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { FOLLOW_PERIOD_MS, IssuerFollower } from "../../src/gateway/tokens/issuer_follower.ts";
import { TokenCheck } from "../../src/gateway/tokens/token_check.ts";
import { TokenIssuers } from "../../src/gateway/tokens/token_issuers.ts";
import { bytesOfBase64Url } from "../../src/base/bytes.ts";
import { FollowedDirectory } from "../../src/server/gateway/admission_rules.ts";
import { serveIssuer } from "../../src/server/issuer/issuer_server.ts";
import { IssuerKeys } from "../../src/server/issuer/issuer_folder.ts";
import { unixSeconds } from "../../src/base/clock.ts";
import { parseIssuerNode } from "../../src/config/issuer_node.ts";
import { encodeTokenText } from "../../src/proof/format/privacy_pass.ts";
import { encodeIssuerDirectory } from "../../src/proof/format/issuer_directory.ts";
import { TOKEN_MEDIA_TYPE } from "../../src/proof/format/token_issuance.ts";
import { TOKEN_REQUEST_PATH } from "../../src/http/issuer/issuer_app.ts";
import { Issuer } from "../../src/gateway/tokens/issuer.ts";
import { orderToken } from "../../src/client/token_fetch.ts";
import { FakeClock } from "../fake_clock.ts";
import { LogLines } from "../log_lines.ts";
import { memoryStore, TestNetwork, until } from "../gateway/fixture.ts";
import { AppClient, assertProblem, randomHashes } from "../http/gateway_server.ts";
import { served } from "../http/outgoing/fixture.ts";
import { CapturedIo, inFolder } from "./captured_io.ts";
import { freePorts } from "../free_ports.ts";
import { Client } from "../cli/client_run.ts";
import { jsonOf, ServedNetwork } from "./served_network.ts";

const HALF_HOUR_MS = 1_800_000;
const HOURS = 3_600;
/** Longer than any answer takes. */
const PATIENCE_MS = 600_000;

const NODE = {
  name: "issuer.example",
  api_keys: [],
  work: { bits: 1 },
  rotation: { lifetime_seconds: 24 * HOURS, overlap_seconds: 3 * HOURS },
};

async function writeIssuer(folder: string): Promise<void> {
  await Deno.mkdir(join(folder, "keys"), { recursive: true });
  await Deno.writeTextFile(join(folder, "issuer.json"), JSON.stringify(NODE));
}

Deno.test("a gateway accepts tokens of each key for the key's whole period", () =>
  inFolder(async (folder) => {
    await writeIssuer(folder);
    const clock = new FakeClock();
    const node = parseIssuerNode(JSON.stringify(NODE), join(folder, "issuer.json"));
    const keys = await IssuerKeys.open({ folder, node, clock });
    const { name } = node;
    const issuer = new Issuer({ name, requestUri: TOKEN_REQUEST_PATH, clock });
    const rotate = async () => {
      await keys.rotate();
      issuer.useKeys(keys.ready());
    };
    await rotate();

    const network = new TestNetwork();
    const issuers = new TokenIssuers(
      network.network.id,
      [{ name, keys: [] }],
      clock,
    );
    const { gateway } = await network.start(await memoryStore(), { spendsTokens: true });
    const tokens = new TokenCheck(issuers, clock);
    const client = new AppClient(gateway, undefined, {
      admission: { mode: "token_required", tokens },
    });
    const offered = async () => {
      const { issuers: [offer] } = await (await client.get("/v1/admission")).json();
      return offer;
    };
    /** A token under the key that the issuer prefers now. */
    const newToken = async () => {
      const [{ tokenKey } = assert.fail()] = issuer.directory().tokenKeys
        .filter(({ notBefore = 0 }) => notBefore <= unixSeconds(clock));
      const challenge = bytesOfBase64Url((await offered()).challenge)!;
      const order = orderToken({ challenge, tokenKey });
      return encodeTokenText(order.finish(issuer.issue(order.request)));
    };
    const submit = (token: string | null) =>
      client.post("/v1/attestations", { hash: randomHashes(1)[0], issuer_token: token });
    /** How many keys a refusal challenges for. */
    const challenged = async () => {
      const response = await submit(null);
      await assertProblem(response.clone(), "token_required");
      return response.headers.get("WWW-Authenticate")?.match(/token-key=/g)?.length ?? 0;
    };

    const log = new LogLines();
    const stop = new AbortController();
    const handler = () =>
      new Response(encodeIssuerDirectory(issuer.directory()), {
        headers: { "Content-Type": TOKEN_MEDIA_TYPE.directory },
      });
    await served(handler, async (url) => {
      const follower = new IssuerFollower({
        source: new FollowedDirectory({
          url: new URL(url),
          path: join(folder, "kept.json"),
          timeoutMs: PATIENCE_MS,
        }),
        name,
        issuers,
        clock,
        random: () => 0,
        accepted: () => {},
        report: log.report,
      });
      const later = async (hours: number) => {
        for (let i = 0; i < hours; i++) {
          await clock.advance(FOLLOW_PERIOD_MS);
          await until(() => clock.sleeping === 1);
        }
      };
      const unread = await submit(null);
      assert.equal(unread.headers.get("Retry-After"), "30");
      await assertProblem(unread, "issuer_unreachable");
      assert.equal(await offered(), undefined);
      // It asks at half past, and the issuer changes at the full hour.
      await clock.advance(HALF_HOUR_MS);
      const running = follower.run(stop.signal);
      await until(() => clock.sleeping === 1);
      assert.equal((await submit(await newToken())).ok, true);
      const [early, late, tooLate] = [await newToken(), await newToken(), await newToken()];

      // The next key is published before its time.
      await later(21);
      await rotate();
      await later(1);
      assert.equal((await offered()).token_keys.length, 2);
      assert.equal(await challenged(), 1);
      // It signs, and what was issued before is as good as it was.
      await later(2);
      assert.equal(await challenged(), 2);
      const next = await newToken();
      assert.notEqual(next.slice(88, 132), early.slice(88, 132));
      assert.equal((await submit(next)).ok, true);
      assert.equal((await submit(early)).ok, true);
      // The overlap ends: what is not seen yet still holds, and then no more.
      await later(2);
      await clock.advance(HALF_HOUR_MS);
      await rotate();
      assert.equal(issuer.directory().tokenKeys.length, 1);
      assert.equal((await submit(late)).ok, true);
      await clock.advance(HALF_HOUR_MS);
      await until(() => clock.sleeping === 1);
      assert.equal((await offered()).token_keys.length, 1);
      await assertProblem(await submit(tooLate), "token_invalid");
      assert.equal((await submit(await newToken())).ok, true);
      stop.abort();
      await running;
      assert.ok(log.lines.every(({ level }) => level === "info"), JSON.stringify(log.lines));
    });
    await gateway.stop();
  }));

/** Where an issuer can be reached at one URL, whenever it is there. */
class IssuerSite {
  readonly #root: string;
  #url: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  readonly handler = async (request: Request): Promise<Response> => {
    if (this.#url === undefined) return new Response(null, { status: 503 });
    const { pathname } = new URL(request.url);
    const { method, headers } = request;
    const body = method === "POST" ? await request.arrayBuffer() : null;
    return await fetch(this.#url + pathname, { method, headers, body });
  };

  /** Serves the issuer while `use` runs. */
  async serve(use: () => Promise<void>, rotate = false): Promise<void> {
    const io = new CapturedIo({ folder: this.#root });
    const stop = new AbortController();
    const options = { data: "issuer", host: "127.0.0.1", port: 0, rotate };
    const over = serveIssuer(options, io, stop.signal);
    try {
      await Promise.race([io.printed(/ on http:\S+/), over]);
      this.#url = / on (http:\S+)/.exec(io.stdout)?.[1];
      await use();
    } finally {
      this.#url = undefined;
      stop.abort();
      await over;
    }
  }
}

Deno.test("a gateway follows an issuer, and continues while the issuer is unreachable", () =>
  inFolder(async (root) => {
    await writeIssuer(join(root, "issuer"));
    const network = await ServedNetwork.create(root, "follow.example");
    const client = new Client(root);
    for (let i = 0; i < 3; i++) await client.write(`file${i}`, `${i} of ${root}`);
    const stamp = async (url: string, file: string) => {
      client.gateway = url;
      const stamped = await client.run(["stamp", file]);
      assert.equal(stamped.code, 0, stamped.stderr);
    };
    const keysAt = async (url: string): Promise<string[]> =>
      (await jsonOf(url, "/v1/admission")).issuers.flatMap(
        (issuer: { token_keys: { token_key_id: string }[] }) =>
          issuer.token_keys.map(({ token_key_id }) => token_key_id),
      );
    const site = new IssuerSite(root);
    // Tokens belong to the URL of a gateway.
    const port = freePorts(1);
    await served(site.handler, async (url) => {
      const issuer = { name: NODE.name, url, follow: true };
      await network.configure({ admission: { mode: "token_required", issuers: [issuer] } });
      let before: string[] = [];
      await site.serve(() =>
        network.serve(async (gateway) => {
          await until(async () => (await keysAt(gateway.url)).length === 1);
          before = await keysAt(gateway.url);
          client.gateway = gateway.url;
          const fetched = await client.run(["token", "--count", "3"]);
          assert.equal(fetched.code, 0, fetched.stderr);
          await stamp(gateway.url, "file0");
          assert.deepEqual(gateway.io.errLines.filter((line) => /Cannot/.test(line)), []);
        }, { port })
      );
      await network.serve(async (gateway) => {
        assert.deepEqual(await keysAt(gateway.url), before);
        await stamp(gateway.url, "file1");
        await until(() => gateway.io.errLines.some((line) => /Cannot.*503/.test(line)));
      }, { port });
      await site.serve(() =>
        network.serve(async (gateway) => {
          await until(async () => (await keysAt(gateway.url)).length === 2);
          assert.ok((await keysAt(gateway.url)).includes(before[0]!));
          await stamp(gateway.url, "file2");
        }, { port }), true);
    });
    const file = join(network.folder, "data", "issuer-issuer.example.json");
    assert.equal((await Deno.stat(file)).mode! & 0o777, 0o600);
  }));

Deno.test("a gateway that has never reached its issuer answers 503, and is not ready", () =>
  inFolder(async (root) => {
    const network = await ServedNetwork.create(root, "away.example");
    const site = new IssuerSite(root);
    await served(site.handler, async (url) => {
      const issuer = { name: NODE.name, url, follow: true };
      await network.configure({ admission: { mode: "token_required", issuers: [issuer] } });
      await network.serve(async (gateway) => {
        const response = await fetch(`${gateway.url}/v1/attestations`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ hash: "ab".repeat(32) }),
        });
        assert.equal(response.headers.get("Retry-After"), "30");
        const { detail } = await response.clone().json();
        await assertProblem(response, "issuer_unreachable");
        assert.ok(detail.includes(NODE.name));
        const { reasons } = await jsonOf(gateway.operatorUrl, "/ready");
        assert.deepEqual(reasons.map(({ code }: { code: string }) => code), ["issuer_unreachable"]);
        const metrics = await (await fetch(`${gateway.operatorUrl}/metrics`)).text();
        assert.match(metrics, /unready\{code="issuer_unreachable"\} 1/);
      }, { operatorPort: 0 });
    });
  }));
