/**
 * The worker of a front that ends with an error when the file at `fail` in its URL becomes newer than the
 * worker itself.
 *
 * @module
 */

import "../../src/server/role_worker.ts";

const WATCH_MS = 20;
const file = new URL(import.meta.url).searchParams.get("fail")!;
const started = Date.now();

setInterval(() => {
  const { mtime } = Deno.statSync(file);
  if (mtime!.getTime() > started) throw new Error("the test ends this front");
}, WATCH_MS);
