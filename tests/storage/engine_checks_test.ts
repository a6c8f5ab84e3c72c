import { ENGINE_CHECKS } from "../../src/storage/engine_checks/checks.ts";
import type { ScratchStore } from "../../src/storage/engine_checks/scratch.ts";
import { openRemoteKv } from "../../src/storage/kv_connect.ts";
import { openStoreKv } from "../../src/storage/store_kv.ts";
import { KV_TOKEN, KvConnectServer } from "./kv_connect_server.ts";

type Scratch = ScratchStore & AsyncDisposable;

async function local(): Promise<Scratch> {
  const folder = await Deno.makeTempDir();
  return {
    open: () => openStoreKv(`${folder}/scratch.kv`),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

function remote(): Promise<Scratch> {
  const server = new KvConnectServer();
  return Promise.resolve({
    open: () => openRemoteKv({ url: server.url, token: KV_TOKEN }, ["scratch"]),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  });
}

for (const [engine, make] of [["Deno KV", local], ["Deno KV by URL", remote]] as const) {
  for (const { name, run } of ENGINE_CHECKS) {
    Deno.test(`${engine}: ${name}`, async () => {
      await using scratch = await make();
      await run(scratch);
    });
  }
}
