/**
 * The sample signer for AWS KMS as a process, against a server on loopback that accepts only what the API
 * reference of KMS describes: the JSON 1.1 protocol, signed requests, and the members of each action.
 *
 * @module
 */

import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { utf8 } from "../../src/base/bytes.ts";
import { systemClock } from "../../src/base/clock.ts";
import { verifyNative } from "../../src/proof/crypto/ed25519_native.ts";
import { RemoteSigner } from "../../src/config/remote_signer.ts";
import { isTimestampSignature } from "../../src/config/timestamp_key.ts";
import { readTimestampSigner } from "../../src/config/timestamp_key_file.ts";
import { signatureFault } from "../logs/publishing/aws_signature.ts";
import { KEY_READING, SIGNED_ATTRIBUTES } from "../config/timestamp_files.ts";
import { inFolder } from "../server/captured_io.ts";
import { bls } from "../schemes.ts";
import { served } from "../http/outgoing/fixture.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const REGION = "eu-test-1";
const ACCOUNT = { keyId: "TESTKEY", secret: "secret/of+tests", region: REGION, service: "kms" };
const SESSION = "a session token";
const TOKEN = "t".repeat(32);
const NAME = "example.org/w1";
const MAX_MESSAGE_BYTES = 4_096;
interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** The keys of KMS by their aliases, each with its algorithm there. */
const KEYS: Readonly<Record<string, readonly [KeyPair, string]>> = {
  "alias/w1": [generateKeyPairSync("ed25519"), "ED25519_SHA_512"],
  "alias/p256": [generateKeyPairSync("ec", { namedCurve: "P-256" }), "ECDSA_SHA_256"],
  "alias/rsa": [
    generateKeyPairSync("rsa", { modulusLength: 3072 }),
    "RSASSA_PKCS1_V1_5_SHA_256",
  ],
};

function spkiOf(alias: string) {
  return KEYS[alias]![0].publicKey.export({ type: "spki", format: "der" });
}

const rawKey = Uint8Array.from(spkiOf("alias/w1").subarray(-32));

/** KMS with {@linkcode KEYS}. */
class FakeKms {
  /** The faults of requests so far. */
  readonly faults: string[] = [];
  readonly actions: string[] = [];
  signsWrongly = false;

  readonly answer = async (request: Request): Promise<Response> => {
    const body = new Uint8Array(await request.arrayBuffer());
    const { action, fault, answer } = this.#judge(request, body);
    this.actions.push(action);
    if (fault === undefined) {
      return Response.json(answer, { headers: { "Content-Type": "application/x-amz-json-1.1" } });
    }
    this.faults.push(fault);
    return Response.json({ __type: "ValidationException", message: fault }, { status: 400 });
  };

  #judge(request: Request, body: Uint8Array) {
    const { method, headers } = request;
    const [, action = ""] = /^TrentService\.(\w+)$/.exec(headers.get("X-Amz-Target") ?? "") ?? [];
    const needed = ["x-amz-target", "x-amz-security-token"];
    const unsigned = signatureFault(request, body, { account: ACCOUNT, needed });
    const isJson = headers.get("Content-Type") === "application/x-amz-json-1.1";
    const members = JSON.parse(new TextDecoder().decode(body)) as Record<string, string>;
    const { KeyId, Message = "", MessageType, SigningAlgorithm, ...others } = members;
    const message = Uint8Array.fromBase64(Message);
    const [pair, algorithm] = KEYS[KeyId ?? ""] ?? [];
    const fault = unsigned ??
      (method !== "POST" || new URL(request.url).pathname !== "/" || !isJson
        ? "this is no request of JSON 1.1"
        : headers.get("X-Amz-Security-Token") !== SESSION
        ? "the session token is wrong"
        : pair === undefined || Object.keys(others).length > 0
        ? "a member is wrong"
        : action === "GetPublicKey"
        ? undefined
        : action !== "Sign"
        ? "the action is unknown"
        : MessageType !== "RAW" || SigningAlgorithm !== algorithm
        ? "the key does not sign so"
        : message.length < 1 || message.length > MAX_MESSAGE_BYTES
        ? "the message has a wrong length"
        : undefined);
    if (pair === undefined) return { action, fault };
    const hash = algorithm === "ED25519_SHA_512" ? null : "sha256";
    const signature = sign(hash, message, pair.privateKey);
    if (this.signsWrongly) signature[signature.length - 1]! ^= 1;
    const answer = action === "Sign"
      ? { KeyId: "arn", Signature: signature.toString("base64"), SigningAlgorithm }
      : {
        KeyId: "arn",
        PublicKey: spkiOf(KeyId!).toString("base64"),
        KeyUsage: "SIGN_VERIFY",
        SigningAlgorithms: [algorithm],
      };
    return { action, fault, answer };
  }
}

