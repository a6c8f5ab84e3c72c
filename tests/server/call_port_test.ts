import assert from "node:assert/strict";
import { CallPort } from "../../src/server/fronts/call_port.ts";
import { CountersignError } from "../../src/base/errors.ts";

interface Theirs {
  double(value: number): Promise<number>;
  refuse(): void;
  fail(): void;
  never(): Promise<void>;
}

function pair() {
  const { port1, port2 } = new MessageChannel();
  const answering = new CallPort(
    port2,
    {
      double: (value) => Promise.resolve(2 * value),
      refuse() {
        throw new CountersignError("overloaded", "Too many");
      },
      fail() {
        throw new TypeError("a fault");
      },
      never: () => new Promise<void>(() => {}),
    } satisfies Theirs,
  );
  const calling = new CallPort<Theirs>(port1, {});
  return {
    calling,
    [Symbol.dispose]() {
      calling.close();
      answering.close();
    },
  };
}

Deno.test("call() resolves with the result of the other thread, in any order", async () => {
  using ports = pair();
  const results = await Promise.all([1, 2, 3].map((value) => ports.calling.call("double", value)));
  assert.deepEqual(results, [2, 4, 6]);
});

Deno.test("call() rejects with the error of the other thread", async () => {
  using ports = pair();
  const { calling } = ports;
  await assert.rejects(calling.call("refuse", undefined), {
    name: "CountersignError",
    code: "overloaded",
    message: "Too many",
  });
  await assert.rejects(calling.call("fail", undefined), { code: "internal", message: "a fault" });
});

Deno.test("close() ends calls without an answer, and refuses later ones", async () => {
  using ports = pair();
  const { calling } = ports;
  const waiting = assert.rejects(calling.call("never", undefined), { code: "shutting_down" });
  calling.close();
  await waiting;
  await assert.rejects(calling.call("double", 1), { code: "shutting_down" });
});
