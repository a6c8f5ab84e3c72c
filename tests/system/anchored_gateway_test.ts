/**
 * A gateway with a time-stamp authority of openssl's, from its configuration to the command that
 * `anchors --save` prints: what is published is anchored, shown, verified offline and saved, also
 * when the authority was away and the gateway was killed.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { encodeEntryBody } from "../../src/gateway/anchors/rekor/entry.ts";
import { decodeSpki } from "../../src/gateway/anchors/rekor/keys.ts";
import { type Bytes, textOf } from "../../src/base/bytes.ts";
import { TestCalendar } from "../gateway/anchors/opentimestamps/test_calendar.ts";
import { secondLog, submitterPem } from "../gateway/anchors/rekor/test_log.ts";
import { run, Server } from "../scenarios/program.ts";
import { served } from "../http/outgoing/fixture.ts";
import { OpensslAuthority } from "./openssl_authority.ts";
import {
  acceptedOtsFlips,
  canonical,
  checkFlips,
  pendingAttestation,
  receiptVerifier,
  rekorVerifier,
  signedMembers,
  signedPositions,
  tlogProofVerifier,
  tokenVerifier,
} from "./standard_proofs.ts";
import { createTrial } from "./postgres_trial.ts";
import { runTool } from "./tools.ts";

const READY = /^Countersign gateway of \S+ on (http:\/\/\S+)$/m;
const NETWORK = "data/network/network.json";
const SERVICES = 3;
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

  async anchorsOf(hash: string): Promise<{ readonly status: string }[]> {
    return await (await fetch(`${this.url}/v1/anchors/${hash}`)).json();
  }

  /** Until each service has anchored it; the proofs of all but calendars are then complete. */
  async untilAnchored(hash: string, isComplete = false): Promise<void> {
    const end = Date.now() + 180_000;
    const isAnchored = (anchors: readonly { readonly status: string }[]) =>
      anchors.length === SERVICES &&
      (!isComplete || anchors.every(({ status }) => status === "confirmed"));
    while (!isAnchored(await this.anchorsOf(hash))) {
      assert.ok(Date.now() < end, "the head is anchored in time");
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

/** Block headers, by height, of a calendar that puts each commitment into a block at once. */
function confirming(calendar: TestCalendar): ReadonlyMap<number, Bytes> {
  const headers = new Map<number, Bytes>();
  calendar.lie = (honest) => {
    // Heights of which the reference's own client reads the path too.
    const height = 900_000 + 2 * headers.size;
    if (honest.ok) headers.set(height, calendar.confirm(height, Math.floor(Date.now() / 1000)));
    return honest;
  };
  return headers;
}

async function logEntry(request: Request): Promise<Response> {
  const { hashedRekordRequestV002: { digest, signature } } = await request.json();
  const body = encodeEntryBody(secondLog.version, {
    digest: Uint8Array.fromBase64(digest),
    signature: Uint8Array.fromBase64(signature.content),
    publicKey: decodeSpki(Uint8Array.fromBase64(signature.verifier.publicKey.rawBytes))!.publicKey,
  });
  return Response.json(secondLog.answer(secondLog.entry(body)), { status: 201 });
}

/** Verifies the files that `stamp --proofs all` wrote beside `name` with programs of others. */
async function checkStandardProofs(
  folder: string,
  name: string,
  { root, headers }: { readonly root: Bytes; readonly headers: ReadonlyMap<number, Bytes> },
): Promise<void> {
  const path = (format: string) => join(folder, `${name}.countersign.${format}`);
  const read = (format: string) => Deno.readFile(path(format));
  const network = JSON.parse(
    await Deno.readTextFile(join(folder, "data/network/network.public.json")),
  );
  const log: string = network.log_vkey;

  const proof = await read("tlog-proof");
  const cosigners = network.witnesses.filter(({ id }: { id: string }) =>
    textOf(proof).includes(`\n\u2014 ${id} `)
  );
  assert.ok(cosigners.length >= network.threshold);
  const witnesses = cosigners.map(({ vkey }: { vkey: string }) => vkey);
  const accepts = tlogProofVerifier(folder, { log, witnesses });
  await checkFlips(proof, accepts, (changed) => canonical(changed) === canonical(proof), 3);
  await checkFlips(await read("cose"), receiptVerifier(log), () => false);

  const names = await Array.fromAsync(Deno.readDir(path("anchors")), (file) => file.name);
  const anchor = (extension: string) => {
    const found = names.filter((one) => one.endsWith(extension));
    assert.equal(found.length, 1, names.join());
    return Deno.readFile(join(path("anchors"), found[0]!));
  };
  const checkpoint = await anchor(".checkpoint");
  const token = await anchor(".tsr");
  const signed = await signedPositions(folder, token, root);
  const ofToken = tokenVerifier(checkpoint, root);
  await checkFlips(token, ofToken, (_, position) => !signed.has(position), 5);

  const ots = await anchor(".ots");
  const { start, end } = pendingAttestation(ots);
  for (const position of await acceptedOtsFlips(folder, ots, { checkpoint, headers })) {
    assert.ok(position >= start && position < end, `the byte at ${position} of ${ots.length}`);
  }

  const bundle = await anchor(".sigstore.json");
  const pem = textOf(await anchor(".sigstore.json.pub"));
  const ofEntry = rekorVerifier(checkpoint, textOf(secondLog.trustedRoot()), pem);
  const members = signedMembers(bundle);
  await checkFlips(
    bundle,
    ofEntry,
    (changed) => isDeepStrictEqual(signedMembers(changed), members),
  );
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
  const calendar = opened.use(new TestCalendar());
  const headers = confirming(calendar);
  await Deno.writeTextFile(join(folder, "rekor.pem"), await submitterPem());
  await Deno.writeFile(join(folder, "rekor.json"), secondLog.trustedRoot());
  let isAway = false;
  const respond = async (request: Request) => {
    if (isAway) return new Response("", { status: 503 });
    if (new URL(request.url).pathname.endsWith("/log/entries")) return await logEntry(request);
    const query = new Uint8Array(await request.arrayBuffer());
    return new Response(await authority.reply(query), {
      headers: { "content-type": "application/timestamp-reply" },
    });
  };
  await served(respond, async (url) => {
    await using site = new Site(folder);
    await createTrial(folder);
    const network = JSON.parse(await Deno.readTextFile(join(folder, NETWORK)));
    const always = { interval_seconds: 0, max_delay_seconds: 60 };
    const anchors = [
      {
        provider: "rfc3161",
        mode: "required",
        ...always,
        url,
        roots_file: join(folder, "root.pem"),
      },
      {
        provider: "opentimestamps",
        mode: "best_effort",
        ...always,
        calendars: [calendar.url],
      },
      {
        provider: "rekor",
        mode: "best_effort",
        ...always,
        url: `${url}/`,
        key_file: join(folder, "rekor.pem"),
        trusted_root_file: join(folder, "rekor.json"),
      },
    ];
    await Deno.writeTextFile(join(folder, NETWORK), JSON.stringify({ ...network, anchors }));

    await site.start();
    const first = await site.stamp("first.txt");
    await site.untilAnchored(first);

    // Killed while the authority is away: the next run finds what is to be done.
    isAway = true;
    const second = await site.stamp("second.txt");
    assert.ok((await site.anchorsOf(second)).length < SERVICES);
    await site.kill();
    await site.start();
    assert.equal((await site.anchorsOf(first)).length, SERVICES, "what was stored is shown");
    isAway = false;
    await site.untilAnchored(second);
    // A start asks calendars for the rest of what is pending.
    await site.kill();
    await site.start();
    await site.untilAnchored(second, true);

    await Deno.writeTextFile(join(folder, "second.json"), await site.client("bundle", second));
    const saved = await site.client("anchors", second, "--save", "proofs");
    await site.client("network", "--pin", "--yes");
    await site.client("stamp", "second.txt", "--proofs", "all");
    await site.kill();

    const said = await site.client(
      "verify-proof",
      "--bundle",
      "second.json",
      "--file",
      "second.txt",
      "--network-config",
      "data/network/network.public.json",
      ...ROOT,
    );
    assert.match(said, /^VALID \(Batched\)$/m);
    assert.match(said, /^external anchor of rfc3161, .*: verified, not after \S+Z \(RFC 3161/m);
    assert.match(
      said,
      /^ {2}not after [-0-9]+ [:0-9]+ UTC: RFC 3161 token of .*, according to the roots/m,
    );

    const [, command = ""] = /^ {2}verify: (openssl ts .*)$/m.exec(saved) ?? [];
    const openssl = (roots: string) =>
      runTool("bash", ["-euc", command.replace("roots.pem", roots)], { cwd: folder });
    const verified = await openssl("root.pem");
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /^Verification: OK$/m);
    await checkStandardProofs(folder, "second.txt", { root: await authority.root(), headers });
    const [checkpoint] = saved.match(/proofs\/\S+\.checkpoint/) ?? [];
    await Deno.writeTextFile(join(folder, checkpoint!), "another\n1\n\n");
    assert.notEqual((await openssl("root.pem")).code, 0, "the command looks at the checkpoint");
  });
});
