/**
 * A gateway with a time-stamp authority of openssl's, from its configuration to the command that
 * `anchors --save` prints: what is published is anchored, shown, verified offline and saved, also
 * when the authority was away and the gateway was killed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { parseCoseReceipt } from "../../src/format/cose_receipt.ts";
import { parseVkey } from "../../src/format/note_key.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { foreignAccepts } from "../verify/foreign_receipts.ts";
import { run, Server } from "../scenarios/program.ts";
import { served } from "../transport/fixture.ts";
import { OpensslAuthority } from "./openssl_authority.ts";
import { runTool } from "./tools.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const NETWORK = "data/network/network.json";
const ROOT = ["--anchor-root", "rfc3161=root.pem", "--require-anchor", "rfc3161"];

/** The gateway of a folder, and a user in it. */
class Site implements AsyncDisposable {
  readonly folder: string;
  #gateway: { readonly server: Server; readonly url: string } | undefined;

  constructor(folder: string) {
    this.folder = folder;
  }

  get url(): string {
    return this.#gateway!.url;
  }

  async start(): Promise<void> {
    const args = ["serve", "--data", "data", "--port", "0"];
    const { server, match } = await Server.start(args, READY, { cwd: this.folder });
    this.#gateway = { server, url: match[1]! };
  }

  async kill(): Promise<void> {
    await this.#gateway?.server.kill();
    this.#gateway = undefined;
  }