Deno.test("the sample signer for AWS KMS sends requests as KMS documents them, and verifies answers", async () => {
  const kms = new FakeKms();
  await served(kms.answer, async (url) => {
    await inFolder(async (folder) => {
      const socket = join(folder, "signer.sock");
      await Deno.writeTextFile(join(folder, "token"), TOKEN, { mode: 0o600 });
      await Deno.writeTextFile(
        join(folder, "kms.json"),
        JSON.stringify({
          socket,
          token_file: join(folder, "token"),
          region: REGION,
          keys: [
            { name: NAME, kind: "witness", key_id: "alias/w1" },
            { name: "example.org/p256", kind: "tsa", key_id: "alias/p256" },
            { name: "example.org/rsa", kind: "tsa", key_id: "alias/rsa" },
          ],
        }),
      );
      await using _signer = await startSigner(folder, url);
      const key = {
        name: NAME,
        scheme: "ed25519" as const,
        publicKey: rawKey,
        url: `unix:${socket}`,
        token: TOKEN,
      };
      using signer = new RemoteSigner(key, { bls, report: () => {}, clock: systemClock });
      const text = utf8("countersign/round/v1\nnet.example\n");
      assert.ok(verifyNative(rawKey, text, await signer.sign(text)));
      const asked = [...Array<string>(3).fill("GetPublicKey"), "Sign"];
      assert.deepEqual([kms.faults, kms.actions], [[], asked]);

      const refused = (message: Uint8Array) =>
        assert.rejects(signer.sign(message), { code: "signer_unavailable" });
      await refused(utf8("a login\n"));
      assert.equal(kms.actions.length, 4, "no other text reaches KMS");
      await refused(utf8(`countersign/succession/v1\n${"x".repeat(MAX_MESSAGE_BYTES)}`));
      assert.deepEqual(kms.faults, ["the message has a wrong length"]);
      kms.signsWrongly = true;
      await refused(text);
      kms.signsWrongly = false;
      assert.ok(verifyNative(rawKey, text, await signer.sign(text)));
      for (const [name, scheme] of [["p256", "ecdsa-p256"], ["rsa", "rsa-3072"]] as const) {
        const publicKey = Uint8Array.from(spkiOf(`alias/${name}`));
        await Deno.writeTextFile(
          join(folder, "tsa.key"),
          JSON.stringify({
            signer: `unix:${socket}`,
            kind: "tsa",
            name: `example.org/${name}`,
            scheme,
            public_key: publicKey.toHex(),
            token_file: "token",
          }),
          { mode: 0o600 },
        );
        const stamper = await readTimestampSigner(join(folder, "tsa.key"), KEY_READING);
        const signature = await stamper.sign(SIGNED_ATTRIBUTES);
        assert.ok(await isTimestampSignature(stamper, SIGNED_ATTRIBUTES, signature));
        kms.signsWrongly = true;
        await assert.rejects(stamper.sign(SIGNED_ATTRIBUTES), { code: "signer_unavailable" });
        kms.signsWrongly = false;
        stamper[Symbol.dispose]?.();
      }
    });
  });
});

/** Starts it with no more permissions than its documentation names; it serves once its socket is there. */
async function startSigner(folder: string, endpoint: string): Promise<AsyncDisposable> {
  const script = join(ROOT, "deploy", "aws_kms_signer.ts");
  const permissions = ["--allow-net", "--allow-env", "--allow-read", `--allow-write=${folder}`];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", ...permissions, script, join(folder, "kms.json")],
    cwd: ROOT,
    env: {
      AWS_ACCESS_KEY_ID: ACCOUNT.keyId,
      AWS_SECRET_ACCESS_KEY: ACCOUNT.secret,
      AWS_SESSION_TOKEN: SESSION,
      AWS_ENDPOINT_URL_KMS: endpoint,
      NO_COLOR: "1",
    },
    stdin: "null",
    stdout: "null",
    stderr: "inherit",
  }).spawn();
  let isOver = false;
  void child.status.then(() => isOver = true);
  const isServing = () => {
    try {
      // Its mode is set after it listens.
      return (Deno.statSync(join(folder, "signer.sock")).mode! & 0o777) === 0o660;
    } catch {
      return false;
    }
  };
  while (!isServing()) {
    assert.ok(!isOver, "the signer has ended");
    await systemClock.sleep(20);
  }
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}
