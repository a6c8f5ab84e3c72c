import assert from "node:assert/strict";
import { Random } from "../random.ts";
import { Timeline } from "./timeline.ts";
import { Trace } from "./trace.ts";

Deno.test("Timeline runs events in order of time, and in random order at the same time", async () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const timeline = new Timeline(new Random(seed), new Trace());
    const seen: string[] = [];
    for (const name of ["a", "b", "c"]) timeline.in(5, name, () => seen.push(name));
    timeline.in(9, "last", () => seen.push("last"));
    timeline.in(1, "first", () => {
      seen.push("first");
      timeline.in(0, "follows", () => seen.push("follows"));
    });
    timeline.in(2, "cancelled", () => seen.push("cancelled")).cancel();
    while (await timeline.step());
    assert.deepEqual([seen[0], seen[1], seen[5], seen.length], ["first", "follows", "last", 6]);
    assert.equal(timeline.elapsedMs, 9);
    orders.add(seen.slice(2, 5).join(""));
  }
  assert.equal(orders.size, 6);
});

Deno.test("Timeline runs all immediate consequences of an event before the next event", async () => {
  const timeline = new Timeline(new Random(3), new Trace());
  const seen: number[] = [];
  timeline.in(1, "one", async () => {
    for (let turn = 0; turn < 500; turn++) await Promise.resolve();
    seen.push(1);
  });
  timeline.in(1.5, "two", () => seen.push(2));
  await timeline.step();
  await timeline.step();
  assert.deepEqual(seen, [1, 2]);
  assert.equal(await timeline.step(), false);
});

Deno.test("Random numbers depend only on the seed and the stream", () => {
  const draw = (seed: number, stream: number) => {
    const random = new Random(seed, stream);
    return [random.word(), random.below(7), random.chance(0.5), random.bytes(4).toHex()].join();
  };
  assert.equal(draw(5, 1), draw(5, 1));
  const drawn = [draw(5, 1), draw(5, 2), draw(6, 1), draw(5 + 2 ** 32, 1), draw(0, 0)];
  assert.equal(new Set(drawn).size, drawn.length);
});

Deno.test("Random numbers are uniform, within their bounds and by their weights", () => {
  const random = new Random(9);
  const counts = new Map<string | number, number>();
  const count = (key: string | number) => counts.set(key, (counts.get(key) ?? 0) + 1);
  for (let i = 0; i < 30_000; i++) {
    count(random.between(3, 5));
    count(random.weighted({ rare: 1, common: 2 }));
    if (random.chance(0.25)) count("quarter");
  }
  const near = (key: string | number, expected: number) =>
    assert.ok(Math.abs(counts.get(key)! - expected) < 600, `${key}: ${counts.get(key)}`);
  for (const value of [3, 4, 5]) near(value, 10_000);
  near("rare", 10_000);
  near("quarter", 7_500);
  assert.equal(counts.get("rare")! + counts.get("common")!, 30_000);
  assert.deepEqual([...counts.keys()].filter((key) => typeof key === "number").sort(), [3, 4, 5]);
});

Deno.test("traces that differ in a letter or in their order have different digests", () => {
  const digestOf = (...lines: string[]) => {
    const trace = new Trace();
    for (const line of lines) trace.note(line);
    return trace.digest;
  };
  const digests = [
    digestOf(),
    digestOf(""),
    digestOf("ab", "c"),
    digestOf("a", "bc"),
    digestOf("c", "ab"),
    digestOf("ab", "d"),
  ];
  assert.equal(new Set(digests).size, digests.length);
  assert.equal(digestOf("ab", "c"), digestOf("ab", "c"));
});