  /** Runs a command, which has to succeed; answers its standard output. */
  async client(...args: readonly string[]): Promise<string> {
    const gateway = this.#gateway === undefined ? [] : ["--gateway", this.url];
    const { code, stdout, stderr } = await run([...args, ...gateway], { cwd: this.folder });
    assert.equal(code, 0, `${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  }

  /** The hash of a new file's content, once it is batched. */
  async stamp(name: string): Promise<string> {
    await Deno.writeTextFile(join(this.folder, name), name);
    const said = await this.client("stamp", "--wait-batched", name, "--output", "json");
    return JSON.parse(said).results[0].hash;
  }

  async anchorsOf(hash: string): Promise<unknown[]> {
    return await (await fetch(`${this.url}/v1/anchors/${hash}`)).json();
  }

  async untilAnchored(hash: string): Promise<void> {
    const end = Date.now() + 180_000;
    while ((await this.anchorsOf(hash)).length === 0) {
      assert.ok(Date.now() < end, "the head is anchored in time");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/**
 * Verifies what `stamp --proofs all` wrote beside `name` with programs of others: openssl by `command`,
 * and a COSE library. The last byte of each file is signed.
 */
async function checkOtherFormats(folder: string, name: string, command: string): Promise<void> {
  const file = (format: string) => join(folder, `${name}.countersign.${format}`);
  const flipLast = async (path: string) => {
    const bytes = await Deno.readFile(path);
    bytes[bytes.length - 1]! ^= 1;
    await Deno.writeFile(path, bytes);
  };
  const network = JSON.parse(
    await Deno.readTextFile(join(folder, "data/network/network.public.json")),
  );
  const { publicKey } = parseVkey(network.log_vkey);
  const { entry } = parseCoseReceipt(await Deno.readFile(file("cose")));
  const accepts = async () =>
    await foreignAccepts(publicKey, await Deno.readFile(file("cose")), { entry: entry! });
  assert.equal(await accepts(), true);
  await flipLast(file("cose"));
  assert.equal(await accepts(), false);

  const beside = command.replaceAll("proofs/", `${name}.countersign.anchors/`);
  assert.notEqual(beside, command);
  const openssl = () =>
    runTool("bash", ["-euc", beside.replace("roots.pem", "root.pem")], { cwd: folder });
  const verified = await openssl();
  assert.match(verified.stdout, /^Verification: OK$/m, verified.stderr);
  const names = await Array.fromAsync(Deno.readDir(file("anchors")), (entry) => entry.name);
  const token = names.find((name) => !name.endsWith(".checkpoint"))!;
  await flipLast(join(file("anchors"), token));
  assert.notEqual((await openssl()).code, 0, "the command looks at the token");

  const policy = join(folder, "policy.txt");
  await Deno.writeTextFile(policy, policyText(network)!);
  const offline = ["verify-proof", "--policy", policy, file("tlog-proof"), "--file", name];
  assert.match((await run(offline, { cwd: folder })).stdout, /^VALID$/m);
}

Deno.test("what a gateway publishes is anchored with openssl's authority, and openssl verifies what is saved", async () => {
  await using opened = new AsyncDisposableStack();
  const folder = await Deno.makeTempDir();
  opened.defer(() => Deno.remove(folder, { recursive: true }));
  const authority = opened.use(
    await OpensslAuthority.create({
      key: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"],
      hasIntermediate: false,
      settings: ["signer_digest = sha256", "ess_cert_id_alg = sha256"],
    }),
  );
  await Deno.writeFile(join(folder, "root.pem"), await authority.root());
  await Deno.mkdir(join(folder, "data/network"), { recursive: true });
  let isAway = false;
  const respond = async (request: Request) => {
    const query = new Uint8Array(await request.arrayBuffer());
    if (isAway) return new Response("", { status: 503 });
    return new Response(await authority.reply(query), {
      headers: { "content-type": "application/timestamp-reply" },
    });
  };
  await served(respond, async (url) => {
    await using site = new Site(folder);
    await site.start();
    await site.kill();
    const network = JSON.parse(await Deno.readTextFile(join(folder, NETWORK)));
    const anchors = [{
      ...{ provider: "rfc3161", mode: "required", interval_seconds: 0, max_delay_seconds: 60 },
      ...{ url, roots_file: join(folder, "root.pem") },
    }];
    await Deno.writeTextFile(join(folder, NETWORK), JSON.stringify({ ...network, anchors }));

    await site.start();
    const first = await site.stamp("first.txt");
    await site.untilAnchored(first);

    // Killed while the authority is away: the next run finds what is to be done.
    isAway = true;
    const second = await site.stamp("second.txt");
    assert.deepEqual(await site.anchorsOf(second), []);
    await site.kill();
    await site.start();
    assert.equal((await site.anchorsOf(first)).length, 1, "what was stored is shown");
    isAway = false;
    await site.untilAnchored(second);

    for (const [name, hash] of [["first", first], ["second", second]] as const) {
      await Deno.writeTextFile(join(folder, `${name}.json`), await site.client("bundle", hash));
    }
    const saved = await site.client("anchors", second, "--save", "proofs");
    await site.client("network", "--pin");
    await site.client("stamp", "second.txt", "--proofs", "all");
    await site.kill();

    for (const name of ["first", "second"]) {
      const said = await site.client(
        ...["verify-proof", "--bundle", `${name}.json`, "--file", `${name}.txt`],
        ...["--network-config", "data/network/network.public.json", ...ROOT],
      );
      assert.match(said, /^VALID \(Batched\)$/m);
      assert.match(said, /^external anchor of rfc3161, .*: verified, not after \S+Z \(RFC 3161/m);
      assert.match(said, /^ {2}not after \S+Z: RFC 3161 token of .*, according to the roots/m);
    }

    const [, command = ""] = /^ {2}verify: (openssl ts .*)$/m.exec(saved) ?? [];
    const openssl = (roots: string) =>
      runTool("bash", ["-euc", command.replace("roots.pem", roots)], { cwd: folder });
    const verified = await openssl("root.pem");
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /^Verification: OK$/m);
    await checkOtherFormats(folder, "second.txt", command);
    const [checkpoint] = saved.match(/proofs\/\S+\.checkpoint/) ?? [];
    await Deno.writeTextFile(join(folder, checkpoint!), "another\n1\n\n");
    assert.notEqual((await openssl("root.pem")).code, 0, "the command looks at the checkpoint");
  });
});
