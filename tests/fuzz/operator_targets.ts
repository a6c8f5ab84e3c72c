/**
 * Readers of operators' files (`src/config`) and of the command line (`src/cli`).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { adoptedHeads } from "../../src/cli/witness_run.ts";
import { base64UrlOf, textOf } from "../../src/base/bytes.ts";
import type { CliIo } from "../../src/server/io.ts";
import { HASH as HASH_VALUE } from "../../src/cli/options.ts";
import { readLogSigner, readWitnessSigner } from "../../src/config/key_file.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { readBucketPlace } from "../../src/config/publishing.ts";
import { readTextFile } from "../../src/config/text_file.ts";
import { KEY_LENGTH, parseKeyReference } from "../../src/config/key_reference.ts";
import { parseSignerNode } from "../../src/config/signer_node.ts";
import { readCertificateChain } from "../../src/config/timestamp_identity.ts";
import { newTimestampKey } from "../../src/config/timestamp_key.ts";
import { readTimestampSigner } from "../../src/config/timestamp_key_file.ts";
import { parseTimestampKeyReference } from "../../src/config/timestamp_key_reference.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { blindRsaKeyOf } from "../../src/proof/crypto/blind_rsa.ts";
import { Ed25519Signer } from "../../src/proof/crypto/ed25519_native.ts";
import { encodeVkey, NOTE_TYPE } from "../../src/proof/format/note_key.ts";
import { encodeNoteSecret } from "../../src/proof/format/note_secret.ts";
import { authority } from "../proof/timestamp/fixture.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import { bls } from "../schemes.ts";
import { ofText, type Target } from "./engine.ts";
import { HASH, sides } from "./valid_inputs.ts";

const TOKEN = "0123456789abcdefghijklmn";
const TOKEN_KEY = base64UrlOf(blindRsaKeyOf(new Uint8Array(256).fill(0xa1)).spki);
const CONFIGURATION_CODES = [
  "malformed_configuration",
  "invalid_configuration",
  "invalid_key",
] as const;

const FOREIGN = encodeVkey({
  name: "witness.example",
  type: NOTE_TYPE.cosignature,
  publicKey: new Uint8Array(32).fill(7),
});

/** The operator's file of a network whose witnesses are all remote, or all embedded. */
function operatorFile({ network }: (typeof sides)[number], kind: "remote" | "embedded"): string {
  const { witnesses, ...rest } = network.configuration;
  return JSON.stringify({
    ...rest,
    witnesses: witnesses.map((witness, i) => ({
      ...witness,
      ...(kind === "remote"
        ? { url: `http://127.0.0.1:${8081 + i}/`, token: `${TOKEN}${i}` }
        : { key_file: `w${i}.key`, state_file: `w${i}.kv` }),
    })),
    merge_delay_seconds: 60,
    log_key_file: "log.key",
    batch_max_age_ms: 100,
    batch_max_leaves: 500,
    beacon: { relays: ["https://relay.example", "http://127.0.0.1:8084/"], max_age_seconds: 60 },
    event_sockets: { host: "0.0.0.0", port: 8082 },
    timestamping: { key_file: "tsa.key", certificates_file: "tsa.pem", policy: "1.3.6.1.4.1.9.1" },
    publish: kind === "embedded" ? { directory: "public" } : {
      bucket: "s3://tiles/a/log",
      region: "eu-central-1",
      access_key_id: "KEY",
      endpoint: "https://s3.example/",
      secret_access_key_file: "bucket.secret",
      allow_unconditional: false,
    },
    witnessing: {
      policy: [`witness one ${FOREIGN} https://witness.example/`, "quorum one"],
      witnesses: [{ vkey: FOREIGN, interval_seconds: 60 }],
    },
    operator: { host: "0.0.0.0", port: 8090, token_env: "COUNTERSIGN_TOKEN_OPERATOR" },
    limits: {
      trusted_proxies: ["10.0.0.0/8", "2001:db8::1"],
      reads: { per_second: 10, burst: 20 },
      event_streams: { per_second: 1, burst: 2, open: 3 },
    },
    admission: {
      mode: "token_required",
      issuers: [
        {
          name: "issuer.example",
          url: "https://issuer.example",
          token_keys: [{ token_key: TOKEN_KEY, not_before: 5, not_after: 6 }],
        },
        { name: "followed.example", url: "https://issuer.example", follow: true },
      ],
    },
    federation: {
      enabled: true,
      cross_anchor_threshold: 1,
      interval_seconds: 5,
      peer_networks: [{
        id: "fuzz.example/peer",
        gateway_url: "https://peer.example/",
        min_witnesses: 2,
        config_file: "peer.json",
        federation_url: "https://peer.example/",
        token_file: "out",
        accept_token_file: "in",
        accept_previous_token_env: "COUNTERSIGN_TOKEN_OLD",
        accept_previous_until: 1_800_000_000,
      }],
    },
  });
}

