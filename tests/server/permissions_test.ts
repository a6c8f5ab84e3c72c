import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { confinedWorker } from "../../src/server/roles/started_role.ts";
import {
  grantedOf,
  permissionsOf,
  type RolePermissions,
} from "../../src/server/roles/role_permissions.ts";
import { gatewayReach, type Reach } from "../../src/server/roles/role_reach.ts";
import {
  startingPermissions,
  threadPermissions,
} from "../../src/server/roles/thread_permissions.ts";
import { parseOperatorNetwork } from "../../src/config/operator_network.ts";
import { bls } from "../schemes.ts";
import { inFolder } from "./captured_io.ts";
import { freePorts } from "../free_ports.ts";
import type { Probed } from "./confined_probe.ts";
import type { Allowed, ProbeOrder } from "./thread_probe.ts";
import { ServedNetwork } from "./served_network.ts";

const PROBING = fileURLToPath(new URL("./confined_probing.ts", import.meta.url));
const FAULT = fileURLToPath(new URL("./confined_fault.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../deno.json", import.meta.url));
const HOST = "127.0.0.1";

interface Outcomes {
  readonly allowed: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, string>>;
}

/** What becomes of the probe's attempts under the permissions of `reach`, in a process that has all. */
async function probe(reach: Reach, probed: Probed, confined = true): Promise<Outcomes> {
  const argument = JSON.stringify({ permissions: permissionsOf(reach), probed, confined });
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", "--config", CONFIG, PROBING, argument],
    env: { NO_COLOR: "1", [probed.variable]: "a", [probed.otherVariable]: "b" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  assert.notEqual(stdout.length, 0, decoder.decode(stderr));
  return JSON.parse(decoder.decode(stdout));
}

/** A gateway's configuration in `root`, its reach, and what there is to probe of it. */
async function configured(
  root: string,
  dataFolder: string,
  [listener, service, other]: readonly [number, number, number],
): Promise<{ readonly reach: Reach; readonly probed: Probed }> {
  const home = await ServedNetwork.create(root, "home.example");
  await home.write("roots.pem", "roots");
  await home.configure({
    operator: { host: HOST, port: listener, token_env: "COUNTERSIGN_TOKEN_OPERATOR" },
    anchors: [{
      provider: "rfc3161",
      mode: "best_effort",
      roots_file: "roots.pem",
      url: `http://${HOST}:${service}/tsa`,
    }],
  });
  const networkFile = join(home.folder, "network.json");
  const operator = parseOperatorNetwork(await Deno.readTextFile(networkFile), networkFile, { bls });
  const options = { host: HOST, port: listener };
  const reach = gatewayReach(operator, options, { dataFolder, networkFile, isTrial: false });
  const outside = join(root, "outside.ts");
  await Deno.writeTextFile(outside, "export {};");
  return {
    reach,
    probed: {
      dataFolder,
      outside,
      host: HOST,
      listener,
      service,
      other,
      file: join(home.folder, "roots.pem"),
      variable: "COUNTERSIGN_TOKEN_OPERATOR",
      otherVariable: "COUNTERSIGN_TOKEN_OTHER",
    },
  };
}

/** Opens three ports while `use` runs, the last of which answers: what is taken is no other test's. */
async function withPorts(
  use: (ports: readonly [number, number, number]) => Promise<void>,
): Promise<void> {
  using first = Deno.listen({ hostname: HOST, port: 0 });
  using second = Deno.listen({ hostname: HOST, port: 0 });
  const options = { hostname: HOST, port: 0, onListen: () => {} };
  await using third = Deno.serve(options, () => new Response(null, { status: 404 }));
  await use([first.addr.port, second.addr.port, third.addr.port]);
}

/** Two ports that nothing uses, and one that answers. */
async function withFreePorts(
  use: (ports: readonly [number, number, number]) => Promise<void>,
): Promise<void> {
  const first = freePorts(2);
  const options = { hostname: HOST, port: 0, onListen: () => {} };
  await using third = Deno.serve(options, () => new Response(null, { status: 404 }));
  await use([first, first + 1, third.addr.port]);
}

const REFUSALS: Readonly<Record<string, RegExp>> = {
  "import from the network": /^TypeError: Requires import access/,
  "import a file": /^TypeError: Requires read access/,
};

function checkConfined({ allowed, refused }: Outcomes): void {
  for (const [attempt, outcome] of Object.entries(allowed)) {
    // The test has the port: who may not listen is refused before that is found.
    assert.equal(outcome, attempt === "listen" ? "AddrInUse" : "done", attempt);
  }
  for (const [attempt, outcome] of Object.entries(refused)) {
    assert.match(outcome, REFUSALS[attempt] ?? /^NotCapable$/, attempt);
  }
}

Deno.test("a confined gateway accesses only what its configuration names", () =>
  withPorts((ports) =>
    inFolder(async (root) => {
      const dataFolder = join(root, "data");
      await Deno.mkdir(dataFolder);
      const { reach, probed } = await configured(root, dataFolder, ports);
      checkConfined(await probe(reach, probed));
    })
  ));

Deno.test("a data folder may be a symbolic link", () =>
  withPorts((ports) =>
    inFolder(async (root) => {
      await Deno.mkdir(join(root, "volume"));
      const dataFolder = join(root, "data");
      await Deno.symlink(join(root, "volume"), dataFolder);
      const { reach, probed } = await configured(root, dataFolder, ports);
      checkConfined(await probe(reach, probed));
    })
  ));

// Shows that the tests above can fail: without confinement nothing of it is refused.
Deno.test("control: the same attempts succeed without confinement", () =>
  withPorts((ports) =>
    inFolder(async (root) => {
      const dataFolder = join(root, "data");
      await Deno.mkdir(dataFolder);
      const { reach, probed } = await configured(root, dataFolder, ports);
      const { refused } = await probe(reach, probed, false);
      const stopped = Object.keys(refused).filter((name) => /^NotCapable/.test(refused[name]!));
      assert.deepEqual(stopped, []);
    })
  ));

Deno.test("each thread of a gateway with fronts has only what it needs", () =>
  withFreePorts(([clients, operators, witness]) =>
    inFolder(async (root) => {
      const dataFolder = join(root, "data");
      await Deno.mkdir(dataFolder);
      (await Deno.openKv(join(dataFolder, "store.kv"))).close();
      await Deno.writeTextFile(join(dataFolder, "key"), "");
      const home = await ServedNetwork.create(root, "home.example");
      await home.configure({
        operator: { host: HOST, port: operators },
        anchors: [
          {
            provider: "opentimestamps",
            mode: "best_effort",
            calendars: [`http://${HOST}:${witness}`],
          },
        ],
      });
      const networkFile = join(home.folder, "network.json");
      const text = await Deno.readTextFile(networkFile);
      const operator = parseOperatorNetwork(text, networkFile, { bls });
      const paths = { dataFolder, networkFile, isTrial: false };
      const permissions = threadPermissions([operator], { host: HOST, port: clients }, paths);
      const starting = startingPermissions(permissions);
      // The probe is no source of the program.
      const tests = fileURLToPath(new URL("../", import.meta.url));
      const withProbe = (granted: RolePermissions) => ({
        ...granted,
        read: [...granted.read, tests],
      });
      const worker = confinedWorker(
        new URL("./thread_probe.ts", import.meta.url),
        "supervisor",
        withProbe(starting),
      );
      const found = await new Promise<Record<string, Allowed>>((resolve) => {
        worker.onmessage = ({ data }) => resolve(data);
        const probed = { dataFolder, host: HOST, clients, operators, witness };
        worker.postMessage({ probed, permissions } satisfies ProbeOrder);
      });
      worker.terminate();
      const allowed = (thread: string) =>
        Object.entries(found[thread]!).flatMap(([name, isAllowed]) => isAllowed ? [name] : []);
      assert.deepEqual(allowed("sequencer"), [
        "read the store",
        "write the store",
        "open Deno KV",
        "write in the data folder",
        "read a key",
        "listen for operators",
        "reach a witness",
      ]);
      assert.deepEqual(allowed("supervisor"), ["read the store", "listen for clients"]);
      assert.deepEqual(allowed("front"), ["read the store", "listen for clients"]);
    })
  ));

Deno.test("a supervisor on any port keeps its host when it drops a port of that host", async () => {
  const reach = { services: [], reads: ["/a"], writes: [], variables: ["A"] };
  const kept = permissionsOf({ ...reach, listeners: [{ host: HOST, port: 0 }] });
  const granted = permissionsOf({
    listeners: [{ host: HOST, port: 0 }],
    services: [`http://${HOST}:8081`, "http://other.example:80"],
    reads: ["/a", "/a/b", "/ab"],
    writes: ["/a"],
    variables: ["A", "B"],
  });
  const module = new URL("./dropping_probe.ts", import.meta.url);
  const worker = new Worker(module, { type: "module", deno: { permissions: grantedOf(granted) } });
  const states = await new Promise((resolve) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.postMessage({ kept, granted });
  });
  worker.terminate();
  assert.deepEqual(states, {
    net: { [HOST]: true, [`${HOST}:8081`]: true, "other.example:80": false },
    read: { "/a": true, "/a/b": true, "/ab": false },
    write: { "/a": false },
    env: { "A": true, "B": false },
  });
});

