import assert from "node:assert/strict";
import { acquireLock, holdLock } from "../../src/storage/lock_file.ts";
import { inFolder } from "../server/captured_io.ts";

Deno.test("a lock keeps others out until it is released", () =>
  inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const lock = await acquireLock(path);
    lock.name("a gateway");
    await assert.rejects(acquireLock(path), { code: "data_in_use", message: /a gateway uses it/ });
    await assert.rejects(holdLock(path), { code: "data_in_use" });
    lock.release();
    const held = await holdLock(path);
    await assert.rejects(acquireLock(path), { code: "data_in_use" });
    held!.release();
    (await acquireLock(path)).release();
    assert.equal(await Deno.readTextFile(path), "");
  }));

Deno.test("a released lock is free while this process starts children", () =>
  inFolder(async (folder) => {
    const path = `${folder}/lock`;
    let isOver = false;
    let started = 0;
    // Each child shares the open files of this process until its program begins.
    const children = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        started++;
        await new Deno.Command(Deno.execPath(), { args: ["--version"], stdout: "null" }).output();
      }
    });
    try {
      while (started < 100) (await acquireLock(path)).release();
    } finally {
      isOver = true;
      await Promise.all(children);
    }
  }));
