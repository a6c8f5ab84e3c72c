import assert from "node:assert/strict";
import { join } from "node:path";
import { type FederateOptions, runFederate } from "../../src/cli/federate_command.ts";
import { runInit } from "../../src/cli/init_command.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { publicNetworkJson } from "../../src/proof/format/public_network.ts";
import { parseWitnessNode } from "../../src/config/witness_node.ts";
import { CountersignError, type ErrorCode } from "../../src/base/errors.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { FakeClock } from "../fake_clock.ts";
import type { OutputFormat } from "../../src/cli/output.ts";
import { contextOf } from "./client_run.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

const NOW = 1_800_000_000;
const TOKEN = "a-token-that-the-peer-s-operator-gave-us";

function hasErrorCode(code: ErrorCode) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

/** Two networks, `home` and `peer`, in folders of these names, and `federate` at home. */
const INIT = { basePort: 8091, scheme: "ed25519", mlDsa: false, beacon: [] } as const;

class Operators {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(folder: string): Promise<Operators> {
    for (const out of ["home", "peer"]) {
      const io = new CapturedIo({ folder });
      const id = `${out}.example`;
      assert.equal(
        await runInit({ ...INIT, out, id, witnesses: 2 }, contextOf(io)),
        0,
      );
    }
    await Deno.writeTextFile(join(folder, "given.token"), `${TOKEN}\n`, { mode: 0o600 });
    return new Operators(folder);
  }

  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  async federate(
    { output = "json", ...options }: Partial<FederateOptions> & { readonly output?: OutputFormat } =
      {},
    now = NOW,
  ) {
    const io = new CapturedIo({ folder: this.folder });
    const code = await runFederate(
      {
        overlapHours: 24,
        config: join("home", "network.json"),
        peer: join("peer", "network.public.json"),
        federationUrl: [],
        witnesses: [],
        rotateToken: false,
        insecure: false,
        ...options,
      },
      contextOf(io, { output, clock: new FakeClock(now) }),
    );
    assert.equal(code, 0);
    return output === "text" ? io.stdout : JSON.parse(io.stdout);
  }

  async members() {
    return JSON.parse(await Deno.readTextFile(this.path("home", "network.json")));
  }

  async entry() {
    return (await this.members()).federation.peer_networks[0];
  }
}

function withOperators(name: string, test: (operators: Operators) => Promise<void>): void {
  Deno.test(name, () => inFolder(async (folder) => test(await Operators.create(folder))));
}

withOperators(
  "a peer's configuration, log and token are entered, and nothing of it is public",
  async (operators) => {
    const witness = join("home", "witness-1", "witness.json");
    const made = await operators.federate({
      federationUrl: ["https://peer.example:8081"],
      tokenFile: "given.token",
      gatewayUrl: "https://peer.example",
      witnesses: [witness],
    });
    const peer = parseNetwork(
      await Deno.readTextFile(operators.path("peer", "network.public.json")),
    );
    const file = operators.path("home", "network.json");
    const { network } = parseOperatorNetwork(await Deno.readTextFile(file), file);
    assert.deepEqual(network.federation, {
      enabled: true,
      peer_networks: [{ id: "peer.example", gateway_url: "https://peer.example" }],
      cross_anchor_threshold: 1,
    });
    const entry = await operators.entry();
    const pinned = await Deno.readTextFile(operators.path("home", entry.config_file));
    assert.equal(pinned, publicNetworkJson(peer));
    assert.equal(
      await Deno.readTextFile(operators.path("home", entry.token_file)),
      `${TOKEN}\n`,
    );
    const accepted = await Deno.readTextFile(made.accept_token_file);
    assert.match(accepted, /^[A-Za-z0-9_-]{43}\n$/);
    for (const secret of [entry.token_file, entry.accept_token_file]) {
      assert.equal((await Deno.stat(operators.path("home", secret))).mode! & 0o777, 0o600);
    }
    const published = await Deno.readTextFile(operators.path("home", "network.public.json"));
    assert.equal(published, publicNetworkJson(network));
    assert.doesNotMatch(published, /token|8081/);
    const witnessFile = operators.path(witness);
    const node = parseWitnessNode(await Deno.readTextFile(witnessFile), witnessFile);
    assert.deepEqual(node.logs.map(({ origin }) => origin), ["home.example", "peer.example"]);
  },
);

withOperators("a second run changes the named members and keeps the others", async (operators) => {
  const { accept_token_file } = await operators.federate({ minWitnesses: 2 });
  const again = await operators.federate({
    federationUrl: ["https://peer.example:8081"],
    tokenFile: "given.token",
    threshold: 1,
    witnesses: [join("home", "witness-1", "witness.json")],
  });
  assert.equal(again.accept_token_file, accept_token_file);
  const { federation } = await operators.members();
  assert.equal(federation.peer_networks.length, 1);
  assert.equal(federation.peer_networks[0].min_witnesses, 2);
  await operators.federate({ witnesses: [join("home", "witness-1", "witness.json")] });
  const node = await Deno.readTextFile(operators.path("home", "witness-1", "witness.json"));
  assert.equal(JSON.parse(node).logs.length, 2);
});

