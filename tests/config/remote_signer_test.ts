import assert from "node:assert/strict";
import { join } from "node:path";
import { utf8 } from "../../src/base/bytes.ts";
import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { verifyMlDsa } from "../../src/proof/crypto/ml_dsa.ts";
import { MlDsaSigner } from "../../src/proof/crypto/ml_dsa_signer.ts";
import { encodeSubtreeMessage } from "../../src/proof/format/subtree_cosignature.ts";
import { Ed25519Signer, verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { BlsSigner } from "../../src/proof/crypto/bls_signer.ts";
import type { KeySigner } from "../../src/proof/crypto/key_signer.ts";
import { signerApp } from "../../src/http/signer/signer_app.ts";
import { RemoteSigner } from "../../src/config/remote_signer.ts";
import { signedDomain } from "../../src/proof/format/signed_text.ts";
import { FakeClock } from "../fake_clock.ts";
import { bls } from "../schemes.ts";
import { inFolder } from "../server/captured_io.ts";

const TOKEN = "t".repeat(32);
const NAME = "example.org/w1";
const MESSAGE = utf8("cosignature/v1\ntime 1\nlog.example\n");
const own = new Ed25519Signer(new Uint8Array(32).fill(1));
const other = new Ed25519Signer(new Uint8Array(32).fill(2));

type Handler = (request: Request) => Response | Promise<Response>;

const app = (signer: KeySigner) =>
  signerApp({ keys: [{ kind: "witness", name: NAME, signer }], token: TOKEN, report: () => {} });

/** Serves `handler` on a socket while `use` signs with a key there. */
async function withSigner(
  handler: Handler,
  use: (signer: RemoteSigner, lines: string[], socket: string) => Promise<void>,
  { key = own as KeySigner, token = TOKEN, clock = new FakeClock() } = {},
): Promise<void> {
  await inFolder(async (folder) => {
    const socket = join(folder, "s.sock");
    // Aborting ends held connections, which a shutdown would wait for.
    const stop = new AbortController();
    const { signal } = stop;
    const server = Deno.serve({ path: socket, signal, onListen: () => {} }, handler);
    const lines: string[] = [];
    const { publicKey, scheme } = key;
    const remote = { name: NAME, scheme, publicKey, url: `unix:${socket}`, token };
    const report = (line: string) => void lines.push(line);
    using signer = new RemoteSigner(remote, { bls, report, clock });
    try {
      await use(signer, lines, socket);
    } finally {
      stop.abort();
      await server.finished;
    }
  });
}

const unavailable = { code: "signer_unavailable" };

Deno.test("a remote signer returns verified signatures of both schemes", async () => {
  await withSigner(app(own), async (signer, lines) => {
    const signature = await signer.sign(MESSAGE);
    assert.ok(verifyNative(own.publicKey, MESSAGE, signature));
    assert.deepEqual(lines, []);
  });
  const key = new BlsSigner(bls, new Uint8Array(32).fill(3));
  await withSigner(app(key), async (signer) => {
    const signature = await signer.sign(MESSAGE);
    assert.ok(bls.verify(key.publicKey, MESSAGE, signature, BLS_SIGNATURE_DST));
  }, { key });
});

Deno.test("a signer has keys of two schemes for one name", async () => {
  const mlDsa = await MlDsaSigner.of(new Uint8Array(32).fill(4));
  const message = encodeSubtreeMessage({
    cosigner: NAME,
    timestamp: 5,
    origin: "log.example",
    start: 0,
    end: 9,
    root: new Uint8Array(32),
  });
  const keys = [
    { kind: "witness", name: NAME, signer: own },
    { kind: "cosigner", name: NAME, signer: mlDsa },
  ] as const;
  const handler = signerApp({ keys, token: TOKEN, report: () => {} });
  let answer: Handler = handler;
  await withSigner((request) => answer(request), async (signer, lines, socket) => {
    assert.ok(verifyNative(own.publicKey, MESSAGE, await signer.sign(MESSAGE)));
    const { publicKey } = mlDsa;
    const place = { publicKey, url: `unix:${socket}`, token: TOKEN };
    const key = { name: NAME, scheme: "ml-dsa-44", ...place } as const;
    using further = new RemoteSigner(key, { bls, report: () => {} });
    assert.ok(await verifyMlDsa(publicKey, message, await further.sign(message)));
    await assert.rejects(further.sign(MESSAGE), unavailable);
    const flipped = (await mlDsa.sign(message)).with(7, 0).toHex();
    answer = () => Response.json({ signature: flipped });
    await assert.rejects(further.sign(message), unavailable);
    assert.deepEqual(lines, []);
  });
});

const WRONG: Readonly<Record<string, Handler>> = {
  "another key's signature": app(other),
  "a signature of another text": () =>
    Response.json({ signature: own.sign(utf8("another")).toHex() }),
  "a short signature": () => Response.json({ signature: "00" }),
  "another member": () => Response.json({ signature: own.sign(MESSAGE).toHex(), more: 1 }),
  "no JSON": () => new Response("no"),
  "an endless answer": () =>
    new Response(
      new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) }),
    ),
  "a redirect": () => new Response(null, { status: 307, headers: { location: "/elsewhere" } }),
  "a fault": () => new Response(null, { status: 500 }),
};

