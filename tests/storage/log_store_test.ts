import { openKvLogStore } from "../../src/storage/log/local_log_store.ts";
import { KV_LOG_LIMITS } from "../../src/storage/log/commit_limits.ts";
import { MemoryLog } from "../gateway/memory_log.ts";
import { MemoryLogStore } from "../gateway/memory_store.ts";
import { testFence } from "./fence_conformance.ts";
import { type TestedLog, testLogStore } from "./log_store_conformance.ts";

function inMemory(): Promise<TestedLog> {
  const log = new MemoryLog(KV_LOG_LIMITS);
  return Promise.resolve({
    open: () => Promise.resolve(new MemoryLogStore(log)),
    remove: () => Promise.resolve(),
  });
}

async function onDisk(): Promise<TestedLog> {
  const folder = await Deno.makeTempDir();
  return {
    open: () => openKvLogStore(`${folder}/log.kv`, "network"),
    remove: () => Deno.remove(folder, { recursive: true }),
  };
}

testLogStore("the log's store in a test's memory", inMemory);
testLogStore(
  "the log's store on Deno KV in memory",
  () =>
    Promise.resolve({
      open: () => openKvLogStore(":memory:", "network"),
      remove: () => Promise.resolve(),
    }),
);
testLogStore("the log's store on Deno KV on disk", onDisk);
testFence("the log's store in a test's memory", inMemory);
testFence("the log's store on Deno KV on disk", onDisk);
