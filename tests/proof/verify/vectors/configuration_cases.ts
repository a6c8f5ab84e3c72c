/**
 * Configurations of networks.
 *
 * @module
 */

import { hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { popProve } from "../../../../src/proof/crypto/bls.ts";
import { portableKernels } from "../../../../src/proof/crypto/portable_kernels.ts";
import { encodeVkey, NOTE_TYPE } from "../../../../src/proof/format/note_key.ts";
import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import { bls } from "../../../schemes.ts";
import { digestOf, signerOf } from "../test_network.ts";
import { edit, edits, print, type RawJson, rawOf } from "./raw_json.ts";
import type { Vector } from "./vector.ts";
import type { Home } from "./world.ts";
import { generateKey } from "../../../../src/proof/crypto/bls_key_gen.ts";

/** Encodings of points of Ed25519 that no key may have. */
const BAD_ED25519_KEYS: readonly (readonly [name: string, pubkey: string])[] = [
  ["the identity", "01".padEnd(64, "0")],
  ["a point of order 8", "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"],
  ["y of at least p", `ee${"ff".repeat(30)}7f`],
  ["a string that is no point", `02${"00".repeat(31)}`],
];

/** Every case of a home network's configuration. */
export function configurationCases({ scheme, network }: Home): Vector[] {
  const good = publicNetwork(network.configuration);
  const make = (name: string, rules: readonly string[], json: RawJson | object): Vector => ({
    name: `${scheme}: configuration ${name}`,
    kind: "configuration",
    ...(rules.length > 0 && { rules }),
    input: print(typeof json === "string" || "members" in json ? json as RawJson : rawOf(json)),
  });
  const [w1, w2, w3] = good.witnesses.map((witness) => ({ ...witness }));
  const witnesses = (...list: readonly unknown[]) => ({ ...good, witnesses: list });
  const { federation: _, ...unfederated } = good;
  const { log_vkey: __, ...logless } = good;
  const peersOf = (...peer_networks: readonly object[]) => ({
    ...good,
    federation: { ...good.federation, peer_networks },
  });
  const vkey = (name: string, type: number, publicKey = network.log.publicKey) =>
    encodeVkey({ name, type, publicKey });
  const raw = rawOf(good);
  return [
    make("as published", ["C13"], good),
    make("without federation", ["C12"], unfederated),
    make("without a log key", ["C13"], logless),
    make("with merge_delay_seconds", ["C13"], { ...good, merge_delay_seconds: 60 }),
    make("with unknown members", ["C1"], {
      ...good,
      extra: 1.5,
      witnesses: [{ ...w1, url: "https://w1.example" }, w2, w3],
    }),
    make("of an id with a space", ["C2"], { ...good, id: "a b" }),
    make("of an id of 96 characters", ["C2"], { ...logless, id: "a".repeat(96) }),
    make("of an id of 97 characters", ["C2"], { ...good, id: "a".repeat(97) }),
    make("of an id that begins with a dot", ["C2"], { ...good, id: ".example" }),
    make("of a reserved id", ["C2"], { ...good, id: "countersign/x" }),
    make("of another scheme", ["C3"], { ...good, signature_scheme: "rsa" }),
    make("of threshold 0", ["C4"], { ...good, threshold: 0 }),
    make("of a threshold above its witnesses", ["C4"], { ...good, threshold: 4 }),
    make("of a threshold of all witnesses", ["C13"], { ...good, threshold: 3 }),
    make("without witnesses", ["C4"], witnesses()),
    make("with a witness id of 112 characters", ["C5", "J9"], {
      ...withoutVkeys(witnesses({ ...w1, id: "w".repeat(112) }, w2, w3)),
    }),
    make(
      "with a witness id with a plus",
      ["C5"],
      withoutVkeys(witnesses({ ...w1, id: "w+1" }, w2, w3)),
    ),
    make("with a witness id twice", ["C5"], withoutVkeys(witnesses(w1, { ...w2, id: w1!.id }, w3))),
    make(
      "with a witness of another scheme's key",
      ["J5"],
      witnesses(
        { ...w1, pubkey: "00".repeat(scheme === "bls" ? 32 : 96) },
        w2,
        w3,
      ),
    ),
    make("with a key twice", ["C10"], witnesses(w1, keyOf(w1!, w2!.id, scheme), w3)),
    make("with a log key of another name", ["C9"], {
      ...good,
      log_vkey: vkey("other.example/log", NOTE_TYPE.ed25519),
    }),
    make("with a log key of type 0x04", ["C9"], {
      ...good,
      log_vkey: vkey(good.id, NOTE_TYPE.cosignature),
    }),
    make("with a log key of another key ID", ["C9"], {
      ...good,
      log_vkey: good.log_vkey!.replace(/\+[0-9a-f]{8}\+/, "+00000000+"),
    }),
    make("with a log key of small order", ["C6"], {
      ...good,
      log_vkey: vkey(good.id, NOTE_TYPE.ed25519, Uint8Array.fromHex(BAD_ED25519_KEYS[0]![1])),
    }),
    make("with a peer twice", ["C11"], peersOf({ id: "a.example" }, { id: "a.example" })),
    make("with itself as a peer", ["C11"], peersOf({ id: good.id })),
    make("with a peer id with a space", ["C11"], peersOf({ id: "a b" })),
    make(
      "with a peer's gateway_url",
      ["C13"],
      peersOf({ id: "a.example", gateway_url: "https://a.example" }),
    ),
    make("with federation without a threshold", ["C12"], {
      ...good,
      federation: { enabled: true, peer_networks: [] },
    }),
    make("with federation null", ["C12"], { ...good, federation: null }),
    make("with a fraction of a threshold", ["J4"], edit(raw, "threshold", () => "2.0")),
    make("with a member twice", ["J2"], print(raw).replace("{", '{"threshold":1,')),
    ...(scheme === "ed25519"
      ? listKeys(witnesses, w1!, w2!, w3!)
      : aggregateKeys(witnesses, w1!, w2!, w3!))
      .map(([name, rules, value]) => make(name, rules, value)),
    ...[...edits(raw)].filter(({ name }) =>
      !/^(witnesses\[[12]|federation\.peer_networks\[[1-4])/.test(name) &&
      (scheme === "ed25519" || name.startsWith("witnesses"))
    ).map(({ name, json }) => make(name, [], json)),
  ];
}

type Case = readonly [name: string, rules: readonly string[], value: object];
type WitnessMembers = { readonly id: string; readonly pubkey: string };

function listKeys(
  witnesses: (...list: unknown[]) => object,
  w1: WitnessMembers,
  w2: WitnessMembers,
  w3: WitnessMembers,
): Case[] {
  const keyed = (pubkey: string) => witnesses({ id: w1.id, pubkey }, w2, w3);
  return [
    ...BAD_ED25519_KEYS.map((
      [name, pubkey],
    ): Case => [`with ${name} as a key`, ["C6"], keyed(pubkey)]),
    ["without vkeys", ["C7"], witnesses(...[w1, w2, w3].map(({ id, pubkey }) => ({ id, pubkey })))],
    ["with the vkey of another witness", ["C7"], witnesses({ ...w1, pubkey: w2.pubkey }, w3)],
    [
      "with the log's key as a witness",
      ["C10"],
      keyed(hexOf(signerOf("home.example/ed25519/log").publicKey)),
    ],
  ];
}

function aggregateKeys(
  witnesses: (...list: unknown[]) => object,
  w1: WitnessMembers,
  w2: WitnessMembers,
  w3: WitnessMembers,
): Case[] {
  const { id, pubkey } = w1;
  const secret = generateKey(portableKernels.sha256(utf8("another")));
  return [
    ["with a vkey", ["C7"], witnesses({ ...w1, vkey: "x" }, w2, w3)],
    ["without a proof of possession", ["C8"], witnesses({ id, pubkey }, w2, w3)],
    [
      "with a proof of another key",
      ["C8"],
      witnesses(
        { ...w1, proof_of_possession: hexOf(popProve(bls, secret)) },
        w2,
        w3,
      ),
    ],
    [
      "with the identity as a key",
      ["C8"],
      witnesses({ ...w1, pubkey: "c0".padEnd(192, "0") }, w2, w3),
    ],
    [
      "with a string that is no point",
      ["C8"],
      witnesses({ ...w1, pubkey: digestOf("x").repeat(3) }, w2, w3),
    ],
  ];
}

/** The key of `witness` under another id. */
function keyOf(witness: object, id: string, scheme: string): object {
  const { vkey: _, ...members } = { vkey: undefined, ...witness };
  return scheme === "bls" ? { ...witness, id } : { ...members, id };
}

function withoutVkeys(configuration: object): object {
  const { witnesses, ...rest } = configuration as { witnesses: object[] };
  return {
    ...rest,
    witnesses: witnesses.map((witness) => {
      const { vkey: _, ...members } = { vkey: undefined, ...witness };
      return members;
    }),
  };
}
