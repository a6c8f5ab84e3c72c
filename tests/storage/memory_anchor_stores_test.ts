import { MemoryAnchorStore } from "../gateway/anchors/memory_anchor_store.ts";
import { FederationDisk, MemoryFederationStore } from "../gateway/federation/memory_store.ts";
import { testAnchorStore } from "./anchor_store_conformance.ts";
import { testFederationStore } from "./federation_store_conformance.ts";

testAnchorStore("anchors in a test's memory", () => {
  const store = new MemoryAnchorStore();
  return Promise.resolve({
    store,
    reopen: () => Promise.resolve(store),
    remove: () => Promise.resolve(),
  });
});

testFederationStore("cross-anchors in a test's memory", () => {
  const disk = new FederationDisk();
  return Promise.resolve({
    store: new MemoryFederationStore(disk),
    reopen: () => Promise.resolve(new MemoryFederationStore(disk)),
    remove: () => Promise.resolve(),
  });
});
