import assert from "node:assert/strict";
import { appendFileSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { hashContent, readDocument, readLogPolicy } from "../../src/cli/input_file.ts";
import { CountersignError } from "../../src/base/errors.ts";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import { digestOf } from "../proof/verify/fixture.ts";
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

Deno.test("a file in another encoding or with other line ends is refused with its cure", async () => {
  await inFolder(async (folder) => {
    const context = contextOf(new CapturedIo({ folder }));
    const refuse = (text: string): never => {
      throw new CountersignError("malformed_text", `Cannot read note: ${text.length}`);
    };
    writeFileSync(join(folder, "note"), "origin\r\n4\r\n");
    await assert.rejects(readDocument(context, "note", "malformed_text", refuse), /CRLF: convert/);
    writeFileSync(join(folder, "note"), "origin\n4\n");
    await assert.rejects(
      readDocument(context, "note", "malformed_text", refuse),
      (error: Error) => !error.message.includes("CRLF"),
    );
    // JSON may have any line ends: its fault is another one.
    writeFileSync(join(folder, "proof"), "{\r\n}\r\n");
    await assert.rejects(
      readDocument(context, "proof", "malformed_bundle", refuse),
      (error: Error) => !error.message.includes("CRLF"),
    );
    writeFileSync(join(folder, "policy"), "log x\r\nquorum none\r\n");
    await assert.rejects(readLogPolicy(context, "policy"), /CRLF: convert them to LF/);
    writeFileSync(join(folder, "proof"), Buffer.from("\ufeff{}", "utf16le"));
    await assert.rejects(
      readDocument(context, "proof", "malformed_bundle", refuse),
      /it is UTF-16: save it as UTF-8, in "proof"/,
    );
    writeFileSync(join(folder, "proof"), "\ufeff{}");
    await assert.rejects(
      readDocument(context, "proof", "malformed_bundle", parseBundle),
      /a byte order mark \(save it as UTF-8 without one\)/,
    );
  });
});