Deno.test("an invalid host is rejected before the worker starts", () => {
  const nothing = { services: [], reads: [], writes: [], variables: [] };
  const listeners = [{ host: "no host", port: 8080 }];
  const module = new URL("./confined_probe.ts", import.meta.url);
  assert.throws(
    () => confinedWorker(module, "serve", permissionsOf({ ...nothing, listeners })),
    { code: "invalid_configuration" },
  );
});

Deno.test("an unexpected error in a worker fails the process with its reason", async () => {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "-A", "--config", CONFIG, FAULT],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  // Ten more than what the role ended with.
  assert.equal(code, 11);
  assert.match(new TextDecoder().decode(stderr), /in worker "none".*TypeError/);
});

/** Texts that a configuration may have in the place of a host. */
const host = fc.oneof(
  fc.ipV4(),
  fc.ipV6().map((address) => `[${address}]`),
  fc.domain(),
);
const port = fc.integer({ min: 1, max: 65_535 });
const service = fc.record({
  host,
  port: fc.option(port, { nil: undefined }),
  scheme: fc.constantFrom("http", "https"),
  path: fc.constantFrom("", "/", "/a/b"),
});
const path = fc.array(fc.stringMatching(/^[a-z. ,%]{1,8}$/), { minLength: 1 }).map((parts) =>
  `/${parts.join("/")}`
);

