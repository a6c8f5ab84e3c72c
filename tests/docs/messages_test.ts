/** The messages in docs/messages.md are those of the program. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The sources in one line: a message may be in several literals. */
async function sources(folder: string): Promise<string> {
  const texts: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = join(folder, name);
    if (isDirectory && name !== "build") texts.push(await sources(path));
    else if (/\.tsx?$/.test(name)) texts.push(await Deno.readTextFile(path));
  }
  return texts.join("\n").replaceAll(
    /["`] \+\s*["`]|\s+/g,
    (found) => found.trim() === "" ? " " : "",
  );
}

Deno.test("each message in docs/messages.md is one of the program", async () => {
  const code = await sources(join(ROOT, "src"));
  const text = await Deno.readTextFile(join(ROOT, "docs/messages.md"));
  const rows = [...text.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm)];
  assert.ok(rows.length >= 40);
  for (const [, before, now] of rows) {
    assert.notEqual(before, now);
    for (const part of now!.split("…").map((part) => part.trim()).filter((part) => part !== "")) {
      // Or an errorBuilder has the beginning.
      const [failure, ...reason] = part.split(": ");
      const isBuilt = code.includes(`, "${failure}");`) && reason.length > 0 &&
        code.includes(reason.join(": "));
      assert.ok(code.includes(part) || isBuilt, `no message has "${part}"`);
    }
  }
});
