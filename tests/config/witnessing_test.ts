import assert from "node:assert/strict";
import type { ErrorCode } from "../../src/base/errors.ts";
import { WITNESSING, witnessingOf } from "../../src/config/witnessing.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { fromHex, utf8 } from "../../src/base/bytes.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { parseStrictJson } from "../../src/proof/format/strict_json.ts";
import { TestNetwork } from "../proof/verify/test_network.ts";

const network = new TestNetwork("net.example/home", { mlDsa: true });
const { configuration } = network;
const URL = "https://witness.example/prefix";

function vkeyOf(name: string, type: number = NOTE_TYPE.cosignature, seed = name): string {
  const { publicKey } = new Ed25519Signer(sha256(utf8(seed)));
  return encodeVkey({ name, type, publicKey });
}

const [a, b] = [vkeyOf("a.example"), vkeyOf("b.example")];
const [own] = configuration.witnesses.map(({ id: name, pubkey }) =>
  encodeVkey({ name, type: NOTE_TYPE.cosignature, publicKey: fromHex(pubkey) })
);

function read(witnessing: unknown, insecure = false, given = configuration) {
  const code = "malformed_configuration";
  const context = { where: "network.json.witnessing", code, insecure } as const;
  const member = witnessing === undefined
    ? undefined
    : WITNESSING.parse(parseStrictJson(JSON.stringify(witnessing), code), context);
  return witnessingOf(member, given, { insecure });
}

Deno.test("foreign witnesses are those with a URL in the policy, and those in the list", () => {
  const alone = { policy: "quorum none\n", intervalSeconds: 60, witnesses: [] };
  assert.deepEqual([read(undefined), read({})], [alone, alone]);
  const plain = new TestNetwork("net.example/home").configuration;
  assert.equal(read(undefined, false, plain), undefined);
  assert.deepEqual(read({}, false, plain), { ...alone, intervalSeconds: 10 });
  const policy = [
    `log ${configuration.log_vkey}`,
    `witness one ${a} ${URL}`,
    `witness own ${own}`,
    `witness own-ml-dsa ${configuration.witnesses[0]!.ml_dsa_vkey}`,
    "group all all one own",
    "quorum all",
  ];
  const publicUrl = "https://public.example/";
  const witnesses = [
    { vkey: b, url: "https://b.example/" },
    { vkey: a, interval_seconds: 60, public_url: publicUrl },
  ];
  assert.deepEqual(read({ policy, interval_seconds: 5, witnesses }), {
    policy: `${policy.join("\n")}\n`,
    intervalSeconds: 5,
    witnesses: [
      { name: "a.example", url: URL, publicUrl, vkeys: [a], intervalSeconds: 60 },
      { name: "b.example", url: "https://b.example/", vkeys: [b], intervalSeconds: 0 },
    ],
  });
  // Two keys of one witness are asked for with one request.
  const keys = [a, vkeyOf("a.example", NOTE_TYPE.cosignature, "next")];
  assert.deepEqual(
    read({ witnesses: keys.map((vkey) => ({ vkey, url: URL })) })!.witnesses,
    [{ name: "a.example", url: URL, vkeys: keys, intervalSeconds: 0 }],
  );
});

const REFUSED: readonly [unknown, ErrorCode][] = [
  [{ policy: "quorum none" }, "malformed_configuration"],
  [{ policy: ["quorum x"] }, "invalid_configuration"],
  [{ policy: [`log ${vkeyOf("other.example", 1)}`, "quorum none"] }, "invalid_configuration"],
  [{ policy: [`witness one ${a}`, "quorum one"] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a, url: "http://witness.example" }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a, url: "https://user@witness.example" }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a, url: URL, public_url: "javascript:x" }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: "a.example", url: URL }] }, "invalid_key"],
  [{ witnesses: [{ vkey: vkeyOf("a.example", 1), url: URL }] }, "invalid_key"],
  [{ witnesses: [{ vkey: own, url: URL }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a, url: URL }, { vkey: a, url: URL }] }, "invalid_configuration"],
  [{ witnesses: [{ vkey: a, url: URL, interval: 1 }] }, "malformed_configuration"],
  [{ witnesses: [{ vkey: a, url: URL, interval_seconds: 86_401 }] }, "invalid_configuration"],
  [{ interval_seconds: 86_401 }, "invalid_configuration"],
  [{ interval_seconds: -1 }, "malformed_configuration"],
  [
    {
      policy: [`witness one ${a} ${URL}`, "quorum one"],
      witnesses: [{ vkey: vkeyOf("z.example", NOTE_TYPE.cosignature, "a.example") }],
    },
    "invalid_configuration",
  ],
  [
    {
      witnesses: ["x", "y"].map((seed) => ({
        vkey: vkeyOf("a.example", NOTE_TYPE.cosignature, seed),
        url: `${URL}/${seed}`,
      })),
    },
    "invalid_configuration",
  ],
  [
    {
      witnesses: Array.from(
        { length: 33 },
        (_, i) => ({ vkey: vkeyOf(`w${i}.example`), url: `${URL}/${i}` }),
      ),
    },
    "invalid_configuration",
  ],
];

Deno.test("a configuration whose cosignatures exceed one record is refused", () => {
  const witnesses = Array.from({ length: 12 }, (_, i) => ({
    vkey: encodeVkey({
      name: `w${i}.example`,
      type: NOTE_TYPE.mlDsaCosignature,
      publicKey: new Uint8Array(1_312).fill(i),
    }),
    url: `${URL}/${i}`,
  }));
  assert.equal(read({ witnesses: witnesses.slice(1) })!.witnesses.length, 11);
  assert.throws(() => read({ witnesses }), { code: "invalid_configuration" });
});

Deno.test("unusable witnessing members are refused", () => {
  for (const [witnessing, code] of REFUSED) {
    assert.throws(() => read(witnessing), { code }, JSON.stringify(witnessing));
  }
  assert.ok(read({ witnesses: [{ vkey: a, url: "http://witness.example" }] }, true));
});