for (const [what, handler] of Object.entries(WRONG)) {
  Deno.test(`a remote signer refuses ${what}, reports it once, and recovers`, async () => {
    let answer = handler;
    await withSigner((request) => answer(request), async (signer, lines) => {
      await assert.rejects(signer.sign(MESSAGE), unavailable);
      await assert.rejects(signer.sign(MESSAGE), unavailable);
      assert.equal(lines.length, 1, lines.join("\n"));
      answer = app(own);
      assert.ok(verifyNative(own.publicKey, MESSAGE, await signer.sign(MESSAGE)));
      assert.match(lines[1] ?? "", /signs again/);
      assert.ok(!lines.join().includes(TOKEN));
    });
  });
}

Deno.test("a remote signer bounds the time of a request", async () => {
  const clock = new FakeClock();
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Response>();
  await withSigner(() => (asked.resolve(), held.promise), async (signer) => {
    const signed = signer.sign(MESSAGE);
    signed.catch(() => {});
    await asked.promise;
    await clock.advance(4_000);
    await assert.rejects(signed, unavailable);
    held.resolve(new Response());
  }, { clock });
});

Deno.test("a remote signer bounds the requests in flight", async () => {
  const held = Promise.withResolvers<void>();
  await withSigner(
    () => held.promise.then(() => new Response(null, { status: 500 })),
    async (signer) => {
      const signed = Array.from({ length: 64 }, () => signer.sign(MESSAGE).catch(() => {}));
      await assert.rejects(signer.sign(MESSAGE), /64 requests wait/);
      held.resolve();
      await Promise.all(signed);
    },
  );
});

Deno.test("a remote signer that is away is unavailable", () =>
  inFolder(async (folder) => {
    const url = `unix:${join(folder, "none.sock")}`;
    const { publicKey } = own;
    const key = { name: NAME, scheme: "ed25519", publicKey, url, token: TOKEN } as const;
    using signer = new RemoteSigner(key, { bls, report: () => {} });
    await assert.rejects(signer.sign(MESSAGE), {
      code: "signer_unavailable",
      message: `Cannot sign with key ${NAME}: no answer from ${url}`,
    });
    assert.throws(() =>
      new RemoteSigner({ ...key, url: "http://example.org/" }, {
        bls,
        report: () => {},
      }), { code: "invalid_configuration" });
  }));

Deno.test("the signer's routes authenticate, list keys and sign only texts of the protocol", async () => {
  const answer = app(own);
  const ask = (path: string, method = "GET", body?: string, token = TOKEN) =>
    answer(
      new Request(`http://localhost${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}` },
        ...(body !== undefined && { body }),
      }),
    );
  const key = {
    name: NAME,
    kind: "witness",
    algorithm: "ed25519",
    public_key: own.publicKey.toHex(),
  };
  assert.deepEqual(await (await ask("/v1/keys")).json(), { keys: [key] });
  const path = `/v1/keys/${encodeURIComponent(NAME)}`;
  assert.deepEqual(await (await ask(path)).json(), key);
  const codes = async (response: Promise<Response>) => {
    const { code } = await (await response).json();
    return code;
  };
  assert.equal(await codes(ask("/v1/keys", "GET", undefined, "u".repeat(32))), "token_refused");
  assert.equal(await codes(answer(new Request("http://localhost/v1/keys"))), "token_required");
  assert.equal(await codes(ask(`${path}/sign`, "POST", "ssh-login")), "malformed_request");
  assert.equal(await codes(ask(`${path}/sign`, "POST", "")), "malformed_request");
  assert.equal(await codes(ask(`${path}/sign`, "POST", "x".repeat(2 ** 20 + 1))), "body_too_large");
  assert.equal(await codes(ask(`${path}/sign`)), "method_not_allowed");
  assert.equal(await codes(ask("/v1/keys/other")), "route_not_found");
  assert.equal(await codes(ask("/v1/keys/%ff")), "route_not_found");
  const signed = await (await ask(`${path}/sign`, "POST", "cosignature/v1\n")).json();
  assert.equal(signed.signature, own.sign(utf8("cosignature/v1\n")).toHex());
});

Deno.test("signedDomain() separates the texts of witnesses and logs", () => {
  const log = { kind: "log", name: "log.example" } as const;
  const witness = { kind: "witness", name: NAME } as const;
  const cosigner = { kind: "cosigner", name: NAME } as const;
  const subtree = (name: string) =>
    encodeSubtreeMessage({
      cosigner: name,
      timestamp: 5,
      origin: "log.example",
      start: 0,
      end: 9,
      root: new Uint8Array(32),
    });
  assert.equal(signedDomain(cosigner, subtree(NAME)), "subtree/v1");
  assert.equal(signedDomain(cosigner, subtree(`${NAME}0`)), undefined);
  assert.equal(signedDomain(cosigner, MESSAGE), undefined);
  assert.equal(signedDomain(witness, subtree(NAME)), undefined);
  assert.equal(signedDomain(log, utf8("log.example\n5\n")), "log.example");
  assert.equal(signedDomain(log, utf8("log.example2\n5\n")), undefined);
  assert.equal(signedDomain(log, MESSAGE), undefined);
  assert.equal(signedDomain(witness, MESSAGE), "cosignature/v1");
  assert.equal(signedDomain(witness, utf8("log.example\n5\n")), undefined);
  assert.equal(signedDomain(witness, utf8("cosignature/v1")), undefined);
  assert.equal(
    signedDomain(witness, utf8("countersign/round/v1\n")),
    "countersign/round/v1",
  );
});
