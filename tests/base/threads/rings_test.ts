import assert from "node:assert/strict";
import fc from "fast-check";
import { BroadcastReader, BroadcastWriter } from "../../../src/base/threads/broadcast_ring.ts";
import { newRingMemory } from "../../../src/base/threads/frame_memory.ts";
import { RequestReader, RequestWriter } from "../../../src/base/threads/request_ring.ts";

/** Positions at which a count of 31, 32 or 33 bits would overflow, and the beginning. */
const STARTS = [0, 2 ** 31 - 64, 2 ** 32 - 64, 2 ** 33 - 64, 2 ** 52];
const CAPACITY = 256;

const frames = fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 40 });
const start = fc.constantFrom(...STARTS);

function filled(length: number, value: number): Uint8Array {
  return new Uint8Array(length).fill(value);
}

Deno.test("a request ring passes frames in order, whatever the reads between", () => {
  fc.assert(fc.property(start, frames, fc.infiniteStream(fc.boolean()), (start, frames, reads) => {
    const memory = newRingMemory(CAPACITY, start);
    const writer = new RequestWriter(memory);
    const reader = new RequestReader(memory);
    const waiting: Uint8Array[] = [];
    for (const frame of frames) {
      while (!writer.tryWrite(frame)) assert.deepEqual(reader.read(), waiting.shift()!);
      waiting.push(frame);
      if (reads.next().value) assert.deepEqual(reader.read(), waiting.shift()!);
      assert.equal(reader.hasMore, waiting.length > 0);
    }
    for (const frame of waiting) assert.deepEqual(reader.read(), frame);
    assert.equal(reader.hasMore, false);
    assert.equal(reader.read(), undefined);
  }));
});

Deno.test("a full request ring takes frames again after it was read", () => {
  const memory = newRingMemory(64);
  const writer = new RequestWriter(memory);
  const reader = new RequestReader(memory);
  for (let i = 0; i < 2; i++) {
    assert.ok(writer.tryWrite(filled(28, i)));
    assert.ok(writer.tryWrite(filled(28, i)));
    assert.equal(writer.tryWrite(new Uint8Array(0)), false);
    assert.deepEqual(reader.read(), filled(28, i));
    assert.deepEqual(reader.read(), filled(28, i));
  }
  assert.throws(() => writer.tryWrite(new Uint8Array(61)), RangeError);
  assert.ok(writer.tryWrite(new Uint8Array(60)));
});

Deno.test("frames are copies that begin at a whole word", () => {
  const memory = newRingMemory(64);
  const writer = new RequestWriter(memory);
  const reader = new RequestReader(memory);
  for (const length of [5, 3, 8]) writer.tryWrite(filled(length, length));
  const read = [reader.read()!, reader.read()!, reader.read()!];
  for (let i = 0; i < 6; i++) writer.tryWrite(filled(5, 0xff));
  assert.deepEqual(read, [filled(5, 5), filled(3, 3), filled(8, 8)]);
  assert.deepEqual(read.map(({ byteOffset }) => byteOffset % 4), [0, 0, 0]);
});

Deno.test("every reader of a broadcast ring has all frames, or is lapped", () => {
  const read = fc.infiniteStream(fc.nat(4));
  fc.assert(fc.property(start, frames, read, (start, frames, read) => {
    const memory = newRingMemory(CAPACITY, start);
    const writer = new BroadcastWriter(memory);
    const readers = [1, 2].map(() => ({
      reader: new BroadcastReader(memory, writer.position),
      unread: [] as { frame: Uint8Array; position: number }[],
      isLapped: false,
    }));
    const readOne = (state: typeof readers[number]) => {
      const found = state.reader.read();
      if (found === "lapped") {
        state.isLapped = true;
        const { position } = state.unread[0]!;
        assert.ok(writer.position - position > CAPACITY);
        assert.equal(state.reader.read(), "lapped");
      } else assert.deepEqual(found, state.unread.shift()?.frame);
    };
    for (const frame of frames) {
      const { position } = writer;
      writer.write(frame);
      for (const state of readers) {
        state.unread.push({ frame, position });
        for (let i = read.next().value!; i > 0 && !state.isLapped; i--) readOne(state);
      }
    }
    for (const state of readers) {
      while (!state.isLapped && state.unread.length > 0) readOne(state);
      assert.equal(state.reader.hasMore, state.isLapped);
    }
  }));
});

Deno.test("a reader that joins later begins at the writer's position", () => {
  const memory = newRingMemory(CAPACITY);
  const writer = new BroadcastWriter(memory);
  for (let i = 0; i < 50; i++) writer.write(filled(20, i));
  const reader = new BroadcastReader(memory, writer.position);
  assert.equal(reader.hasMore, false);
  writer.write(filled(20, 50));
  assert.deepEqual(reader.read(), filled(20, 50));
  assert.throws(() => writer.write(new Uint8Array(CAPACITY)), RangeError);
});

Deno.test("a reader is lapped by a frame that is being written while it copies", () => {
  const memory = newRingMemory(CAPACITY);
  const writer = new BroadcastWriter(memory);
  const reader = new BroadcastReader(memory, 0);
  for (let i = 0; i < 8; i++) writer.write(filled(28, i));
  // The writer announces the end of a frame before it overwrites others with it.
  const counts = new BigInt64Array(memory, 0, 16);
  const announced = counts.lastIndexOf(BigInt(writer.position));
  assert.ok(announced > 0);
  counts[announced] = BigInt(CAPACITY + 4);
  assert.equal(reader.read(), "lapped");
  counts[announced] = BigInt(CAPACITY);
  assert.deepEqual(reader.read(), filled(28, 0));
});
