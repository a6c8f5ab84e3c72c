import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { fileNameOf } from "../../src/server/files.ts";
import { replaceFile } from "../../src/server/replaced_file.ts";
import { TrustFolder } from "../../src/cli/trust_folder.ts";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { hasCode } from "../../src/base/errors.ts";
import { isNetworkId } from "../../src/proof/format/names.ts";
import { makeLog, TestNetwork } from "../proof/verify/fixture.ts";
import { inFolder } from "../server/captured_io.ts";

const ID_CHARACTERS = [..."ABYZabyz0189._~/-"];
const networkId = fc.string({
  unit: fc.constantFrom(...ID_CHARACTERS),
  minLength: 1,
  maxLength: 96,
}).filter(isNetworkId);

Deno.test("fileNameOf() gives each network id a different name, also on case-insensitive file systems", () => {
  fc.assert(fc.property(networkId, networkId, (a, b) => {
    const name = fileNameOf(a);
    assert.match(name, /^[a-z0-9%][a-z0-9.%-]*$/);
    assert.ok(name.length <= 144);
    assert.equal(name.toLowerCase(), name);
    assert.equal(name === fileNameOf(b), a === b);
  }));
  assert.equal(fileNameOf("countersign.local/A~1"), "countersign.local%2f%41%7e1");
  const longest = "Z".repeat(96);
  assert.ok(isNetworkId(longest));
  assert.equal(
    fileNameOf(longest),
    `%sha256-${createHash("sha256").update(longest).digest("hex")}`,
  );
});

Deno.test("a home folder that is a file is called so", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "home");
    await Deno.writeTextFile(path, "no folder");
    const trust = new TrustFolder(path);
    const message = /: a part of this path is a file, not a folder$/;
    await assert.rejects(trust.pins(), { code: "file_failed", message });
    await assert.rejects(trust.pin("a"), { code: "file_failed", message });
  });
});

Deno.test("pins and heads are stored by network", async () => {
  await inFolder(async (folder) => {
    const trust = new TrustFolder(join(folder, "deep", "home"));
    assert.deepEqual(await trust.pins(), []);
    assert.equal(await trust.pin("a"), undefined);
    assert.equal(await trust.head("a"), undefined);
    await trust.forgetHead("a");
    const networks = [new TestNetwork("a"), new TestNetwork("A"), new TestNetwork("a/b~c")];
    for (const network of networks) {
      await trust.savePin(network.configuration);
      await trust.saveHead(makeLog(network).sth(8, 1));
    }
    assert.equal((await trust.pins()).length, 3);
    for (const network of networks) {
      assert.deepEqual(await trust.pin(network.id), publicNetwork(network.configuration));
      assert.deepEqual(await trust.head(network.id), makeLog(network).sth(8, 1));
    }
    await trust.forgetHead("A");
    assert.equal(await trust.head("A"), undefined);
    assert.notEqual(await trust.head("a"), undefined);
  });
});

Deno.test("saveEvidence() stores each content once", async () => {
  await inFolder(async (folder) => {
    const trust = new TrustFolder(folder);
    const path = await trust.saveEvidence("a/b", { found: 1 });
    assert.equal(await trust.saveEvidence("a/b", { found: 1 }), path);
    assert.notEqual(await trust.saveEvidence("a/b", { found: 2 }), path);
    // Evidence is no head: it is never read as one.
    assert.equal(await trust.head("a/b"), undefined);
  });
});

Deno.test("files are replaced by rename without leftovers", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "file");
    await replaceFile(path, "old", 0o600);
    await replaceFile(path, "new", 0o600);
    assert.equal(await Deno.readTextFile(path), "new");
    await Deno.mkdir(join(folder, "taken"));
    await Deno.writeTextFile(join(folder, "taken", "child"), "");
    await assert.rejects(
      replaceFile(join(folder, "taken"), "text", 0o600),
      (error) => hasCode(error, "file_failed"),
    );
    await assert.rejects(
      replaceFile(join(folder, "none", "file"), "text", 0o600),
      (error) => hasCode(error, "file_failed"),
    );
    const names = [...Deno.readDirSync(folder)].map((entry) => entry.name).toSorted();
    assert.deepEqual(names, ["file", "taken"]);
  });
});
