import assert from "node:assert/strict";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import {
  checkQuorum,
  parseOperatorNetwork,
  readOperatorFile,
} from "../../src/config/operator_network.ts";
import { publicNetwork, publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";

const ID = "log.example/test";
const FILE = "/etc/countersign/network.json";
const TOKEN = "token-of-at-least-24-characters";

type Members = Record<string, unknown>;

function publicKeyOf(name: string) {
  return new Ed25519Signer(portableKernels.sha256(utf8(name))).publicKey;
}

function witness(number: number, members: Members = {}): Members {
  return {
    id: `${ID}/w${number}`,
    pubkey: hexOf(publicKeyOf(`w${number}`)),
    url: `https://w${number}.example/`,
    token: TOKEN,
    ...members,
  };
}

function embedded(number: number, members: Members = {}): Members {
  const { url: _url, token: _token, ...rest } = witness(number);
  return { ...rest, key_file: `w${number}.key`, state_file: `w${number}.kv`, ...members };
}

/** A valid configuration with `members` replaced; `undefined` removes one. */
function configuration(members: Members = {}): string {
  return JSON.stringify({
    id: ID,
    threshold: 2,
    signature_scheme: "ed25519",
    witnesses: [witness(1), witness(2), witness(3)],
    log_vkey: encodeVkey({ name: ID, type: NOTE_TYPE.ed25519, publicKey: publicKeyOf("log") }),
    log_key_file: "log.key",
    ...members,
  });
}

function parse(members: Members = {}, options = {}) {
  return parseOperatorNetwork(configuration(members), FILE, options);
}

function refuses(code: ErrorCode, members: Members): void {
  assert.throws(
    () => parse(members),
    (error) => error instanceof CountersignError && error.code === code,
    JSON.stringify(members),
  );
}

const federation = (peers: readonly Members[], members: Members = {}) => ({
  federation: { enabled: true, cross_anchor_threshold: 1, peer_networks: peers, ...members },
});

Deno.test("an operator's network is read with its defaults, and frozen", () => {
  const { network, logKeyFile, witnesses, batch } = parse();
  assert.equal(network.id, ID);
  assert.equal(network.merge_delay_seconds, 3_600);
  assert.equal(logKeyFile, "/etc/countersign/log.key");
  assert.deepEqual(batch, { maxAgeMs: 1_000, maxLeaves: 16_384 });
  assert.deepEqual(witnesses[1], {
    kind: "remote",
    id: `${ID}/w2`,
    url: "https://w2.example/",
    token: TOKEN,
  });
  assert.ok(Object.isFrozen(network.federation.peer_networks) && Object.isFrozen(witnesses[0]));
});

Deno.test("relative paths are resolved against the file, absolute ones are kept", () => {
  const { witnesses, logKeyFile } = parse({
    witnesses: [embedded(1), embedded(2, { key_file: "/keys/w2" }), embedded(3)],
    log_key_file: "/keys/log",
  });
  assert.equal(logKeyFile, "/keys/log");
  assert.deepEqual(witnesses[0], {
    kind: "embedded",
    id: `${ID}/w1`,
    keyFile: "/etc/countersign/w1.key",
    stateFile: "/etc/countersign/w1.kv",
  });
  assert.deepEqual(witnesses[1]?.kind === "embedded" && witnesses[1].keyFile, "/keys/w2");
});

Deno.test("witnesses are sorted by id", () => {
  const { network, witnesses } = parse({ witnesses: [witness(3), witness(10), witness(1)] });
  const ids = [`${ID}/w1`, `${ID}/w10`, `${ID}/w3`];
  assert.deepEqual(network.witnesses.map(({ id }) => id), ids);
  assert.deepEqual(witnesses.map(({ id }) => id), ids);
});

Deno.test("batch limits are accepted within their bounds", () => {
  const members = { batch_max_age_ms: 50, batch_max_leaves: 1, merge_delay_seconds: 1 };
  assert.deepEqual(parse(members).batch, { maxAgeMs: 50, maxLeaves: 1 });
  assert.equal(parse(members).network.merge_delay_seconds, 1);
  assert.equal(parse({ batch_max_leaves: 16_384 }).batch.maxLeaves, 16_384);
  refuses("invalid_configuration", { batch_max_leaves: 16_385 });
  refuses("invalid_configuration", { batch_max_leaves: 0 });
  refuses("invalid_configuration", { batch_max_age_ms: 0 });
  refuses("invalid_configuration", { batch_max_age_ms: 3_600_001 });
  refuses("invalid_configuration", { merge_delay_seconds: 0 });
  refuses("malformed_configuration", { batch_max_age_ms: "50" });
  refuses("malformed_configuration", { batch_max_leaves: 1.5 });
});

Deno.test("two disjoint quorums are refused", () => {
  for (const [threshold, count] of [[1, 2], [2, 4], [0, 3], [4, 3]] as const) {
    refuses("invalid_configuration", {
      threshold,
      witnesses: Array.from({ length: count }, (_, i) => witness(i + 1)),
    });
  }
  assert.throws(() => parse({ threshold: 1 }), /threshold 1 must be more than half of 3 witnesses/);
  assert.throws(() => checkQuorum(4, 3), /threshold 4 must be at most 3, the number of witnesses/);
  assert.equal(parse({ threshold: 1, witnesses: [witness(1)] }).network.threshold, 1);
  assert.equal(parse({ threshold: 3 }).network.threshold, 3);
});

Deno.test("unknown members are refused at every level", () => {
  refuses("malformed_configuration", { log_keyfile: "log.key" });
  refuses("malformed_configuration", { witnesses: [witness(1, { tokens: "" })], threshold: 1 });
  refuses("malformed_configuration", federation([], { mode: "on" }));
  refuses("malformed_configuration", federation([{ id: "peer.example", secret: TOKEN }]));
});

Deno.test("missing members are refused", () => {
  for (
    const name of [
      "id",
      "threshold",
      "signature_scheme",
      "witnesses",
      "log_vkey",
      "log_key_file",
    ]
  ) refuses("malformed_configuration", { [name]: undefined });
});

Deno.test("witnesses are all remote or all embedded", () => {
  const two = (member: Members) => ({ witnesses: [witness(1), witness(2), member] });
  refuses("invalid_configuration", two(embedded(3)));
  refuses("invalid_configuration", two(witness(3, { key_file: "a", state_file: "b" })));
  refuses("invalid_configuration", two(witness(3, { url: undefined })));
  refuses("invalid_configuration", two(witness(3, { token: undefined })));
  refuses("invalid_configuration", two(witness(3, { url: undefined, token: undefined })));
  refuses("invalid_configuration", { witnesses: [embedded(1, { state_file: undefined })] });
});

Deno.test("two witnesses must not share a URL, a file, an id or a key", () => {
  const rest = [witness(1), witness(2)];
  refuses("invalid_configuration", { witnesses: [...rest, witness(3, { url: witness(1).url })] });
  refuses("invalid_configuration", {
    // The same URL without its slash.
    witnesses: [...rest, witness(3, { url: "https://w1.example" })],
  });
  refuses("invalid_configuration", {
    witnesses: [embedded(1), embedded(2), embedded(3, { state_file: "./w1.kv" })],
  });
  refuses("invalid_configuration", { witnesses: [...rest, witness(3, { id: witness(1).id })] });
  refuses("invalid_configuration", {
    witnesses: [...rest, witness(3, { pubkey: witness(1).pubkey })],
  });
  refuses("invalid_configuration", {
    witnesses: [...rest, witness(3, { pubkey: hexOf(publicKeyOf("log")) })],
  });
});

Deno.test("http: URLs beyond loopback require the option `insecure`", () => {
  const witnesses = (url: string) => ({ witnesses: [witness(1), witness(2), witness(3, { url })] });
  const peer = federation([{ id: "peer.example", gateway_url: "http://peer.example" }]);
  assert.ok(parse(witnesses("http://127.0.0.1:8093")));
  refuses("invalid_configuration", witnesses("http://w3.example"));
  refuses("invalid_configuration", witnesses("ftp://w3.example"));
  refuses("invalid_configuration", witnesses("https://user:password@w3.example"));
  refuses("invalid_configuration", peer);
  assert.ok(parse(witnesses("http://w3.example"), { insecure: true }));
  assert.ok(parse(peer, { insecure: true }));
});

Deno.test("event_sockets has a port, and a host or that of the clients' listener", () => {
  assert.equal(parse().eventSockets, undefined);
  const address = { host: "127.0.0.1", port: 8082 };
  assert.deepEqual(parse({ event_sockets: address }).eventSockets, address);
  assert.deepEqual(parse({ event_sockets: { port: 8082 } }).eventSockets, { port: 8082 });
  for (const wrong of [{ ...address, host: "" }, { ...address, port: 65_536 }]) {
    refuses("invalid_configuration", { event_sockets: wrong });
  }
  for (const wrong of [null, 8082, {}, { host: "127.0.0.1" }, { ...address, token: TOKEN }]) {
    refuses("malformed_configuration", { event_sockets: wrong });
  }
});

Deno.test("tokens must be bearer tokens of a minimum length", () => {
  for (const token of ["", "short", "x".repeat(23), `${TOKEN}\n`, `${TOKEN} `, "é".repeat(30)]) {
    refuses("invalid_configuration", { witnesses: [witness(1, { token })], threshold: 1 });
  }
  refuses("malformed_configuration", { witnesses: [witness(1, { token: 1 })], threshold: 1 });
});

Deno.test("a refusal never quotes a secret", () => {
  const secret = `${TOKEN}-not-to-be-seen`;
  for (
    const members of [
      { token: `${secret} ` },
      { token: secret, url: `https://${secret}:pw@w1.example` },
      { token: secret, url: secret },
      { token: secret, key_file: "a" },
    ]
  ) {
    assert.throws(
      () => parse({ witnesses: [witness(1, members)], threshold: 1 }),
      (error) => error instanceof CountersignError && !error.message.includes("not-to-be-seen"),
    );
  }
});

Deno.test("a malformed text is `malformed_configuration`, and the message names the file", () => {
  for (const text of ["", "{", "[]", "null", `${configuration()}x`, '{"id":"a","id":"b"}']) {
    assert.throws(
      () => parseOperatorNetwork(text, FILE),
      (error) =>
        error instanceof CountersignError && error.code === "malformed_configuration" &&
        error.message.includes(FILE),
      text,
    );
  }
});

Deno.test("the public configuration contains no secret", () => {
  const { network } = parse({
    ...federation([{ id: "peer.example", gateway_url: "https://peer.example", min_witnesses: 2 }]),
  });
  // A value with more members than its type.
  const smuggled = {
    ...network,
    token: TOKEN,
    witnesses: network.witnesses.map((entry) => ({ ...entry, token: TOKEN, url: "https://w" })),
    federation: {
      ...network.federation,
      secret: TOKEN,
      peer_networks: network.federation.peer_networks.map((peer) => ({ ...peer, secret: TOKEN })),
    },
  };
  const text = publicNetworkJson(smuggled);
  assert.ok(JSON.stringify(smuggled).includes(TOKEN));
  assert.ok(!text.includes(TOKEN) && !text.includes("https://w"));
  assert.deepEqual(Object.keys(JSON.parse(text)), [
    "id",
    "witnesses",
    "threshold",
    "signature_scheme",
    "federation",
    "log_vkey",
    "merge_delay_seconds",
  ]);
  assert.deepEqual(parseNetwork(text), publicNetwork(network));
  assert.equal(publicNetworkJson(parseNetwork(text)), text);
});

Deno.test("the public configuration has every vkey, even if the file has none", () => {
  const publicKey = publicKeyOf("w1");
  const vkey = encodeVkey({ name: `${ID}/w1`, type: NOTE_TYPE.cosignature, publicKey });
  assert.equal(publicNetwork(parse().network).witnesses[0]?.vkey, vkey);
  const given = parse({ witnesses: [witness(1, { vkey }), witness(2), witness(3)] }).network;
  assert.equal(publicNetworkJson(given), publicNetworkJson(parse().network));
});

Deno.test("a network whose checkpoints would have too many signature lines is refused", () => {
  const witnesses = Array.from({ length: 255 }, (_, i) => witness(i));
  const key = { name: "w.example", type: NOTE_TYPE.cosignature, publicKey: publicKeyOf("foreign") };
  const witnessing = { witnesses: [{ vkey: encodeVkey(key), url: "https://w.example/" }] };
  // 255 witnesses and the log.
  parse({ witnesses, threshold: 128 });
  parse({ witnesses: witnesses.slice(1), threshold: 128, witnessing });
  for (const more of [{ witnessing }, { witnesses: [...witnesses, witness(255)] }]) {
    assert.throws(() => parse({ witnesses, threshold: 129, ...more }), {
      code: "invalid_configuration",
      message: /would have 257 signature lines .* at most 256\. Configure fewer witnesses/,
    });
  }
});

Deno.test("a public configuration is called so, whatever its mode", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const file = `${folder}/network.public.json`;
    const text = publicNetworkJson(parse().network);
    const expected = {
      code: "invalid_configuration",
      message: `Cannot use "${file}": it is the public configuration of ${ID}, for ` +
        "--network-config. Name the operator's network.json",
    };
    assert.throws(() => parseOperatorNetwork(text, file), expected);
    await Deno.writeTextFile(file, text, { mode: 0o644 });
    await assert.rejects(readOperatorFile(file), expected);
    await Deno.writeTextFile(file, configuration());
    await assert.rejects(readOperatorFile(file), { code: "file_failed" });
    await Deno.chmod(file, 0o600);
    assert.equal(await readOperatorFile(file), configuration());
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