withOperators("a rotated token stays valid for --overlap-hours", async (operators) => {
  const first = await operators.federate();
  const second = await operators.federate({ rotateToken: true, overlapHours: 2 });
  assert.notEqual(second.accept_token_file, first.accept_token_file);
  const entry = await operators.entry();
  assert.equal(operators.path("home", entry.accept_token_file), second.accept_token_file);
  assert.equal(operators.path("home", entry.accept_previous_token_file), first.accept_token_file);
  assert.equal(entry.accept_previous_until, NOW + 2 * 3600);
  const file = operators.path("home", "network.json");
  parseOperatorNetwork(await Deno.readTextFile(file), file);
});

withOperators("a lost token is replaced and not accepted any longer", async (operators) => {
  await operators.federate();
  const { accept_token_file } = await operators.federate({ rotateToken: true });
  await Deno.remove(accept_token_file);
  const again = await operators.federate({ rotateToken: true });
  assert.notEqual(again.accept_token_file, accept_token_file);
  assert.equal("accept_previous_token_file" in await operators.entry(), false);
});

withOperators("an invalid configuration is never written", async (operators) => {
  const before = await Deno.readTextFile(operators.path("home", "network.json"));
  const refused: [Partial<FederateOptions>, ErrorCode][] = [
    [{ peer: join("home", "network.public.json") }, "invalid_configuration"],
    [{ peer: join("home", "absent.json") }, "configuration_missing"],
    [{ federationUrl: ["http://peer.example"] }, "invalid_configuration"],
    [{ federationUrl: ["https://peer.example"] }, "invalid_configuration"],
    [{ threshold: 2 }, "invalid_configuration"],
    [{ minWitnesses: 1 }, "invalid_configuration"],
    [{ minWitnesses: 3 }, "invalid_configuration"],
    [{ witnesses: [join("home", "network.json")] }, "malformed_configuration"],
  ];
  for (const [options, code] of refused) {
    await assert.rejects(operators.federate(options), hasErrorCode(code), JSON.stringify(options));
  }
  assert.equal(await Deno.readTextFile(operators.path("home", "network.json")), before);
});

withOperators("a peer that shares a key with us is refused", async (operators) => {
  const file = operators.path("peer", "network.public.json");
  const own = JSON.parse(await Deno.readTextFile(operators.path("home", "network.public.json")));
  const peer = JSON.parse(await Deno.readTextFile(file));
  const { pubkey } = own.witnesses[0];
  peer.witnesses[0] = { id: "peer.example/w1", pubkey };
  await Deno.writeTextFile(file, JSON.stringify(peer));
  await assert.rejects(operators.federate(), hasErrorCode("invalid_configuration"));
});

withOperators("the text lists the files for the peer's operator", async (operators) => {
  const text = await operators.federate({ output: "text" });
  assert.match(text, /^peer\.example is a peer of home\.example$/m);
  assert.match(text, /accept-[0-9a-f]{8}\.token/);
  assert.match(text, /"origin":"peer\.example"/);
  assert.match(text, /are not sent to the peer yet/);
  const token = await Deno.readTextFile(
    operators.path("home", (await operators.entry()).accept_token_file),
  );
  assert.ok(!text.includes(token.trim()), "a token is no text for a terminal");
});

withOperators("a peer with fewer witnesses needs a lower --min-witnesses", async (operators) => {
  await operators.federate({ minWitnesses: 2 });
  const io = new CapturedIo({ folder: operators.folder });
  const plan = { ...INIT, out: "fewer", id: "peer.example", witnesses: 1 };
  assert.equal(await runInit(plan, contextOf(io)), 0);
  const before = await operators.entry();
  const pinned = await Deno.readTextFile(operators.path("home", before.config_file));
  const peer = join("fewer", "network.public.json");
  await assert.rejects(operators.federate({ peer }), hasErrorCode("invalid_configuration"));
  assert.deepEqual(await operators.entry(), before);
  assert.equal(
    await Deno.readTextFile(operators.path("home", before.config_file)),
    pinned,
    "the gateway would not start with it",
  );
  await operators.federate({ peer, minWitnesses: 1 });
  assert.equal((await operators.entry()).min_witnesses, 1);
});

withOperators("a run asks for nothing that an earlier run has done", async (operators) => {
  const witnesses = [1, 2].map((n) => join("home", `witness-${n}`, "witness.json"));
  const first: string = await operators.federate({ output: "text", witnesses });
  assert.match(first, /publish it again/);
  assert.match(first, /\.token$/m);
  assert.match(first, /run this again with --federation-url/);
  assert.doesNotMatch(first, /--witness/);
  const outbound = { federationUrl: ["https://peer.example:8081"], tokenFile: "given.token" };
  const second: string = await operators.federate({ output: "text", ...outbound });
  assert.doesNotMatch(second, /Give the peer|--federation-url|--witness/);
  assert.match(second, /restart/);
  const before = await operators.members();
  const third: string = await operators.federate({ output: "text", ...outbound, witnesses });
  assert.equal(third, "peer.example is a peer of home.example; nothing has changed");
  assert.deepEqual(await operators.members(), before);
  const both = ["https://peer.example:8081", "https://standby.peer.example:8081"];
  await operators.federate({ ...outbound, federationUrl: both });
  assert.deepEqual((await operators.entry()).federation_url, both);
  const rotated: string = await operators.federate({ output: "text", rotateToken: true });
  assert.match(rotated, /Give the peer[^]*accept-.*\.token$/m);
  assert.doesNotMatch(rotated, /publish it again|--witness/);
});
