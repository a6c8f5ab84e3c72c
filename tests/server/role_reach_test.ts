import assert from "node:assert/strict";
import { utf8 } from "../../src/base/bytes.ts";
import { sha256 } from "../../src/proof/crypto/hashing.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import {
  frontReach,
  gatewayReach,
  issuerReach,
  sequencerReach,
  signerReach,
} from "../../src/server/roles/role_reach.ts";
import { witnessReach } from "../../src/server/roles/witness_reach.ts";
import { HOST_ID_FILE } from "../../src/storage/store_location.ts";
import { parseKeyReference } from "../../src/config/key_reference.ts";
import { keyPermissions, permissionsOfKeys } from "../../src/server/roles/key_reach.ts";
import { parseSignerNode } from "../../src/config/signer_node.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { PAGE_URLS } from "../../src/http/gateway/explorer_assets.ts";
import { bls } from "../schemes.ts";
import { inFolder } from "./captured_io.ts";

const PAGE = PAGE_URLS.map((url) => fileURLToPath(url));
const EVERY_GATEWAY = ["/etc/machine-id", ...PAGE];

/** Members in which everything is named that a gateway may reach, each by another name. */
function vkeyOf(name: string): string {
  return encodeVkey({ name, type: NOTE_TYPE.cosignature, publicKey: sha256(utf8(name)) });
}

const EVERYTHING = {
  event_sockets: { port: 8082 },
  operator: { host: "::1", port: 8181, token_file: "secrets/operator" },
  federation: {
    enabled: true,
    cross_anchor_threshold: 1,
    peer_networks: [{
      id: "peer.example",
      gateway_url: "https://public.example/",
      config_file: "peer.json",
      federation_url: "https://peer.example:8443/x",
      token_env: "COUNTERSIGN_TOKEN_OUT",
      accept_token_file: "/secrets/in",
      accept_previous_token_env: "COUNTERSIGN_TOKEN_OLD",
      accept_previous_until: 4_000_000_000,
    }, { id: "named.example", gateway_url: "https://named.example/" }],
  },
  anchors: [
    { provider: "rfc3161", mode: "required", url: "https://tsa.example/a", roots_file: "a.pem" },
    {
      provider: "opentimestamps",
      mode: "best_effort",
      calendars: ["https://one.example", "https://two.example"],
    },
    {
      provider: "rekor",
      mode: "best_effort",
      url: "https://rekor.example/",
      key_file: "rekor.key",
      trusted_root_file: "../root.json",
    },
    { provider: "rfc3161", name: "off", mode: "off", url: "https://off.example/" },
  ],
  admission: {
    mode: "token_required",
    issuers: [
      {
        name: "followed.example",
        url: "https://issuer.example:8070/",
        follow: true,
      },
    ],
  },
  beacon: { relays: ["https://drand.example/", "https://relay.example/"] },
  witnessing: {
    policy: [`witness north ${vkeyOf("north.example")} https://north.example/`, "quorum north"],
    witnesses: [{ vkey: vkeyOf("south.example"), url: "https://south.example/w/" }],
  },
  timestamping: { key_file: "tsa.key", certificates_file: "/public/tsa.pem" },
  publish: {
    bucket: "s3://tiles",
    region: "eu-1",
    endpoint: "https://bucket.example/",
    access_key_id: "KEY",
    secret_access_key_env: "COUNTERSIGN_TOKEN_BUCKET",
  },
};

type Kind = "remote" | "embedded";

async function network(root: string, kind: Kind, members: object) {
  const out = join(root, kind);
  const plan = { witnesses: 3, threshold: 2, basePort: 9001, id: "net.example" } as const;
  await createNetwork({ ...plan, kind, scheme: "ed25519", out }, bls);
  const networkFile = join(out, "network.json");
  const json = { ...JSON.parse(await Deno.readTextFile(networkFile)), ...members };
  const operator = parseOperatorNetwork(JSON.stringify(json), networkFile, { bls });
  return { out, networkFile, operator, json };
}

function checkSame(found: readonly string[], expected: readonly string[]): void {
  assert.deepEqual([...found].toSorted(), [...expected].toSorted());
}