const seed = new Uint8Array(32).fill(7);
const signer = new Ed25519Signer(seed);
const logKey = { name: "a/log", type: NOTE_TYPE.ed25519, publicKey: signer.publicKey };
const keyFiles = [NOTE_TYPE.ed25519, NOTE_TYPE.cosignature].map((type) =>
  encodeNoteSecret({ name: "a/log", type, seed }, signer.publicKey)
);

const timestampKey = await newTimestampKey("ecdsa-p256");

const witnessFile = JSON.stringify({
  id: "a/log/w1",
  network_id: "a/log",
  key_file: "w.key",
  state_file: "w.kv",
  token: TOKEN,
  host: "127.0.0.1",
  port: 8081,
  logs: [{ origin: "a/log", vkey: encodeVkey(logKey) }],
});

/** A reader of a file, which holds the input. */
function ofFile(read: (path: string) => Promise<unknown>): Target["read"] {
  return async (input) => {
    const folder = await Deno.makeTempDir();
    try {
      const path = join(folder, "file");
      await Deno.writeFile(path, input, { mode: 0o600 });
      await read(path);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  };
}

/** A terminal that no one sits at. */
const io: CliIo = {
  isOutputClosed: false,
  isTerminal: false,
  env: () => undefined,
  out: () => {},
  err: () => {},
  ask: () => undefined,
  resolvePath: (path) => path,
};

const keyReading = { bls, env: () => undefined, report: () => {} };

export const OPERATOR_TARGETS: readonly Target[] = [
  {
    name: "parseOperatorNetwork",
    covers: [
      "config/operator_network.ts#parseOperatorNetwork",
      "config/publishing.ts#readBucketPlace",
    ],
    codes: CONFIGURATION_CODES,
    seeds: sides.flatMap((side) => [operatorFile(side, "remote"), operatorFile(side, "embedded")]),
    share: 0.3,
    read: ofText((text) => {
      const read = parseOperatorNetwork(text, "/etc/network.json", { bls });
      assert.ok(2 * read.network.threshold > read.witnesses.length);
      assert.ok(Object.isFrozen(read) && Object.isFrozen(read.network.witnesses));
      assert.equal(new Set(read.witnesses.map(({ id }) => id)).size, read.witnesses.length);
      assert.equal(read.federation.peers.length, read.network.federation.peer_networks.length);
      const { mode, issuers } = read.admission;
      assert.ok(mode === "open" || issuers.length > 0);
      if (read.operator?.host === "0.0.0.0") assert.ok(read.operator.token !== undefined);
      const { relays, maxAgeSeconds } = read.beacon ?? { relays: ["none"], maxAgeSeconds: 30 };
      assert.ok(new Set(relays).size >= 1 && maxAgeSeconds >= 6 && maxAgeSeconds <= 86_400);
      if (read.publish?.kind === "bucket") {
        const { prefix } = readBucketPlace(read.publish.place, { insecure: false });
        assert.match(prefix, /^([A-Za-z0-9._-]+\/)*$/);
        assert.doesNotMatch(prefix, /(^|\/)\.\.?\//);
      }
    }),
  },
  {
    name: "parseWitnessNode",
    covers: [
      "config/witness_node.ts#parseWitnessNode",
    ],
    codes: CONFIGURATION_CODES,
    seeds: [
      witnessFile,
      witnessFile.replace("{", '{"beacon":{"max_age_seconds":30},'),
      witnessFile.replace(
        "{",
        '{"limits":{"trusted_proxies":["10.0.0.0/8"],' +
          '"add_checkpoint":{"per_second":1,"burst":2,"in_flight":3}},',
      ),
    ],
    read: ofText((text) => {
      const node = parseWitnessNode(text, "/etc/witness.json");
      const { port, logs, networkId, beacon, limits } = node;
      assert.ok(limits === "off" || limits.addCheckpoint.inFlight >= 1);
      const { maxAgeSeconds = 30 } = beacon ?? {};
      assert.ok(maxAgeSeconds >= 6 && maxAgeSeconds <= 86_400);
      assert.ok(port >= 0 && port <= 65_535);
      assert.ok(logs.some(({ origin }) => origin === networkId));
    }),
  },
  {
    name: "readLogSigner",
    covers: [
      "config/key_file.ts#readLogSigner",
      "config/private_file.ts#readPrivateFile",
      "config/text_file.ts#readTextFile",
    ],
    codes: ["invalid_key", "malformed_text"],
    seeds: [keyFiles[0]!, `${keyFiles[0]}\n`],
    share: 0.1,
    read: ofFile(async (path) => {
      const { publicKey } = await readLogSigner(path, logKey, keyReading);
      assert.deepEqual(publicKey, signer.publicKey);
      assert.ok((await readTextFile(path)).startsWith(keyFiles[0]!));
    }),
  },
  {
    name: "readWitnessSigner",
    covers: ["config/key_file.ts#readWitnessSigner"],
    codes: ["invalid_key", "malformed_text"],
    seeds: [keyFiles[1]!],
    share: 0.1,
    read: ofFile(async (path) => {
      const { publicKey } = await readWitnessSigner(path, { name: "a/log" }, keyReading);
      assert.deepEqual(publicKey, signer.publicKey);
    }),
  },
  {
    name: "readTimestampSigner",
    covers: [
      "config/timestamp_key_file.ts#readTimestampSigner",
    ],
    codes: ["invalid_key", "invalid_configuration", "malformed_json", "malformed_text"],
    seeds: [timestampKey.pem, `EC PARAMETERS\n${timestampKey.pem}`],
    share: 0.1,
    read: ofFile(async (path) => {
      // A damaged private key may be another one.
      const { scheme } = await readTimestampSigner(path, keyReading);
      assert.equal(scheme, "ecdsa-p256");
    }),
  },
  {
    name: "readCertificateChain",
    covers: ["config/timestamp_identity.ts#readCertificateChain"],
    codes: ["invalid_configuration", "malformed_text"],
    seeds: [textOf(pemOf(authority.signer, authority.intermediate, authority.root))],
    share: 0.1,
    read: ofFile(async (path) => {
      const [leaf] = await readCertificateChain(path);
      assert.deepEqual(leaf.der, authority.signer.der);
    }),
  },
  {
    name: "parseKeyReference",
    covers: ["config/key_reference.ts#parseKeyReference"],
    codes: ["invalid_key", "invalid_configuration", "malformed_json"],
    seeds: [
      '{"age_file":"a","passphrase_file":"b"}',
      '{"age_file":"a","identity_env":"COUNTERSIGN_TOKEN_A"}',
      '{"signer":"unix:/a","kind":"witness","name":"a/w","scheme":"ed25519","public_key":"' +
      `${HASH}","token_file":"t"}`,
      '{"signer":"unix:/a","kind":"log","name":"a","scheme":"ml-dsa-44","public_key":"' +
      `${HASH.repeat(41)}","token_file":"t"}`,
    ],
    read: ofText((text) => {
      const reference = parseKeyReference(text, "/etc/witness.key");
      if (reference.where === "encrypted") assert.ok(reference.path.startsWith("/"));
      else assert.equal(reference.publicKey.length, KEY_LENGTH[reference.scheme]);
    }),
  },
  {
    name: "parseTimestampKeyReference",
    covers: ["config/timestamp_key_reference.ts#parseTimestampKeyReference"],
    codes: ["invalid_key", "invalid_configuration", "malformed_json"],
    seeds: [
      '{"age_file":"a","passphrase_file":"b"}',
      '{"signer":"unix:/a","kind":"tsa","name":"a/tsa","scheme":"ecdsa-p256","public_key":"' +
      `${HASH.repeat(3)}","token_file":"t"}`,
    ],
    read: ofText((text) => {
      const reference = parseTimestampKeyReference(text, "/etc/tsa.key");
      if (reference.where === "encrypted") assert.ok(reference.path.startsWith("/"));
      else assert.match(reference.scheme, /^(ecdsa-p256|rsa-3072)$/);
    }),
  },
  {
    name: "parseSignerNode",
    covers: ["config/signer_node.ts#parseSignerNode"],
    codes: ["malformed_configuration", "invalid_configuration", "malformed_json"],
    seeds: [
      '{"socket":"s","token_file":"t","key_files":["k"]}',
      '{"host":"h","port":1,"cert_file":"c","tls_key_file":"k","token_env":"COUNTERSIGN_TOKEN_A",' +
      '"key_files":["k","/l"],"tsa_keys":[{"name":"a/tsa","key_file":"m"}]}',
    ],
    read: ofText((text) => {
      const { keyFiles, tsaKeys } = parseSignerNode(text, "/etc/signer.json");
      const files = [...keyFiles, ...tsaKeys.map(({ keyFile }) => keyFile)];
      assert.ok(files.length > 0 && files.every((path) => path.startsWith("/")));
    }),
  },
  {
    name: "hash on the command line",
    covers: [],
    codes: [],
    seeds: [HASH, HASH.toUpperCase()],
    read: ofText((text) => {
      const read = HASH_VALUE.parse(text);
      if (!read.success) return false;
      assert.match(text, /^[0-9a-fA-F]{64}$/);
      assert.equal(read.value, text.toLowerCase());
      return true;
    }),
  },
  {
    name: "adoptedHeads",
    covers: [],
    codes: ["usage"],
    seeds: [`12 ${HASH}`, "0"],
    read: ofText((text) => {
      const [size = "", root] = text.split(" ");
      const typed = { size, ...(root !== undefined && { root }) };
      const head = adoptedHeads(["a/log"], typed, io, 5).get("a/log")!;
      assert.equal(String(head.size), size);
      if (root !== undefined) assert.equal(head.root.toHex(), root.toLowerCase());
    }),
  },
];
