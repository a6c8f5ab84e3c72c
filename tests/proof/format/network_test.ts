import assert from "node:assert/strict";
import { portableBlsVerifier } from "../../../src/proof/crypto/portable_bls_verifier.ts";
import {
  checkNetwork,
  mlDsaLogKey,
  mlDsaWitnessKey,
} from "../../../src/proof/format/network_check.ts";
import { parseNetwork } from "../../../src/proof/format/network_reader.ts";
import { encodeVkey, NOTE_TYPE } from "../../../src/proof/format/note_key.ts";
import { signerOf, TestNetwork } from "../verify/fixture.ts";
import { assertRefused } from "./mutated_text.ts";

const network = new TestNetwork("net.example/configured", { witnesses: 3, threshold: 2 });
const { configuration } = network;
const [first, second, third] = configuration.witnesses;

function text(change: object = {}): string {
  return JSON.stringify({ ...configuration, ...change });
}

function federating(policy: object): string {
  return text({
    federation: { enabled: true, peer_networks: [], cross_anchor_threshold: 1, ...policy },
  });
}

function refusedAs(code: "malformed_configuration" | "invalid_configuration" | "invalid_key") {
  return (...texts: string[]) => assertRefused(texts, parseNetwork, code);
}

const malformed = refusedAs("malformed_configuration");
const invalid = refusedAs("invalid_configuration");
const invalidKey = refusedAs("invalid_key");

Deno.test("a configuration is read as it was written, what is optional included", () => {
  assert.deepEqual(parseNetwork(text()), configuration);
  const federation = {
    enabled: true,
    peer_networks: [
      { id: "peer.example/a" },
      { id: "peer.example/b", gateway_url: "https://b.example/", min_witnesses: 2 },
    ],
    cross_anchor_threshold: 2,
  };
  const witnesses = configuration.witnesses.map((witness, i) => ({
    ...witness,
    vkey: encodeVkey(network.witnessKey(i)),
  }));
  const whole = { ...configuration, witnesses, federation, merge_delay_seconds: 60 };
  assert.deepEqual(parseNetwork(JSON.stringify(whole)), whole);
});

Deno.test("without a federation policy there is none", () => {
  const { federation: _, ...lone } = configuration;
  assert.deepEqual(parseNetwork(JSON.stringify(lone)).federation, {
    enabled: false,
    peer_networks: [],
    cross_anchor_threshold: 0,
  });
});

Deno.test("unknown members are ignored, secrets among them, and do not come through", () => {
  const witnesses = [{ ...first, endpoint: "https://w1", token: "s" }, second, third];
  const read = parseNetwork(text({ witnesses, log_secret: "s", operator: { x: [1.5] } }));
  assert.deepEqual(read, configuration);
  const { federation } = parseNetwork(federating({
    inbound_secret: "s",
    peer_networks: [{ id: "peer", token: "s" }],
  }));
  assert.deepEqual(federation, {
    enabled: true,
    peer_networks: [{ id: "peer" }],
    cross_anchor_threshold: 1,
  });
});

Deno.test("what is no configuration is malformed", () => {
  malformed("", "null", "[]", "{}", "{");
  malformed(text({ threshold: "2" }), text({ threshold: -1 }), text({ threshold: 1.5 }));
  malformed(text({ id: 7 }), text({ witnesses: {} }), text({ witnesses: [null] }));
  malformed(text({ witnesses: [{ id: "a" }] }), text({ witnesses: [{ pubkey: first!.pubkey }] }));
  malformed(text({ witnesses: [{ ...first, pubkey: first!.pubkey.toUpperCase() }] }));
  malformed(text({ witnesses: [{ ...first, pubkey: `${first!.pubkey}00` }] }));
  malformed(text({ log_vkey: null }), text({ merge_delay_seconds: "60" }));
  malformed(federating({ enabled: 1 }), federating({ peer_networks: {} }));
  malformed(federating({ peer_networks: [{}] }), federating({ cross_anchor_threshold: -1 }));
  malformed(text().replace('"threshold":2', '"threshold":2,"threshold":1'));
});

Deno.test("a threshold is at least one, and at most the number of witnesses", () => {
  for (const threshold of [1, 2, 3]) {
    assert.equal(parseNetwork(text({ threshold })).threshold, threshold);
  }
  invalid(text({ threshold: 0 }), text({ threshold: 4 }), text({ threshold: 1, witnesses: [] }));
});

Deno.test("names are those of docs/protocol.md", () => {
  const { log_vkey: _, ...keyless } = configuration;
  for (const id of ["", "a b", "countersign/x", "a".repeat(97)]) {
    invalid(JSON.stringify({ ...keyless, id }));
  }
  for (const id of ["", "a b", "a+b", "a".repeat(113)]) {
    invalid(text({ witnesses: [{ ...first, id }, second, third] }));
  }
});

