import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";

const ID = "log.example/test";
const { publicKey } = new Ed25519Signer(portableKernels.sha256(utf8("log")));

type Members = Record<string, unknown>;

function log(origin: string, type: number = NOTE_TYPE.ed25519, key = publicKey): Members {
  return { origin, vkey: encodeVkey({ name: origin, type, publicKey: key }) };
}

function parse(members: Members = {}) {
  const text = JSON.stringify({
    id: `${ID}/w1`,
    network_id: ID,
    key_file: "witness.key",
    state_file: "/var/state.kv",
    token: "token-of-at-least-24-characters",
    host: "127.0.0.1",
    port: 8091,
    logs: [log(ID)],
    ...members,
  });
  return parseWitnessNode(text, "/etc/witness/witness.json");
}

function refuses(code: ErrorCode, members: Members): void {
  assert.throws(
    () => parse(members),
    (error) => error instanceof CountersignError && error.code === code,
    JSON.stringify(members),
  );
}

Deno.test("a witness node is read with paths relative to the file", () => {
  const node = parse({ logs: [log("other.example"), log(ID)] });
  assert.equal(node.keyFile, "/etc/witness/witness.key");
  assert.equal(node.mlDsaKeyFile, undefined);
  assert.equal(parse({ ml_dsa_key_file: "b.key" }).mlDsaKeyFile, "/etc/witness/b.key");
  assert.equal(node.stateFile, "/var/state.kv");
  const key = { name: ID, type: NOTE_TYPE.ed25519, publicKey };
  assert.deepEqual(node.logs[1], { origin: ID, keys: [key] });
  assert.ok(Object.isFrozen(node) && Object.isFrozen(node.logs) && Object.isFrozen(node.logs[0]));
});

Deno.test("a witness node that could not serve its network is refused", () => {
  refuses("invalid_configuration", { logs: [] });
  refuses("invalid_configuration", { logs: [log("other.example")] });
  refuses("invalid_configuration", { logs: [log(ID), log(ID)] });
  refuses("invalid_configuration", { logs: [log(ID, NOTE_TYPE.cosignature)] });
  refuses("invalid_configuration", { logs: [{ ...log("other.example"), origin: ID }] });
  refuses("invalid_configuration", { logs: [log(ID), { ...log("other.example"), origin: ID }] });
  const key = new Ed25519Signer(portableKernels.sha256(utf8("second"))).publicKey;
  refuses("invalid_configuration", { logs: [log(ID), log(ID, NOTE_TYPE.ed25519, key)] });
  refuses("invalid_configuration", { network_id: "a b", logs: [{ ...log(ID), origin: "a b" }] });
  refuses("invalid_key", { logs: [{ origin: ID, vkey: "nonsense" }] });
  refuses("invalid_configuration", { id: "has space" });
  refuses("invalid_configuration", { token: "short" });
  refuses("invalid_configuration", { host: "" });
  refuses("invalid_configuration", { port: 65_536 });
  assert.equal(parse({ port: 65_535 }).port, 65_535);
  assert.equal(parse({ port: 0 }).port, 0);
});

Deno.test("a witness node follows logs of any origin and key name, with one key or more", () => {
  const second = new Ed25519Signer(portableKernels.sha256(utf8("second"))).publicKey;
  const { vkey } = log("key.example:8080/\u00e9");
  const origins = [
    `sigsum.org/v1/tree/${"e7".repeat(32)}`,
    "go.sum database tree",
    "log.example:8443/x+y",
    "_underscore",
    "\u65e5\u672c/\u{1f332}",
    "cosignature/v1",
    "x".repeat(1024),
  ];
  const node = parse({
    logs: [
      log(ID),
      ...origins.map((origin) => ({ origin, vkey })),
      { ...log("other.example", NOTE_TYPE.ed25519, second), origin: origins[1] },
    ],
  });
  assert.deepEqual(node.logs.map((one) => one.origin), [ID, ...origins]);
  assert.deepEqual(node.logs.map((one) => one.keys.length), [1, 1, 2, 1, 1, 1, 1, 1]);
  assert.equal(node.logs[2]!.keys[0]!.name, "key.example:8080/\u00e9");
  for (const origin of ["", "a\nb", "a\tb", "\ud800", "x".repeat(1025), "\u00e9".repeat(513)]) {
    refuses("invalid_configuration", { logs: [log(ID), { origin, vkey }] });
  }
  refuses("invalid_configuration", {
    logs: [log(ID), { origin: "a b", vkey }, { origin: "a b", vkey }],
  });
});

