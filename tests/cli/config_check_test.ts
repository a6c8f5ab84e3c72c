import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { sealAge } from "../../src/config/encrypted_key.ts";
import { timestampKey } from "../config/timestamp_files.ts";
import { FakeClock } from "../fake_clock.ts";
import { type Client, withClient } from "./client_run.ts";

/** A network of `init` in the folder `net`. */
async function withNetwork(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    const { code } = await client.run(["init", "--id", "net.example/log", "--out", "net"]);
    assert.equal(code, 0);
    await use(client);
  });
}

const FILES = [
  "net/network.json",
  "net/network.public.json",
  "net/witness-1/witness.json",
  "net/witness-2/witness.json",
];

/** Checks `files` and returns the messages of all that is wrong. */
async function problemsOf(client: Client, files: readonly string[]): Promise<string[]> {
  const { code, json } = await client.runJson(["config", "check", ...files]);
  const found = json.files.flatMap(({ problems }: { problems: unknown[] }) => problems);
  const all = [...found, ...json.contradictions].map(({ message }) => message);
  assert.equal(json.valid, all.length === 0);
  assert.equal(code, json.valid ? 0 : 1);
  return all;
}

/** Replaces the file `name` by what `change` makes of it. */
async function edit(
  client: Client,
  name: string,
  change: (members: ReturnType<typeof JSON.parse>) => unknown,
): Promise<void> {
  const members = JSON.parse(await client.read(name));
  await client.write(name, change(members) ?? members);
}

const SIGNER = {
  host: "127.0.0.1",
  port: 0,
  cert_file: "token",
  tls_key_file: "token",
  token_file: "token",
  key_files: ["w1.key"],
};

async function writePrivate(client: Client, name: string, value: unknown): Promise<void> {
  const file = join(client.folder, name);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  await Deno.writeTextFile(file, text, { mode: 0o600 });
}

const TIMESTAMPING = { key_file: "tsa.key", certificates_file: "tsa.pem" };
const AGE = { passphrase: "secret", scryptWorkFactor: 10 };

