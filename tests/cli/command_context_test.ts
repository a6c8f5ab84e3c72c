import assert from "node:assert/strict";
import { join } from "node:path";
import { systemClock } from "../../src/base/clock.ts";
import { CommandContext } from "../../src/cli/command_context.ts";
import { hashInputs } from "../../src/cli/stamp/stamp_inputs.ts";
import { portableBls } from "../../src/proof/crypto/portable_bls.ts";
import { hasCode } from "../../src/base/errors.ts";
import { TestNetwork } from "../proof/verify/fixture.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";

const network = new TestNetwork("net").configuration;

function contextIn(
  folder: string,
  env: Readonly<Record<string, string>>,
  options: { readonly gateways?: readonly string[]; readonly columns?: number } = {},
): { readonly context: CommandContext; readonly io: CapturedIo } {
  const io = new CapturedIo({ folder, env });
  const process = {
    io,
    clock: systemClock,
    stdin: () => ReadableStream.from([]),
    dropPermissions: () => {},
    columns: options.columns,
    showsProgress: false,
  };
  const context = new CommandContext(
    process,
    { output: "text", gateways: options.gateways ?? [] },
    portableBls,
  );
  return { context, io };
}

Deno.test("pins are stored in COUNTERSIGN_HOME, then XDG_CONFIG_HOME, then HOME", async () => {
  await inFolder(async (folder) => {
    const all = { COUNTERSIGN_HOME: "own", XDG_CONFIG_HOME: "/xdg", HOME: "/home/user" };
    const cases = [
      [all, join(folder, "own")],
      [{ XDG_CONFIG_HOME: join(folder, "xdg"), HOME: "/home" }, join(folder, "xdg", "countersign")],
      [{ HOME: join(folder, "user") }, join(folder, "user", ".config", "countersign")],
      [{ USERPROFILE: join(folder, "user") }, join(folder, "user", ".config", "countersign")],
    ] as const;
    for (const [env, expected] of cases) {
      const path = await contextIn(folder, env).context.trust.savePin(network);
      assert.equal(path, join(expected, "networks", "net.json"));
    }
    assert.throws(
      () => contextIn(folder, {}).context.trust,
      (error) => hasCode(error, "configuration_missing"),
    );
  });
});

Deno.test("several gateways of a log can be named", () => {
  const urls = (given: Readonly<Record<string, string>>, ...gateways: readonly string[]) => {
    const { url, others } = contextIn("/", given, { gateways }).context.gatewayUrls;
    return [url, ...others].map(({ href }) => href);
  };
  const env = { COUNTERSIGN_GATEWAY: "https://a.example,https://b.example/below" };
  assert.deepEqual(urls(env), ["https://a.example/", "https://b.example/below/"]);
  assert.deepEqual(urls(env, "https://c.example", "https://d.example"), [
    "https://c.example/",
    "https://d.example/",
  ]);
  assert.throws(() => urls({ COUNTERSIGN_GATEWAY: "https://a.example," }), { code: "usage" });
});

Deno.test("--gateway wins over COUNTERSIGN_GATEWAY, which wins over the default", () => {
  const env = { COUNTERSIGN_GATEWAY: "https://gateway.example/below" };
  const url = (given: Readonly<Record<string, string>>, gateway?: string) =>
    contextIn("/", given, gateway === undefined ? {} : { gateways: [gateway] }).context.gateway.url
      .href;
  assert.equal(url(env, "http://other.example"), "http://other.example/");
  assert.equal(url(env), "https://gateway.example/below/");
  assert.equal(url({}), "http://127.0.0.1:8080/");
  for (const bad of ["ftp://gateway.example", "gateway", "http://a:b@c", "http://c/?q", ""]) {
    assert.throws(() => url({}, bad), (error) => hasCode(error, "usage"));
  }
});

Deno.test("output has colours only in a terminal without NO_COLOR", () => {
  const printed = (env: Readonly<Record<string, string>>, columns?: number) => {
    const { context, io } = contextIn("/", env, columns === undefined ? {} : { columns });
    context.output.result({}, () => [{ text: "VALID", accent: "green" }]);
    return io.stdout;
  };
  assert.equal(printed({}, 80), "\u001b[32mVALID\u001b[39m");
  assert.equal(printed({ NO_COLOR: "1" }, 80), "VALID");
  assert.equal(printed({}), "VALID");
});

Deno.test("progress bars need a terminal", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "file"), "content");
    const { context, io } = contextIn(folder, {});
    const inputs = await hashInputs(
      context,
      { files: ["file"], hashes: [], checksums: [], hidden: false, save: false },
      { signal: new AbortController().signal },
    );
    assert.equal(inputs.length, 1);
    assert.deepEqual(io.errLines, []);
  });
});
