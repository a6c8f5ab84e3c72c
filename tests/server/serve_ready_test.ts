/** What `/ready` and `/metrics` of a served gateway say when its parts fail. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { valueOf } from "../http/metrics/page_samples.ts";
import { inFolder } from "./captured_io.ts";
import { batch, jsonOf, ServedNetwork } from "./served_network.ts";

Deno.test("an idle gateway reports a data folder that accepts no file", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    const data = join(home.folder, "data");
    await home.serve(async ({ url, operatorUrl }) => {
      await batch(url, "ab".repeat(32));
      // What is open stays open; what is new finds no folder.
      await Deno.rename(data, `${data}-away`);
      try {
        const { ready, reasons } = await jsonOf(operatorUrl, "/ready");
        assert.equal(ready, false);
        assert.deepEqual(reasons, [{
          code: "storage_failed",
          detail: "Not ready: the disk cannot be written",
        }]);
        const page = await (await fetch(`${operatorUrl}/metrics`)).text();
        assert.equal(valueOf(page, "countersign_ready"), 0);
        assert.equal(valueOf(page, "countersign_unready", { code: "storage_failed" }), 1);
        assert.equal(valueOf(page, "countersign_unready", { code: "witnesses_missing" }), 0);
        assert.equal(valueOf(page, "countersign_up"), 1, "it has met no fault of its own");
      } finally {
        await Deno.rename(`${data}-away`, data);
      }
    }, { operatorPort: 0 });
    await home.serve(async ({ operatorUrl }) => {
      assert.deepEqual(
        (await jsonOf(operatorUrl, "/ready")).reasons.map(
          ({ code }: { readonly code: string }) => code,
        ).filter((code: string) => code === "storage_failed"),
        [],
      );
    }, { operatorPort: 0 });
  }));
