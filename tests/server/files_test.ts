import assert from "node:assert/strict";
import { join } from "node:path";
import { replaceFile } from "../../src/server/replaced_file.ts";
import { inFolder } from "./captured_io.ts";

Deno.test("replaceFile() names the file that it was to write", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "none", "a.json");
    await assert.rejects(replaceFile(path, "", 0o644), {
      code: "file_failed",
      message: `Cannot write "${path}": there is no such folder`,
    });
  });
});
