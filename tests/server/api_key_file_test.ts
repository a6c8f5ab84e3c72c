/** Files of API keys: which ones a gateway reads, at its start and while it runs. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { encodeApiKeys } from "../../src/config/api_keys.ts";
import { ApiKeyFile } from "../../src/server/gateway/api_key_file.ts";
import { FakeClock } from "../fake_clock.ts";
import { until } from "../gateway/fixture.ts";
import { inFolder } from "./captured_io.ts";

const entry = (name: string, byte: string) => ({ name, sha256: byte.repeat(32), rates: {} });
const TEXT = encodeApiKeys([entry("alice", "aa")]);

async function pipe(path: string): Promise<void> {
  assert.ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
}

const DAMAGED: Readonly<Record<string, readonly [(path: string) => Promise<void>, RegExp]>> = {
  "a folder": [(path) => Deno.mkdir(path), /it is not a regular file/],
  "a pipe": [pipe, /it is not a regular file/],
  "a dangling link": [(path) => Deno.symlink(`${path}.none`, path), /there is no such file/],
  "half of the text": [
    (path) => Deno.writeTextFile(path, TEXT.slice(0, TEXT.length / 2)),
    /Cannot read JSON of/,
  ],
  "an empty file": [(path) => Deno.writeTextFile(path, ""), /Cannot read JSON of/],
  "a file that everyone may write": [
    async (path) => {
      await Deno.writeTextFile(path, TEXT);
      await Deno.chmod(path, 0o666);
    },
    /everyone may write it/,
  ],
};

for (const [name, [damage, problem]] of Object.entries(DAMAGED)) {
  Deno.test(`${name} is refused at the start, and changes no key of a running gateway`, () =>
    inFolder(async (folder) => {
      const clock = new FakeClock();
      const reports: string[] = [];
      const file = join(folder, "api-keys.json");
      const options = {
        file,
        hasBudgets: true,
        clock,
        report: (message: string) => void reports.push(message),
      };
      await damage(file);
      await assert.rejects(ApiKeyFile.open(options), problem);
      await Deno.remove(file);

      await Deno.writeTextFile(file, TEXT);
      const keys = await ApiKeyFile.open(options);
      const stopping = new AbortController();
      const running = keys.run(stopping.signal);
      const namesNow = () => keys.feed.value.map(({ name }) => name).join();
      const nextRead = async (done: () => boolean) =>
        await until(async () => {
          await clock.advance(1_000);
          return done();
        });
      await Deno.remove(file);
      await damage(file);
      await nextRead(() => reports.some((report) => problem.test(report)));
      assert.equal(namesNow(), "alice");
      // The repaired file is read.
      await Deno.remove(file);
      await Deno.writeTextFile(file, encodeApiKeys([entry("bob", "bb")]));
      await nextRead(() => namesNow() === "bob");
      stopping.abort();
      await running;
    }));
}
