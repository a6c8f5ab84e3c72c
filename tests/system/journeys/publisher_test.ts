/**
 * A publisher's way with the npm package on the oldest Node: a release folder, one proof of its list, the
 * recipe in a pipeline, and a second machine whose user has the published configuration alone.
 *
 * @module
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NpmPackage } from "../npm_package.ts";
import { onNode } from "./user.ts";

const RECIPE = fileURLToPath(new URL("../../../recipes/countersign.sh", import.meta.url));
/** As a shell of the user quotes it. */
const ODD = "'notes (1) $HOME `x`.txt'";

/** A release with names that scripts stumble over, a hidden file, and a pipe that never ends. */
const RELEASE = `mkdir -p release/sub; cd release
echo app > app.tar.gz; echo notes > ${ODD}; echo dash > ./-rf; echo more > sub/more.bin
echo hidden > .hidden; mkfifo pipe`;

Deno.test("a publisher proves a release, and a second machine verifies it without the gateway", async (t) => {
  const npmPackage = new NpmPackage();
  await npmPackage.build();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => npmPackage.remove());
  const publisher = stack.use(await onNode(npmPackage));
  const reader = stack.use(await onNode(npmPackage));
  await publisher.startGateway();
  const configuration = "countersign-data/network/network.public.json";
  const told = await publisher.see(`countersign network ${configuration}`);
  const fingerprint = /^fingerprint: (\S+)$/m.exec(told)![1]!;

  await t.step("the fingerprint of the operator is the condition of the pin", async () => {
    const other = fingerprint.startsWith("0") ? "1" : "0";
    const wrong = `${other}${fingerprint.slice(1)}`;
    await publisher.see(`countersign network --pin --fingerprint ${wrong}`, 1);
    await publisher.see(`countersign network --pin --fingerprint ${fingerprint}`);
  });

  await t.step("one proof of a list proves a folder, and says what it left out", async () => {
    await publisher.see(RELEASE);
    const stamped = await publisher.see("countersign stamp --manifest release/SHA256SUMS release");
    assert.match(stamped, /Skipped in release: .*1 hidden.*pipe/);
    const checked = await publisher.see("cd release; sha256sum -c SHA256SUMS");
    assert.equal(checked.match(/: OK$/gm)?.length, 4, checked);
  });

  await t.step("the recipe runs the package of this SHA-256 and no other", async () => {
    const bytes = await Deno.readFile(npmPackage.tarball);
    const digest = createHash("sha256").update(bytes).digest("hex");
    const run = (sha256: string) =>
      `COUNTERSIGN_PACKAGE='${npmPackage.tarball}' COUNTERSIGN_PACKAGE_SHA256=${sha256} ` +
      `sh '${RECIPE}' stamp --save release/app.tar.gz`;
    assert.match(await publisher.see(run("0".repeat(64)), 1), /has the SHA-256/);
    assert.match(
      await publisher.see(run(digest)),
      /saved release\/app\.tar\.gz\.countersign\.json/,
    );
  });

  await publisher.stopGateway();
  await reader.see(
    `cp -R '${join(publisher.work, "release")}' release; rm release/pipe; ` +
      `cp '${join(publisher.work, configuration)}' network.public.json`,
  );

  await t.step(
    "a second machine verifies the release with the published configuration",
    async () => {
      await reader.see("countersign verify release/SHA256SUMS", 1);
      await reader.see(
        `countersign network --pin network.public.json --fingerprint ${fingerprint}`,
      );
      const list = await reader.see("countersign verify release/SHA256SUMS");
      assert.match(list, /^VALID \(Batched\): release\/SHA256SUMS and the 4 files that it lists$/m);
      const alone = await reader.see(
        `countersign verify release/${ODD}; countersign verify release`,
      );
      assert.match(alone, /notes \(1\)/);
      const elsewhere = "mkdir proofs; mv release/app.tar.gz.countersign.json proofs/app.json";
      const proof = "countersign verify release/app.tar.gz --proof proofs/app.json";
      assert.match(await reader.see(`${elsewhere}; ${proof}`), /^VALID \(Batched\)$/m);
    },
  );

  await t.step(
    "a changed, a missing and an added file are named, and the exit status is 1",
    async () => {
      await reader.see(
        "cd release; echo other > app.tar.gz; rm sub/more.bin; echo new > added.txt",
      );
      const list = await reader.see("countersign verify release/SHA256SUMS", 1);
      assert.match(
        list,
        /^INVALID: 1 changed, 1 missing of 4 files that release\/SHA256SUMS lists$/m,
      );
      const folder = await reader.see("countersign verify release", 1);
      for (const name of ["app.tar.gz", "sub/more.bin", "added.txt"]) {
        assert.match(folder, new RegExp(`^(INVALID|MISSING|NO PROOF) +release/${name}`, "m"), name);
      }
    },
  );
});
