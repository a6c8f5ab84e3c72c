import assert from "node:assert/strict";
import type { StartedRole } from "../../src/server/roles/started_role.ts";
import { CallPort } from "../../src/server/fronts/call_port.ts";
import { Fronts } from "../../src/server/fronts/fronts.ts";
import type {
  ConnectingFront,
  FrontControl,
  FrontOpening,
  FrontParts,
  SequencerControl,
} from "../../src/server/fronts/thread_calls.ts";
import { NO_LIMITS } from "../../src/config/client_budgets.ts";
import { createSharedLimits, FrontTables } from "../../src/http/limit_tables.ts";
import { newLinkMemory } from "../../src/gateway/link/thread_link_ends.ts";
import { until } from "../gateway/fixture.ts";

const URLS = { url: "http://a", operatorUrl: undefined, eventSocketsUrl: undefined };
const PARTS: FrontParts = {
  networkText: "",
  directories: [],
};

/** A front without a thread. */
interface FakeFront {
  readonly index: number;
  readonly opening: Promise<FrontOpening>;
  readonly end: (code: number) => void;
  isStopped: boolean;
  isDisposed: boolean;
}

/** Fronts whose roles are fakes, and what the sequencer hears of them. */
function fakeFronts(count: number, { endsEarly = false } = {}) {
  const started: FakeFront[] = [];
  const calls: string[] = [];
  const lines: string[] = [];
  const { port1, port2 } = new MessageChannel();
  const ours = {
    connect({ name, end, calls: port }: ConnectingFront) {
      calls.push(`connect ${name}`);
      end.port.close();
      port.close();
      return PARTS;
    },
    disconnect: (name: string) => void calls.push(`disconnect ${name}`),
  };
  const answering = new CallPort(port2, ours);
  const sequencer = new CallPort<SequencerControl>(port1, {});
  const controls: CallPort<FrontControl>[] = [];
  const fronts = new Fronts(count, {
    sequencer,
    link: newLinkMemory(2 ** 16),
    report: (line: string) => lines.push(line),
    start(control, name): StartedRole {
      const index = Number(name.replace("front-", "")) - 1;
      const { promise: ended, resolve: end } = Promise.withResolvers<number>();
      const opening = Promise.withResolvers<FrontOpening>();
      const front = { index, opening: opening.promise, end, isStopped: false, isDisposed: false };
      started.push(front);
      controls.push(
        new CallPort<FrontControl>(control, {
          serve(served: FrontOpening) {
            opening.resolve(served);
            served.end.port.close();
            served.calls.close();
            return URLS;
          },
        }),
      );
      if (endsEarly && started.length > count) end(1);
      return {
        ended,
        stop() {
          front.isStopped = true;
          end(0);
        },
        [Symbol.dispose]: () => front.isDisposed = true,
      };
    },
  });
  return {
    fronts,
    started,
    calls,
    lines,
    limits: createSharedLimits(NO_LIMITS, count),
    [Symbol.dispose]() {
      fronts[Symbol.dispose]();
      for (const port of [answering, sequencer, ...controls]) port.close();
    },
  };
}

const PORTS = { port: 1 };

Deno.test("a front that ends loses its holdings, is disconnected, and is replaced", async () => {
  using fake = fakeFronts(2);
  const { fronts, started, calls, lines, limits } = fake;
  assert.deepEqual(await fronts.open({ limits, ports: PORTS }), URLS);
  assert.deepEqual(calls, ["connect front-1", "connect front-2"]);
  const [first, second] = started;
  new FrontTables(limits, 1).holdings("requests").hold(undefined, 3, Infinity, 10);
  second!.end(1);
  await until(() => lines.includes("front-2 listens again"));
  assert.deepEqual(calls.slice(2), ["disconnect front-2", "connect front-2"]);
  assert.ok(second!.isDisposed && !first!.isDisposed);
  assert.equal(new FrontTables(limits, 0).holdings("requests").total, 0);
  const [before, after] = await Promise.all([second!.opening, started[2]!.opening]);
  assert.deepEqual([before.index, after.index], [1, 1]);
  assert.notEqual(before.end.front, after.end.front);
});

Deno.test("stop() replaces no front", async () => {
  using fake = fakeFronts(2);
  const { fronts, started, lines, limits } = fake;
  await fronts.open({ limits, ports: PORTS });
  await fronts.stop();
  assert.deepEqual(started.map(({ isStopped }) => isStopped), [true, true]);
  assert.deepEqual(lines, []);
});

Deno.test("fronts that keep ending end the gateway with a reason", async () => {
  using fake = fakeFronts(2, { endsEarly: true });
  const { fronts, started, limits } = fake;
  await fronts.open({ limits, ports: PORTS });
  started[0]!.end(1);
  await assert.rejects(fronts.failed, {
    code: "internal",
    message: "Stopped: threads failed 5 times within 10 s. The log says why",
  });
});