Deno.test("permissionsOf() grants exactly the reach", () => {
  fc.assert(fc.property(
    fc.record({
      listeners: fc.array(fc.record({ host, port: fc.integer({ min: 0, max: 65_535 }) })),
      services: fc.array(service),
      reads: fc.array(path),
      writes: fc.array(path),
      variables: fc.array(fc.stringMatching(/^COUNTERSIGN_TOKEN_[A-Z]{1,9}$/)),
    }),
    ({ listeners, services, reads, writes, variables }) => {
      const { net, read, write, env, ...others } = permissionsOf({
        listeners: listeners.map(({ host, port }) => ({
          host: host.replace(/^\[|\]$/g, ""),
          port,
        })),
        services: services.map(({ scheme, host, port, path }) =>
          `${scheme}://${host}${port === undefined ? "" : `:${port}`}${path}`
        ),
        reads,
        writes,
        variables,
      });
      const hosts = [
        ...listeners.map(({ host, port }) => port === 0 ? host : `${host}:${port}`),
        ...services.map(({ scheme, host, port = scheme === "http" ? 80 : 443 }) =>
          `${new URL(`http://${host}`).hostname}:${port}`
        ),
      ];
      assert.deepEqual(new Set(net), new Set(hosts));
      assert.deepEqual(new Set(read), new Set([...reads, ...writes]));
      assert.deepEqual(new Set(write), new Set(writes));
      assert.deepEqual(new Set(env), new Set(variables));
      assert.deepEqual(others, { run: false, ffi: false, sys: [], import: false });
      for (const list of [net, read, write, env]) assert.equal(new Set(list).size, list.length);
    },
  ));
});