Deno.test("gatewayReach() has everything that the configuration names, but no public URL of a peer that is not followed", () =>
  inFolder(async (root) => {
    const { out, networkFile, operator } = await network(root, "remote", EVERYTHING);
    const places = { dataFolder: join(root, "data"), networkFile, isTrial: false };
    const options = { host: "0.0.0.0", port: 80, operatorPort: 0 };
    const reach = gatewayReach(operator, options, places);
    assert.deepEqual(reach.listeners, [
      { host: "0.0.0.0", port: 80 },
      { host: "::1", port: 0 },
      { host: "0.0.0.0", port: 8082 },
    ]);
    const moved = gatewayReach(operator, { ...options, eventSocketsPort: 81 }, places);
    assert.deepEqual(moved.listeners.at(-1), { host: "0.0.0.0", port: 81 });
    checkSame(reach.services, [
      ...[9001, 9002, 9003].map((port) => `http://127.0.0.1:${port}`),
      "https://peer.example:8443/x",
      "https://public.example/",
      "https://tsa.example/a",
      "https://one.example",
      "https://two.example",
      "https://rekor.example/",
      "https://drand.example/",
      "https://relay.example/",
      "https://north.example/",
      "https://south.example/w/",
      "https://issuer.example:8070/",
      "https://bucket.example/",
    ]);
    checkSame(reach.reads, [
      ...EVERY_GATEWAY,
      networkFile,
      operator.logKeyFile,
      ...["successor.json", "succession.json"].map((file) => join(out, file)),
      ...["secrets/operator", "peer.json", "a.pem", "rekor.key", "../root.json", "tsa.key"].map((
        file,
      ) => resolve(out, file)),
      "/secrets/in",
      "/public/tsa.pem",
    ]);
    assert.deepEqual(reach.writes, [places.dataFolder]);
    const open = { ...EVERYTHING, admission: { ...EVERYTHING.admission, mode: "open" } };
    const { operator: opened } = await network(join(root, "open"), "remote", open);
    const less = gatewayReach(opened, { host: "0.0.0.0", port: 80, operatorPort: 0 }, places);
    checkSame([...less.services, "https://issuer.example:8070/"], reach.services);
    checkSame(reach.variables, [
      "NO_COLOR",
      "COUNTERSIGN_TOKEN_OUT",
      "COUNTERSIGN_TOKEN_OLD",
      "COUNTERSIGN_TOKEN_BUCKET",
    ]);
  }));

Deno.test("a front listens for clients, and reads databases and the key for time stamps; the sequencer has the rest", () =>
  inFolder(async (root) => {
    const { out, networkFile, operator } = await network(root, "remote", EVERYTHING);
    const places = { dataFolder: join(root, "data"), networkFile, isTrial: false };
    const options = { host: "0.0.0.0", port: 80, operatorPort: 0 };
    const all = gatewayReach(operator, options, places);
    const front = frontReach(operator, options, places);
    const [clients, operators, eventSockets] = all.listeners;
    assert.deepEqual(front.listeners, [clients, eventSockets]);
    const databases = ["store.kv", "anchors.kv"].flatMap((name) =>
      ["", "-wal", "-shm"].map((suffix) => join(root, "data", name + suffix))
    );
    const forStamps = [join(out, "tsa.key"), "/public/tsa.pem"];
    checkSame(front.reads, [...PAGE, ...databases, ...forStamps]);
    assert.deepEqual(front.variables, ["NO_COLOR"]);
    assert.deepEqual([front.services, front.writes, front.systemInfo ?? []], [[], [], []]);
    assert.deepEqual(sequencerReach(operator, options, places), {
      ...all,
      listeners: [operators],
      reads: all.reads.filter((file) => !PAGE.includes(file)),
    });
  }));

Deno.test("gatewayReach() has the keys and states of embedded witnesses in any folder", () =>
  inFolder(async (root) => {
    const { networkFile, operator, json } = await network(root, "embedded", {
      publish: { directory: "public" },
    });
    const places = { dataFolder: join(root, "data"), networkFile, isTrial: false };
    const reach = gatewayReach(operator, { host: "127.0.0.1", port: 80 }, places);
    assert.deepEqual(reach.services, []);
    const paths = (member: string): string[] =>
      json.witnesses.map((witness: Record<string, string>) =>
        resolve(root, "embedded", witness[member]!)
      );
    const keys = [operator.logKeyFile, ...paths("key_file")];
    const prepared = ["successor.json", "succession.json"].map((file) =>
      resolve(root, "embedded", file)
    );
    checkSame(reach.reads, [...EVERY_GATEWAY, networkFile, ...prepared, ...keys]);
    checkSame(reach.writes, [
      places.dataFolder,
      resolve(root, "embedded", "public"),
      ...paths("state_file").flatMap((file) => [
        file,
        `${file}.lock`,
        `${file}.rounds.0`,
        `${file}.rounds.1`,
        `${file}.probe`,
      ]),
    ]);
  }));

Deno.test("gatewayReach() of a new trial network has its data folder and ports", () => {
  const places = { dataFolder: "/data", networkFile: "/data/network/network.json", isTrial: true };
  const options = { host: "127.0.0.1", port: 0, operatorPort: 81 };
  assert.deepEqual(gatewayReach(undefined, options, places), {
    listeners: [{ host: "127.0.0.1", port: 0 }, { host: "127.0.0.1", port: 81 }],
    services: [],
    reads: [
      places.networkFile,
      "/data/network/successor.json",
      "/data/network/succession.json",
      ...EVERY_GATEWAY,
    ],
    writes: ["/data"],
    variables: ["NO_COLOR"],
    systemInfo: ["statfs"],
  });
});