Deno.test("ids are distinct", () => {
  invalid(text({ witnesses: [first, { ...second, id: first!.id }, third] }));
});

Deno.test("public keys are distinct, the log's included", () => {
  invalid(text({ witnesses: [first, { ...second, pubkey: first!.pubkey }, third] }));
  const publicKey = Uint8Array.fromHex(first!.pubkey);
  invalid(text({ log_vkey: encodeVkey({ ...network.logKey, publicKey }) }));
});

Deno.test("public keys are screened, the log's included", () => {
  const weak = [
    // The identity, a point of order 8, y = p + 1, and no point at all.
    "01".padEnd(64, "0"),
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ee".padEnd(62, "f") + "7f",
    "02".padEnd(64, "0"),
  ];
  for (const pubkey of weak) {
    invalidKey(text({ witnesses: [first, { ...second, pubkey }, third] }));
    const publicKey = Uint8Array.fromHex(pubkey);
    invalidKey(text({ log_vkey: encodeVkey({ ...network.logKey, publicKey }) }));
  }
});

Deno.test("a log_vkey is of type 0x01 and named as the network", () => {
  invalid(text({ log_vkey: encodeVkey({ ...network.logKey, name: "net.example/other" }) }));
  invalid(text({ log_vkey: encodeVkey({ ...network.logKey, type: NOTE_TYPE.cosignature }) }));
  invalidKey(text({ log_vkey: "" }), text({ log_vkey: `${configuration.log_vkey} ` }));
});

Deno.test("a witness's vkey is that of its id and pubkey", () => {
  const others = [
    encodeVkey(network.witnessKey(1)),
    encodeVkey({ ...network.witnessKey(0), type: NOTE_TYPE.ed25519 }),
    encodeVkey({ ...network.witnessKey(0), publicKey: signerOf("another").publicKey }),
    "",
  ];
  for (const vkey of others) invalid(text({ witnesses: [{ ...first, vkey }, second, third] }));
});

Deno.test("a scheme that is not known is refused", () => {
  invalid(text({ signature_scheme: "ED25519" }), text({ signature_scheme: "" }));
});

Deno.test("peers are distinct, well named, and not the network itself", () => {
  invalid(federating({ peer_networks: [{ id: "peer" }, { id: "peer" }] }));
  invalid(federating({ peer_networks: [{ id: configuration.id }] }));
  invalid(federating({ peer_networks: [{ id: "a b" }] }));
});

Deno.test("a configuration that was never parsed is checked as well", () => {
  checkNetwork(configuration, portableBlsVerifier);
  const pubkey = "not hex";
  const unparsed = { ...configuration, witnesses: [{ ...first!, pubkey }, second!, third!] };
  assertRefused(["not hex"], () => checkNetwork(unparsed, portableBlsVerifier), "invalid_key");
});

Deno.test("ML-DSA-44 vkeys have type 0x06, their owner's name, no duplicates, and only an ed25519 network has them", () => {
  const { configuration } = new TestNetwork("net.example/ml-dsa", { mlDsa: true });
  const [owner, ...others] = configuration.witnesses;
  const changed = (change: object) => JSON.stringify({ ...configuration, ...change });
  const owned = (vkey: string | undefined) =>
    changed({ witnesses: [{ ...owner, ml_dsa_vkey: vkey }, ...others] });
  assert.deepEqual(parseNetwork(changed({})), configuration);
  assert.equal(mlDsaLogKey(configuration)!.name, configuration.id);
  assert.equal(mlDsaWitnessKey(owner!)!.name, owner!.id);
  assert.equal(mlDsaWitnessKey(others[0]!), undefined);
  // Either key alone is enough.
  parseNetwork(owned(undefined));
  parseNetwork(changed({ log_ml_dsa_vkey: undefined }));
  const logKey = mlDsaLogKey(configuration)!;
  invalid(owned(configuration.log_ml_dsa_vkey), owned(encodeVkey({ ...logKey, name: "another" })));
  invalid(owned(encodeVkey({ ...logKey, name: owner!.id })));
  invalid(changed({ log_ml_dsa_vkey: owner!.ml_dsa_vkey }));
  invalidKey(owned(configuration.log_vkey), owned(""), owned(`${owner!.ml_dsa_vkey} `));
  invalidKey(changed({ log_ml_dsa_vkey: configuration.log_vkey }));
  const blsNetwork = new TestNetwork("net.example/bls", { scheme: "bls" }).configuration;
  const key = { ...logKey, name: blsNetwork.id };
  invalid(JSON.stringify({ ...blsNetwork, log_ml_dsa_vkey: encodeVkey(key) }));
});
