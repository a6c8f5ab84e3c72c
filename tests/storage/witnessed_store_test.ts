import { join } from "node:path";
import { openAnchorDatabase } from "../../src/storage/anchors/anchor_database.ts";
import { KvWitnessedStore } from "../../src/storage/anchors/kv_witnessed_store.ts";
import { testWitnessedStore } from "./witnessed_store_conformance.ts";

testWitnessedStore("KvWitnessedStore", async () => {
  const folder = await Deno.makeTempDir();
  const open = () => openAnchorDatabase(join(folder, "anchors.kv"), "network");
  let database = await open();
  return {
    store: new KvWitnessedStore(database),
    async reopen() {
      database.close();
      database = await open();
      return new KvWitnessedStore(database);
    },
    async remove() {
      database.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
});