Deno.test("config check names what is wrong with the key or certificates for time stamps", () =>
  withNetwork(async (client) => {
    await edit(client, "net/network.json", (m) => void (m.timestamping = TIMESTAMPING));
    const missing = await problemsOf(client, ["net/network.json"]);
    assert.match(missing.join(), /tsa\.pem": there is no such file/);
    await client.run(["tsa", "init", "--out", "net"]);
    assert.deepEqual(await problemsOf(client, ["net/network.json"]), []);
    const now = Date.now() / 1000;
    client.clock = new FakeClock(now + 3_640 * 86_400);
    const { code, stdout } = await client.run(["config", "check", "net/network.json"]);
    assert.equal(code, 0, stdout);
    assert.match(stdout, /CN=Trial time stamps \w+ for time stamps expires at .*, in 1[12] days/);
    client.clock = systemClock;
    await client.run(["tsa", "init", "--out", "other"]);
    await client.write("net/tsa.pem", await client.read("other/tsa.pem"));
    const [problem] = await problemsOf(client, ["net/network.json"]);
    assert.match(problem!, /first certificate, of CN=Trial time stamps \w+, is not of the key in/);
    const noKeys = { ...SIGNER, key_files: [] };
    await writePrivate(client, "signer.json", noKeys);
    const [none] = await problemsOf(client, ["signer.json"]);
    assert.match(none!, /it has no key: name some in key_files or tsa_keys/);
    const absent = [{ name: "a.example/tsa", key_file: "absent.key" }];
    await writePrivate(client, "signer.json", { ...noKeys, tsa_keys: absent });
    assert.match((await problemsOf(client, ["signer.json"])).join(), /absent\.key": there is no/);
  }));

Deno.test("config check names all missing files of a signer, and faults of other kinds of file", async () => {
  await withClient(async (client) => {
    await writePrivate(client, "signer.json", SIGNER);
    const problems = await problemsOf(client, ["signer.json"]);
    const names = ["token", "w1.key", "token", "token"];
    assert.deepEqual(problems.map((text) => /([\w.]+)": there is/.exec(text)?.[1]), names);
    await writePrivate(client, "api-keys.json", { keys: [{ name: "a" }] });
    assert.match((await problemsOf(client, ["api-keys.json"]))[0]!, /sha256 is missing/);
    await writePrivate(client, "w1.key", { age_file: "w1.key.age", identity_file: "identity" });
    assert.match((await problemsOf(client, ["w1.key"]))[0]!, /identity": there is no such file/);
  });
});

Deno.test("config check accepts every kind of configuration file", async () => {
  await withNetwork(async (client) => {
    const { code, stdout } = await client.run(["config", "check", ...FILES]);
    assert.equal(code, 0, stdout);
    assert.equal(stdout.match(/: OK$/gm)?.length, FILES.length);
    assert.match(stdout, /gateway of net\.example\/log: OK$/m);
    const rotation = { lifetime_seconds: 2_592_000, overlap_seconds: 604_800 };
    const issuer = {
      name: "a.example",
      rotation,
      api_keys: [],
      work: { bits: 20 },
    };
    await client.write("issuer.json", issuer);
    await Deno.chmod(join(client.folder, "issuer.json"), 0o600);
    assert.deepEqual(await problemsOf(client, ["issuer.json"]), []);
    await writePrivate(client, "token", "t".repeat(32));
    await writePrivate(client, "password", "secret");
    const key = { name: "laptop", sha256: "ab".repeat(32) };
    await writePrivate(client, "api-keys.json", { keys: [key] });
    await client.run(["keygen", "b.example/w1", "--out", "w1.key"]);
    await writePrivate(client, "signer.json", SIGNER);
    await writePrivate(client, "remote.key", {
      signer: "http://127.0.0.1:9/",
      kind: "witness",
      name: "a.example/w1",
      scheme: "ed25519",
      token_file: "token",
      public_key: JSON.parse(await client.read("net/network.public.json")).witnesses[0].pubkey,
    });
    await client.run(["tsa", "init", "--out", "net"]);
    await edit(client, "net/network.json", (m) => void (m.timestamping = TIMESTAMPING));
    const { json } = await client.runJson(["config", "check", "net/network.json"]);
    assert.deepEqual(json.valid, true);
    const tsa = [{ name: "a.example/tsa", key_file: "net/tsa.key" }];
    await writePrivate(client, "tsa-signer.json", { ...SIGNER, key_files: [], tsa_keys: tsa });
    await writePrivate(client, "tsa.age", await sealAge(await client.read("net/tsa.key"), AGE));
    await writePrivate(client, "tsa.key", { age_file: "tsa.age", passphrase_file: "password" });
    await writePrivate(client, "tsa-remote.key", {
      signer: "http://127.0.0.1:9/",
      kind: "tsa",
      name: "a.example/tsa",
      scheme: "ecdsa-p256",
      token_file: "token",
      public_key: (await timestampKey()).signer.publicKey.toHex(),
    });
    const further = ["signer.json", "tsa-signer.json", "api-keys.json", "remote.key", "tsa.key"];
    assert.deepEqual(await problemsOf(client, ["tsa-remote.key"]), []);
    const checked = await client.run(["config", "check", ...further]);
    const keys = ["witness key of a.example/w1", "key of a time-stamp authority"];
    for (const what of ["signer", "API keys", ...keys]) {
      assert.match(checked.stdout, new RegExp(`: ${what}: OK$`, "m"));
    }
  });
});

Deno.test("config check names file and member of each kind of mistake", async () => {
  await withNetwork(async (client) => {
    const cases: [string, (members: ReturnType<typeof JSON.parse>) => unknown, RegExp][] = [
      [
        "net/network.json",
        (m) => void (m.treshold = 2),
        /network\.json: unknown member "treshold"/,
      ],
      [
        "net/network.json",
        (m) => {
          m.treshold = m.threshold;
          delete m.threshold;
        },
        /network\.json: member threshold is missing; unknown member "treshold"/,
      ],
      [
        "net/network.json",
        (m) => void (m.threshold = "2"),
        /network\.json\.threshold: expected an integer of 1 or more, found text/,
      ],
      [
        "net/network.json",
        (m) => void (m.operator = { host: "127.0.0.1", port: "9090" }),
        /network\.json\.operator\.port: expected an integer from 0 to 65535, found text/,
      ],
      [
        "net/network.json",
        (m) => void (m.witnesses[1].url = "witness.bob"),
        /not an http or https URL, in ".*network\.json\.witnesses\[1\]\.url"$/,
      ],
      [
        "net/network.json",
        (m) => void (m.witnesses[1].public_url = "witness.bob"),
        /not an http or https URL, in "public_url of net\.example\/log\/w2"/,
      ],
      [
        "net/network.json",
        (m) => void (m.log_vkey = m.log_vkey.slice(0, -1)),
        /Cannot read log_vkey: .*, in ".*network\.json"$/,
      ],
      [
        "net/witness-1/witness.json",
        (m) => void (m.logs[0].vkey = m.logs[0].vkey.slice(0, -1)),
        /Cannot read .*witness\.json\.logs\[0\]\.vkey: it is not a C2SP verifier key/,
      ],
      [
        "net/network.public.json",
        (m) => void (m.witnesses[0].ml_dsa_vkey = "x"),
        /Cannot read ml_dsa_vkey of net\.example\/log\/w1: .*public\.json"$/,
      ],
      [
        "net/network.json",
        (m) => void delete m.log_vkey,
        /network\.json: member log_vkey is missing/,
      ],
      ["net/network.json", (m) => void (m.threshold = 1), /threshold 1 .*network\.json"$/],
      [
        "net/network.json",
        (m) => void (m.limits = { reads: { per_second: 1 } }),
        /network\.json\.limits\.reads: member burst is missing/,
      ],
      ["net/network.json", (m) => void (m.witnesses[1].pubkey = "00"), /network\.json/],
      ["net/network.json", (m) => void (m.log_key_file = "none"), /none": there is no such file/],
      ["net/network.public.json", (m) => void (m.threshold = 9), /threshold 9 .*public\.json"$/],
      ["net/witness-1/witness.json", (m) => void (m.port = 70_000), /witness\.json\.port: 70000/],
      [
        "net/witness-1/witness.json",
        (m) => void (m.key_file = "../log.key"),
        /log\.key": it holds another key/,
      ],
      ["net/witness-1/witness.json", () => [], /it is not a configuration/],
    ];
    for (const [name, change, expected] of cases) {
      const text = await client.read(name);
      await edit(client, name, change);
      const [message = "", ...others] = await problemsOf(client, [name]);
      assert.match(message, expected);
      assert.deepEqual(others, []);
      await client.write(name, text);
    }
    await client.write("net/network.public.json", '{"id": 1, "id": 2}');
    assert.match((await problemsOf(client, FILES))[0]!, /network\.public\.json/);
    assert.match(
      (await problemsOf(client, ["none.json"]))[0]!,
      /none\.json": there is no such file/,
    );
  });
});

Deno.test("config check reads every secret that a gateway's file names", async () => {
  await withNetwork(async (client) => {
    const bucket = { bucket: "s3://copy", region: "us-east-1", access_key_id: "key" };
    await edit(client, "net/network.json", (members) => {
      members.operator = { host: "127.0.0.1", port: 9090, token_file: "operator" };
      members.publish = { ...bucket, secret_access_key_file: "secret" };
      members.store = "postgres://log@127.0.0.1/log";
      members.store_password_file = "password";
      members.api_keys = { file: "api-keys.json", routes: "submissions" };
    });
    const missing = await problemsOf(client, ["net/network.json"]);
    const names = missing.map((text) => /([\w.-]+)": there is no such file/.exec(text)?.[1]);
    assert.deepEqual(names, ["api-keys.json", "password", "operator", "secret"]);
    await writePrivate(client, "net/operator", "nope");
    await Deno.writeTextFile(join(client.folder, "net/secret"), "s".repeat(40), { mode: 0o644 });
    const [, , short, open] = await problemsOf(client, ["net/network.json"]);
    assert.match(short!, /operator": it must have 24 to 512 characters/);
    assert.match(open!, /secret": .*mode 0644 gives others access/);
  });
});

Deno.test("config check names a key file that was cut", async () => {
  await withNetwork(async (client) => {
    const key = join(client.folder, "net/log.key");
    await Deno.writeTextFile(key, (await Deno.readTextFile(key)).slice(0, 40));
    const [cut] = await problemsOf(client, ["net/network.json"]);
    assert.match(cut!, /was cut or changed, in ".*net\/log\.key"$/);
  });
});

Deno.test("config check notes what verifiers ignore in a public configuration", async () => {
  await withNetwork(async (client) => {
    const file = "net/network.public.json";
    const notes = async () => (await client.runJson(["config", "check", file])).json.files[0].notes;
    assert.deepEqual(await notes(), []);
    await edit(client, file, (members) => {
      members.witneses = [];
      members.witnesses[1].note = "x";
    });
    assert.deepEqual(
      await notes(),
      ["witnesses[1].note", "witneses"].map((name) =>
        `verifiers ignore the unknown member ${name}`
      ),
    );
    assert.deepEqual(await problemsOf(client, [file]), []);
  });
});

Deno.test("config check compares the files of one network", async () => {
  await withNetwork(async (client) => {
    const node = "net/witness-1/witness.json";
    const text = await client.read(node);
    await edit(client, node, (members) => void (members.token = "t".repeat(32)));
    const [token, ...others] = await problemsOf(client, FILES);
    assert.match(token!, /its token is not the gateway/);
    assert.deepEqual(others, []);
    assert.deepEqual(await problemsOf(client, [node]), []);
    await client.write(node, text);
    // A key that fits the witness's file, and not the network.
    const key = join(client.folder, dirname(node), "witness.key");
    await Deno.remove(key);
    assert.equal((await client.run(["keygen", "net.example/log/w1", "--out", key])).code, 0);
    const keys = await problemsOf(client, FILES);
    assert.equal(keys.length, 2);
    for (const message of keys) {
      assert.match(message, /the network's key for net\.example\/log\/w1/);
    }
    await edit(client, "net/network.public.json", (m) => void (m.witnesses[0].id = "other"));
    await edit(client, "net/network.public.json", (m) => void delete m.witnesses[0].vkey);
    const named = await problemsOf(client, [FILES[1]!, node]);
    assert.match(named[0]!, /has no witness net\.example\/log\/w1/);
  });
});

Deno.test("config check says what a witness without a state needs", async () => {
  await withNetwork(async (client) => {
    await Deno.remove(join(client.folder, "net/witness-1/state.kv"));
    const { code, stdout } = await client.run(["config", "check", "net/witness-1/witness.json"]);
    assert.equal(code, 0);
    assert.match(stdout, /state\.kv does not exist: .* has lost it .* new one .*--adopt --size 0/);
  });
});
