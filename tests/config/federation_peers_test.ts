import assert from "node:assert/strict";
import { join } from "node:path";
import { hexOf, utf8 } from "../../src/base/bytes.ts";
import { loadFederation } from "../../src/config/federation_peers.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { loadToken } from "../../src/config/bearer_tokens.ts";
import type { SecretSource } from "../../src/config/settings.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { verifySignedTreeHead } from "../../src/proof/verify/tree_head.ts";
import { nativeCrypto } from "../schemes.ts";
import { threeEpochs } from "../proof/verify/test_succession.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { inFolder } from "../server/captured_io.ts";

type Members = Record<string, unknown>;

const TOKENS = ["out", "in", "old"].map((name) => `token-called-${name}-0123456789abcdef`) as [
  string,
  string,
  string,
];

function publicKeyOf(name: string) {
  return new Ed25519Signer(portableKernels.sha256(utf8(name))).publicKey;
}

/** The public configuration of a network whose keys follow from its id. */
function publicFile(id: string, members: Members = {}): Members {
  return {
    id,
    threshold: 2,
    signature_scheme: "ed25519",
    witnesses: [1, 2, 3].map((i) => ({
      id: `${id}/w${i}`,
      pubkey: hexOf(publicKeyOf(`${id}/w${i}`)),
    })),
    log_vkey: encodeVkey({ name: id, type: NOTE_TYPE.ed25519, publicKey: publicKeyOf(id) }),
    ...members,
  };
}

function operatorFile(peers: readonly Members[], members: Members = {}): string {
  const { witnesses, ...rest } = publicFile("home.example");
  return JSON.stringify({
    ...rest,
    witnesses: (witnesses as Members[]).map((witness, i) => ({
      ...witness,
      key_file: `w${i}.key`,
      state_file: `w${i}.kv`,
    })),
    log_key_file: "log.key",
    federation: { enabled: true, cross_anchor_threshold: 1, peer_networks: peers, ...members },
  });
}

const PEER = {
  id: "peer.example",
  config_file: "peer.json",
  federation_url: "https://peer.example",
  token_file: "out.token",
  accept_token_file: "in.token",
  accept_previous_token_env: "COUNTERSIGN_TOKEN_OLD",
  accept_previous_until: 1_800_000_000,
};

/** A folder with a pinned peer, another one and all tokens. */
function inOperatorsFolder(
  name: string,
  test: (at: {
    readonly load: (peers: readonly Members[], env?: Record<string, string>) => ReturnType<
      typeof loadFederation
    >;
    readonly write: (name: string, value: unknown) => Promise<void>;
    readonly folder: string;
  }) => Promise<void>,
): void {
  Deno.test(name, () =>
    inFolder(async (folder) => {
      const write = async (name: string, value: unknown) => {
        const text = typeof value === "string" ? value : JSON.stringify(value);
        await Deno.writeTextFile(join(folder, name), text, { mode: 0o600 });
      };
      await write("peer.json", publicFile("peer.example"));
      await write("other.json", publicFile("other.example"));
      await write("out.token", `${TOKENS[0]}\n`);
      await write("in.token", TOKENS[1]);
      await test({
        folder,
        write,
        load(peers, env = { COUNTERSIGN_TOKEN_OLD: TOKENS[2] }) {
          const operator = parseOperatorNetwork(operatorFile(peers), join(folder, "network.json"));
          return loadFederation(operator.network, operator.federation, {
            env: (name) => env[name],
          });
        },
      });
    }));
}