Deno.test("witnessReach() has its key, state and port", () =>
  inFolder(async (root) => {
    const { out } = await network(root, "remote", {});
    const file = join(out, "witness-2", "witness.json");
    const node = parseWitnessNode(await Deno.readTextFile(file), file);
    const { keyFile, stateFile } = node;
    // Before there is a succession.
    const succession = join(out, "witness-2", "succession.json");
    const further = { ...node, mlDsaKeyFile: "/etc/ml-dsa.key" };
    assert.deepEqual(witnessReach(further, file).reads, [
      file,
      keyFile,
      HOST_ID_FILE,
      "/etc/ml-dsa.key",
      succession,
    ]);
    const bastion = {
      url: new URL("https://bastion.example:8443"),
      certFile: "/etc/client.crt",
      keyFile: "/etc/client.key",
      caFile: "/etc/ca.crt",
    };
    const behind = witnessReach({ ...node, bastion }, file);
    assert.deepEqual(behind.services, ["https://bastion.example:8443/"]);
    assert.deepEqual(behind.reads.slice(4), ["/etc/client.crt", "/etc/client.key", "/etc/ca.crt"]);
    const logLists = { urls: ["https://lists.example/all"], intervalSeconds: 60 };
    const listing = witnessReach({ ...node, logsFile: "/etc/lists/logs.json", logLists }, file);
    assert.deepEqual(listing.services, logLists.urls);
    assert.equal(listing.writes.at(-1), "/etc/lists");
    assert.deepEqual(witnessReach(node, file), {
      listeners: [{ host: node.host, port: 9002 }],
      services: [],
      reads: [file, keyFile, HOST_ID_FILE, succession],
      writes: [
        stateFile,
        ...["lock", "rounds.0", "rounds.1", "probe", "quotas"].map((suffix) =>
          `${stateFile}.${suffix}`
        ),
      ],
      variables: ["NO_COLOR"],
    });
  }));

Deno.test("issuerReach() has its folder and port", () => {
  const options = { host: "127.0.0.1", port: 8070, data: "/issuer", rotate: false };
  assert.deepEqual(issuerReach(options), {
    listeners: [{ host: "127.0.0.1", port: 8070 }],
    services: [],
    reads: [],
    writes: ["/issuer"],
    variables: ["NO_COLOR"],
  });
});

Deno.test("signerReach() has its socket or port, its keys and its token", () => {
  const file = "/etc/signer/signer.json";
  const reach = (members: object) => {
    const text = JSON.stringify({ key_files: ["log.key"], ...members });
    return signerReach(parseSignerNode(text, file), file);
  };
  assert.deepEqual(reach({ socket: "/run/s.sock", token_file: "token" }), {
    listeners: [],
    services: ["unix:/run/s.sock"],
    reads: [file, "/etc/signer/log.key", "/etc/signer/token"],
    writes: ["/run/s.sock"],
    variables: ["NO_COLOR"],
  });
  const https = reach({
    host: "::1",
    port: 8443,
    cert_file: "tls.pem",
    tls_key_file: "tls.key",
    token_env: "COUNTERSIGN_TOKEN_SIGNER",
  });
  assert.deepEqual([https.listeners, https.services, https.writes], [
    [{ kind: "https", host: "::1", port: 8443, ...tlsFiles("/etc/signer") }],
    [],
    [],
  ]);
  checkSame(https.reads, [
    file,
    "/etc/signer/log.key",
    ...Object.values(tlsFiles("/etc/signer")),
  ]);
  assert.deepEqual(https.variables, ["NO_COLOR", "COUNTERSIGN_TOKEN_SIGNER"]);
  const tsa = { tsa_keys: [{ name: "example.org/tsa", key_file: "tsa.key" }] };
  assert.deepEqual(reach({ socket: "/run/s.sock", token_file: "token", ...tsa }).reads, [
    file,
    "/etc/signer/log.key",
    "/etc/signer/tsa.key",
    "/etc/signer/token",
  ]);
});

function tlsFiles(folder: string) {
  return { certFile: join(folder, "tls.pem"), keyFile: join(folder, "tls.key") };
}

Deno.test("key files that refer to keys elsewhere add what they name", async () => {
  const key = { kind: "log", name: "net.example", scheme: "ed25519", public_key: "ab".repeat(32) };
  const references = [
    { ...key, signer: "unix:/run/s.sock", token_file: "signer.token" },
    { ...key, signer: "https://signer.example/x", token_env: "COUNTERSIGN_TOKEN_SIGNER" },
    { age_file: "w1.age", passphrase_file: "/secrets/pass" },
    { age_file: "w2.age", identity_env: "COUNTERSIGN_TOKEN_AGE" },
  ].map((one) => parseKeyReference(JSON.stringify(one), "/etc/keys/file.key"));
  assert.deepEqual(permissionsOfKeys(references), {
    net: ["localhost:2", "signer.example:443", "unix:/run/s.sock"],
    read: [
      "/etc/keys/signer.token",
      "/etc/keys/w1.age",
      "/etc/keys/w2.age",
      "/run/s.sock",
      "/secrets/pass",
    ],
    write: ["/run/s.sock"],
    env: ["COUNTERSIGN_TOKEN_AGE", "COUNTERSIGN_TOKEN_SIGNER"],
    run: false,
    ffi: false,
    sys: [],
    import: false,
  });
  const none = await keyPermissions(["/nowhere/file.key"]);
  assert.deepEqual([none.net, none.read, none.write, none.env], [[], [], [], []]);
});
