import assert from "node:assert/strict";
import type * as Builtins from "../../src/base/builtins.ts";
import { anySignal } from "../../src/base/clock.ts";
import { partsOf } from "../../src/client/stream_parts.ts";

const MODULE = new URL("../../src/base/builtins.ts", import.meta.url).href;
const NEWER = [[Uint8Array.prototype, "toBase64"], [Uint8Array, "fromBase64"]] as const;

/** Every length below 300, and every byte. */
const SAMPLES = Array.from(
  { length: 300 },
  (_, length) => Uint8Array.from({ length }, (_, i) => (i * 167 + length) % 256),
);

/** The texts that each alphabet gives, and all samples read back from each spelling. */
function coded({ toBase64, fromBase64 }: typeof Builtins) {
  return (["base64", "base64url"] as const).map((alphabet) => {
    const texts = SAMPLES.map((bytes) => toBase64(bytes, alphabet));
    const spellings = [texts, texts.map((text) => text.replaceAll("=", ""))];
    const read = spellings.map((each) => each.map((text) => fromBase64(text, alphabet)));
    return {
      texts,
      read,
      refused: ["A", "A===", "AA=", "Ää==", "A*=="].map((text) => fromBase64(text, alphabet)),
    };
  });
}

Deno.test("base64 is the same with the engine's own and without it", async () => {
  const native = coded(await import(MODULE));
  const kept = NEWER.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name)!);
  try {
    for (const [owner, name] of NEWER) assert.ok(Reflect.deleteProperty(owner, name));
    assert.deepEqual(coded(await import(`${MODULE}?portable`)), native);
  } finally {
    NEWER.forEach(([owner, name], i) => Object.defineProperty(owner, name, kept[i]!));
  }
  for (const { read, refused } of native) {
    assert.deepEqual(read, [SAMPLES, SAMPLES]);
    assert.deepEqual(new Set(refused), new Set([undefined]));
  }
});

Deno.test("anySignal() aborts with the first, with its reason, once", () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const either = anySignal(first.signal, second.signal);
  let count = 0;
  either.addEventListener("abort", () => count++);
  assert.ok(!either.aborted);
  second.abort("the second");
  first.abort("the first");
  assert.deepEqual([either.aborted, either.reason, count], [true, "the second", 1]);
  assert.equal(anySignal(first.signal, second.signal).reason, "the first");
});

Deno.test("partsOf() yields all parts, and cancels a stream that is left", async () => {
  let cancelled = 0;
  const stream = () => {
    let next = 0;
    return new ReadableStream<number>({
      pull: (controller) => next < 5 ? controller.enqueue(next++) : controller.close(),
      cancel: () => void cancelled++,
    });
  };
  const parts: number[] = [];
  for await (const part of partsOf(stream())) parts.push(part);
  assert.deepEqual([parts, cancelled], [[0, 1, 2, 3, 4], 0]);
  for await (const part of partsOf(stream())) if (part === 2) break;
  assert.equal(cancelled, 1);
  const broken = new ReadableStream({ pull: () => Promise.reject(new Error("lost")) });
  await assert.rejects(async () => {
    for await (const _part of partsOf(broken));
  }, /lost/);
});