function withCode(code: ErrorCode, words = /./) {
  return (error: unknown) => {
    assert.ok(error instanceof CountersignError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    for (const token of TOKENS) assert.ok(!error.message.includes(token), "a secret is quoted");
    return true;
  };
}

inOperatorsFolder(
  "a peer is loaded with its tokens from files and environment",
  async ({ load }) => {
    const [peer, ...others] = await load([PEER, { id: "named.example" }]);
    assert.deepEqual(others, [], "one without a pinned configuration is public policy alone");
    assert.equal(peer!.network.id, "peer.example");
    assert.equal(peer!.minWitnesses, 2, "the peer's threshold");
    assert.deepEqual(peer!.outbound, { urls: ["https://peer.example"], token: TOKENS[0] });
    assert.deepEqual(peer!.accept, {
      token: TOKENS[1],
      previous: { token: TOKENS[2], until: 1_800_000_000 },
    });
  },
);

inOperatorsFolder("a peer is followed to its present epoch", async ({ load, write }) => {
  const { epochs, links, log } = threeEpochs("ed25519", "peer.example");
  await write("peer.json", publicNetwork(epochs[0].configuration));
  await write("chain.json", links);
  const peer = { ...PEER, succession_file: "chain.json" };
  const [loaded] = await load([peer]);
  assert.equal(loaded!.network.epoch, 2);
  assert.equal(loaded!.minWitnesses, 3);
  assert.equal(loaded!.network.log_vkey, epochs[2].configuration.log_vkey);
  for (const [epoch, size] of [[0, 8], [1, 9], [2, 17]] as const) {
    const sth = epochs[epoch].signHead(log.head(size, 1_766_279_000));
    assert.equal((await verifySignedTreeHead(nativeCrypto, loaded!.network, sth)).valid, true);
  }
  await write("chain.json", [links[1]]);
  await assert.rejects(load([peer]), withCode("invalid_configuration", /succession_unrelated/));
});

inOperatorsFolder("a token's file that others may read is refused", async ({ load, folder }) => {
  await Deno.chmod(join(folder, "in.token"), 0o640);
  await assert.rejects(load([PEER]), withCode("file_failed", /in\.token.*0640.*chmod 600/));
});

inOperatorsFolder("what a token cannot be read from is named", async ({ load, write }) => {
  await assert.rejects(
    load([PEER], {}),
    withCode("invalid_configuration", /COUNTERSIGN_TOKEN_OLD/),
  );
  await write("out.token", "short");
  await assert.rejects(load([PEER]), withCode("invalid_configuration", /out\.token/));
  await assert.rejects(
    load([{ ...PEER, token_file: "absent.token" }]),
    withCode("configuration_missing", /absent\.token/),
  );
});

inOperatorsFolder(
  "a peer's configuration has to be that of the peer, with keys of its own",
  async ({ load, write }) => {
    const refused = async (members: Members, code: ErrorCode, words: RegExp) => {
      await write("peer.json", publicFile("peer.example", members));
      await assert.rejects(load([PEER]), withCode(code, words));
    };
    await refused({ log_vkey: undefined }, "invalid_configuration", /log_vkey is missing/);
    await refused({ threshold: 4 }, "invalid_configuration", /threshold/);
    const { witnesses } = publicFile("home.example");
    await refused({ witnesses, threshold: 1 }, "invalid_configuration", /also a key of/);
    await write("peer.json", publicFile("other.example"));
    await assert.rejects(
      load([PEER]),
      withCode("invalid_configuration", /configuration of other\.example/),
    );
    const other = { id: "other.example", config_file: "other.json" };
    await write("other.json", {
      ...publicFile("other.example"),
      witnesses: publicFile("peer.example").witnesses,
    });
    await write("peer.json", publicFile("peer.example"));
    await assert.rejects(load([PEER, other]), withCode("invalid_configuration", /also a key of/));
  },
);

inOperatorsFolder(
  "min_witnesses is from the peer's threshold to its witnesses",
  async ({ load }) => {
    for (const count of [1, 4]) {
      const peer = { ...PEER, min_witnesses: count };
      await assert.rejects(load([peer]), withCode("invalid_configuration", /from 2.* to 3/));
    }
    assert.equal((await load([{ ...PEER, min_witnesses: 3 }]))[0]!.minWitnesses, 3);
  },
);

inOperatorsFolder(
  "an accepted token is one peer's, and is not its own successor",
  async ({ load }) => {
    const env = { COUNTERSIGN_TOKEN_OLD: TOKENS[1] };
    await assert.rejects(
      load([PEER], env),
      withCode("invalid_configuration", /has the same token/),
    );
    const other = {
      id: "other.example",
      config_file: "other.json",
      accept_token_env: "COUNTERSIGN_TOKEN_OLD",
    };
    await assert.rejects(
      load([PEER, other]),
      withCode("invalid_configuration", /has the same token/),
    );
  },
);

Deno.test("members of a peer's entry that require each other must occur together", () => {
  const parse = (peer: Members, members?: Members) =>
    parseOperatorNetwork(operatorFile([peer], members), "/etc/network.json");
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(PEER).filter(([name]) => !names.includes(name)));
  parse(PEER);
  const both = ["https://a.peer.example", "https://b.peer.example"];
  const { federation } = parse({ ...PEER, federation_url: both });
  assert.deepEqual(federation.peers[0]!.federationUrl, both);
  parse(without("federation_url", "token_file"));
  parse({ id: "peer.example" });
  const refused: [Members, Members?][] = [
    [without("token_file")],
    [without("federation_url")],
    [without("config_file")],
    [without("accept_token_file")],
    [without("accept_previous_until")],
    [without("accept_previous_token_env")],
    [{ ...PEER, token_env: "COUNTERSIGN_TOKEN_OUT" }],
    [{ ...PEER, accept_previous_token_env: "HOME" }],
    [{ ...PEER, federation_url: "http://peer.example" }],
    [{ ...PEER, federation_url: "https://user:secret@peer.example" }],
    [{ ...PEER, federation_url: [] }],
    [{ ...PEER, federation_url: ["https://peer.example"] }],
    [{ ...PEER, federation_url: ["https://peer.example", "https://peer.example"] }],
    [{ ...PEER, federation_url: ["https://a.peer.example", "http://b.peer.example"] }],
    [PEER, { cross_anchor_threshold: 2 }],
    [PEER, { interval_seconds: 86_401 }],
  ];
  for (const [peer, members] of refused) {
    assert.throws(
      () => parse(peer, members),
      withCode("invalid_configuration"),
      JSON.stringify([peer, members]),
    );
  }
  assert.equal(parse(PEER, { interval_seconds: 30 }).federation.intervalSeconds, 30);
});

