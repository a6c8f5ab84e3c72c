import assert from "node:assert/strict";
import { appendFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashContent } from "../../src/cli/input_file.ts";
import { digestOf } from "../verify/fixture.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { contextOf } from "./client_run.ts";

Deno.test("hashContent() refuses a file that is written, replaced or removed meanwhile", async () => {
  await inFolder(async (folder) => {
    const context = contextOf(new CapturedIo({ folder }));
    const path = join(folder, "file");
    const old = new Date(1_700_000_000_000);
    const changes = {
      nothing: () => {},
      longer: () => appendFileSync(path, "more"),
      "other bytes": () => writeFileSync(path, "CONTENT"),
      "other bytes, old time": () => {
        writeFileSync(path, "CONTENT");
        utimesSync(path, old, old);
      },
      replaced: () => {
        writeFileSync(`${path}.new`, "content");
        utimesSync(`${path}.new`, old, old);
        renameSync(`${path}.new`, path);
      },
      moved: () => renameSync(path, `${path}.moved`),
    };
    for (const [what, change] of Object.entries(changes)) {
      writeFileSync(path, "content");
      utimesSync(path, old, old);
      // The times of change differ, also where a runtime has them in seconds.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      let isChanged = false;
      const onProgress = () => {
        if (!isChanged) change();
        isChanged = true;
      };
      const hashed = hashContent(context, "file", { onProgress });
      if (what === "nothing") assert.equal(await hashed, digestOf("content"));
      else await assert.rejects(hashed, /"file": it changed while it was read/, what);
    }
  });
});