Deno.test("limits of a witness are off, or the default", () => {
  const limitsOf = (limits: unknown) => parse({ limits }).limits;
  assert.deepEqual(parse().limits, limitsOf({}));
  assert.equal(limitsOf("off"), "off");
  const standard = { perSecond: 20, burst: 200, inFlight: 16 };
  assert.deepEqual(limitsOf({}), { trustedProxies: [], addCheckpoint: standard, perLog: {} });
  const checkpoints = { per_second: 2, burst: 3, in_flight: 4 };
  assert.deepEqual(limitsOf({ add_checkpoint: checkpoints, trusted_proxies: ["127.0.0.1"] }), {
    trustedProxies: [{ first: [0, 0, 0xffff, 0x7f00_0001], bits: 128 }],
    addCheckpoint: { perSecond: 2, burst: 3, inFlight: 4 },
    perLog: {},
  });
  const perLog = { queries_per_day: 24, bytes_per_day: 5_000_000_000 };
  const limits = limitsOf({ per_log: perLog });
  assert.deepEqual(limits !== "off" && limits.perLog, {
    queriesPerDay: 24,
    bytesPerDay: 5_000_000_000,
  });
  for (const name of Object.keys(perLog)) {
    refuses("invalid_configuration", { limits: { per_log: { [name]: 0 } } });
  }
  refuses("invalid_configuration", { logs: [{ ...log(ID), queries_per_day: 1 }] });
  for (const name of Object.keys(checkpoints)) {
    refuses("invalid_configuration", { limits: { add_checkpoint: { ...checkpoints, [name]: 0 } } });
    refuses("malformed_configuration", {
      limits: { add_checkpoint: { ...checkpoints, [name]: undefined } },
    });
  }
  refuses("invalid_configuration", { limits: { trusted_proxies: ["proxy.example"] } });
  refuses("malformed_configuration", { limits: { reads: { per_second: 1, burst: 1 } } });
  refuses("malformed_configuration", { limits: "on" });
});

Deno.test("a bastion has an https URL and files next to the configuration", () => {
  const members = { url: "https://bastion.example:8443", cert_file: "w.crt", key_file: "/k/w.key" };
  const { bastion } = parse({ bastion: members });
  assert.deepEqual([bastion?.url.host, bastion?.keyFile], ["bastion.example:8443", "/k/w.key"]);
  assert.match(bastion!.certFile, /^\/.*\/w\.crt$/);
  assert.equal(bastion?.caFile, undefined);
  assert.match(parse({ bastion: { ...members, ca_file: "ca" } }).bastion!.caFile!, /\/ca$/);
  refuses("invalid_configuration", { bastion: { ...members, url: "http://bastion.example" } });
  for (const name of Object.keys(members)) {
    refuses("malformed_configuration", { bastion: { ...members, [name]: undefined } });
  }
});

Deno.test("unknown and missing members of a witness node are refused", () => {
  refuses("malformed_configuration", { statefile: "a" });
  refuses("malformed_configuration", { logs: [{ ...log(ID), url: "https://log.example" }] });
  refuses("malformed_configuration", { port: "8091" });
  for (const name of ["id", "network_id", "key_file", "state_file", "token", "logs"]) {
    refuses("malformed_configuration", { [name]: undefined });
  }
});