Deno.test("an operator listener beyond loopback needs a token", () => {
  const parse = (operator: Members) => {
    const file = JSON.stringify({ ...JSON.parse(operatorFile([PEER])), operator });
    return parseOperatorNetwork(file, "/etc/network.json").operator;
  };
  const token: SecretSource = { kind: "file", path: "/etc/op.token" };
  assert.deepEqual(parse({ host: "127.0.0.1", port: 0 }), { host: "127.0.0.1", port: 0 });
  for (const host of ["0.0.0.0", "::", "192.0.2.1", "gateway.example"]) {
    assert.deepEqual(parse({ host, port: 9, token_file: "op.token" }), { host, port: 9, token });
    assert.throws(() => parse({ host, port: 9 }), withCode("invalid_configuration", /loopback/));
  }
  for (const host of ["localhost", "127.1.2.3", "::1"]) parse({ host, port: 9 });
  for (const bad of [{ host: "", port: 9 }, { host: "::1", port: 65_536 }]) {
    assert.throws(() => parse(bad), withCode("invalid_configuration"));
  }
  const both = { host: "::1", port: 1, token_file: "a", token_env: "COUNTERSIGN_TOKEN_A" };
  assert.throws(() => parse(both), withCode("invalid_configuration", /both/));
});

Deno.test("only one final newline is removed from a token's file", () =>
  inFolder(async (folder) => {
    const path = join(folder, "a.token");
    const reading = { env: () => undefined };
    for (const [end, accepted] of [["", 1], ["\n", 1], ["\r\n", 1], ["\n\n", 0], [" \n", 0]]) {
      await Deno.writeTextFile(path, `${TOKENS[0]}${end}`, { mode: 0o600 });
      const loaded = loadToken({ kind: "file", path }, reading);
      if (accepted === 1) assert.equal(await loaded, TOKENS[0]);
      else await assert.rejects(loaded, withCode("invalid_configuration"));
    }
  }));
