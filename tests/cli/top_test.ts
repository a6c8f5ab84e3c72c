import assert from "node:assert/strict";
import { systemClock } from "../../src/clock.ts";
import { CommandContext } from "../../src/cli/command_context.ts";
import { Interval } from "../../src/cli/top/scrape.ts";
import { showTop } from "../../src/cli/top/top_command.ts";
import { operatorFigures, type TopFigures } from "../../src/cli/top/top_figures.ts";
import { topLines } from "../../src/cli/top/top_lines.ts";
import { CountersignError } from "../../src/errors.ts";
import { parsePrometheusText } from "../../src/format/prometheus_text.ts";
import { until } from "../gateway/fixture.ts";
import { bls } from "../schemes.ts";
import { CapturedIo, inFolder } from "../server/captured_io.ts";
import { batch, ServedNetwork } from "../server/served_network.ts";

const HASH = "ab".repeat(32);
const FAST = { intervalSeconds: 0.05 };

const between = (before: string, now: string, seconds = 1) =>
  new Interval(parsePrometheusText(before), parsePrometheusText(now), seconds);

/** Cumulated counts of `countersign_h` below 1, below 2 and in all. */
const histogram = (one: number, two: number, all: number) =>
  `countersign_h_bucket{le="1"} ${one}\ncountersign_h_bucket{le="2"} ${two}\n` +
  `countersign_h_bucket{le="+Inf"} ${all}\n`;

/** Runs `top` in a terminal of `size`, or in none. */
function terminal(
  folder: string,
  output: "text" | "json",
  size: { columns?: number | undefined; rows?: number } = {},
) {
  const io = new CapturedIo({ folder });
  const { columns, rows } = size;
  const process = {
    io,
    clock: systemClock,
    showsProgress: false,
    dropPermissions() {},
    columns,
    rows,
    stdin: () => new ReadableStream<Uint8Array>(),
  };
  return { io, process, context: new CommandContext(process, { output }, bls) };
}

/** An operator listener that answers what a test says. */
async function answering(
  answer: (path: string) => Response,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => answer(new URL(request.url).pathname),
  );
  try {
    await use(`http://127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

const READY = JSON.stringify({ ready: true, reasons: [] });

function hasCode(code: string) {
  return (error: unknown) => error instanceof CountersignError && error.code === code;
}

Deno.test("rate() and quantile() cover the interval only", () => {
  const interval = between(
    `countersign_a_total 100\n${histogram(1000, 1000, 1000)}`,
    `countersign_a_total 130\n${histogram(1000, 1100, 1100)}`,
    2,
  );
  assert.equal(interval.rate("a_total"), 15);
  assert.equal(interval.quantile("h", 0.5), 1.5);
  assert.equal(interval.quantile("h", 0.99), 1.99);
  assert.equal(interval.rate("b_total"), undefined);
  assert.equal(interval.quantile("b", 0.5), undefined);
});

Deno.test("quantile() is undefined without observations, and at most the last bound", () => {
  assert.equal(between(histogram(1, 2, 3), histogram(1, 2, 3)).quantile("h", 0.5), undefined);
  assert.equal(between(histogram(0, 0, 0), histogram(0, 0, 9)).quantile("h", 0.5), 2);
  assert.equal(between("", histogram(9, 9, 9)).quantile("h", 0.5), 0.5);
});

Deno.test("rate() handles counters that were reset", () => {
  const restarted = between(
    "countersign_start_time_seconds 1\ncountersign_a_total 5\n",
    "countersign_start_time_seconds 2\ncountersign_a_total 7\n",
  );
  assert.equal(restarted.rate("a_total"), 7);
  assert.equal(between("countersign_a_total 9\n", "countersign_a_total 4\n").rate("a_total"), 4);
});

Deno.test("operatorFigures() omits NaN and infinite values", () => {
  const odd = between("", 'countersign_tree_size NaN\ncountersign_heap_bytes{part="used"} +Inf\n');
  const figures = operatorFigures(odd, []);
  assert.deepEqual([figures.head, figures.process, figures.routes], [{}, {}, []]);
  for (const line of topLines(figures, "x", 80)) {
    assert.doesNotMatch(line, /NaN|Infinity|undefined/);
  }
});

Deno.test("topLines() fits the terminal and escapes control characters", () => {
  const hostile = "\x1b[2J\u009b31m\u202e\r\n".repeat(20);
  const figures: TopFigures = {
    ...operatorFigures(between("", 'countersign_jobs{state="pending"} 123456\n'), [hostile]),
    witnesses: [{ id: hostile, healthy: false }],
    peers: [{ id: "🌍".repeat(200), failing: true }],
    refusals: { [hostile]: 3 },
  };
  for (const columns of [1, 7, 20, 40, 80, 200]) {
    for (const line of topLines(figures, hostile, columns)) {
      assert.ok([...line].length <= columns);
      assert.ok(line.isWellFormed());
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f\u202e]/);
    }
  }
});

Deno.test("operatorFigures() limits the number of routes", () => {
  const page = Array.from(
    { length: 3_000 },
    (_, i) => `countersign_http_requests_total{route="r${i}"} ${i}`,
  ).join("\n");
  assert.equal(operatorFigures(between("", `${page}\n`), []).routes.length, 256);
});

Deno.test("topLines() wraps figures in a narrow terminal", () => {
  const page = [..."abcd"].map((state, i) => `countersign_jobs{state="${state}"} ${i}`).join("\n");
  const figures = {
    ...operatorFigures(between("", page), []),
    jobs: { pending: 7, retryable: 8, batched: 9 },
  };
  const lines = topLines(figures, "x", 30);
  const text = lines.join("\n");
  for (const words of ["pending 7", "retryable 8", "batched 9"]) {
    assert.ok(text.includes(words), text);
  }
});

Deno.test("top shows an operator more than the public status", () =>
  inFolder(async (root) => {
    const home = await ServedNetwork.create(root, "home.example");
    await home.serve(async ({ url, operatorUrl }) => {
      await batch(url, HASH);
      const { io, context } = terminal(root, "json");
      const options = { ...FAST, operator: operatorUrl, once: true };
      assert.equal(await showTop(options, context, new AbortController().signal), 0);
      const figures = JSON.parse(io.stdout);
      assert.equal(figures.source, "operator");
      assert.deepEqual([figures.head.tree_size, figures.head.epoch], [1, 0]);
      assert.deepEqual(figures.jobs.batched, 1);
      assert.equal(figures.witnesses.length, 3);
      assert.ok(figures.process.resident_bytes > 0);
      assert.ok(
        figures.routes.some(({ route }: { route: string }) => route === "/v1/attestations"),
      );
      // Every figure that is drawn of an idle gateway is there: a name that changed would be missing.
      assert.deepEqual(Object.keys(figures.queues), [
        "intake",
        "unformed",
        "rounds_in_flight",
        "rounds_unstored",
        "held_answers",
        "event_connections",
      ]);
      for (const name of ["accepted_per_second", "pending", "retryable", "confirmed", "batched"]) {
        assert.ok(Object.hasOwn(figures.jobs, name), name);
      }
      for (const name of ["resident_bytes", "heap_bytes", "cpu"]) {
        assert.ok(Object.hasOwn(figures.process, name), name);
      }
      assert.equal(typeof figures.rounds.per_second, "number");

      const everybody = terminal(root, "text");
      const context2 = new CommandContext(
        everybody.process,
        { output: "text", gateways: [url] },
        bls,
      );
      await showTop({ ...FAST, once: true }, context2, new AbortController().signal);
      assert.match(everybody.io.stdout, /Public status only/);
      assert.match(everybody.io.stdout, /tree size 1 /);
      assert.doesNotMatch(everybody.io.stdout, /ROUTE/);
    }, { operatorPort: 0 });
  }));

Deno.test("top redraws in place, follows the size of the terminal, and restores it", () =>
  inFolder((root) =>
    answering(
      (path) => new Response(path === "/ready" ? READY : "countersign_tree_size 7\n"),
      async (url) => {
        const size = { columns: 40, rows: 9 };
        const { io, process, context } = terminal(root, "text", size);
        const stop = new AbortController();
        const running = showTop({ ...FAST, operator: url, once: false }, context, stop.signal);
        await until(() => io.outLines.length >= 4);
        process.columns = 20;
        const drawn = io.outLines.length;
        await until(() => io.outLines.length >= drawn + 2);
        stop.abort();
        assert.equal(await running, 0);
        assert.equal(io.outLines[0], "\x1b[?1049h\x1b[?25l");
        assert.equal(io.outLines.at(-1), "\x1b[?25h\x1b[?1049l");
        for (const screen of io.outLines.slice(1, -1)) {
          assert.ok(screen.startsWith("\x1b[H") && screen.endsWith("\x1b[J"));
          assert.ok(screen.split("\n").length < size.rows);
        }
        const widths = (screen: string) =>
          screen.slice(3).split("\n").map((line) =>
            line.replaceAll("\x1b[K", "").replaceAll("\x1b[J", "").length
          );
        assert.ok(Math.max(...widths(io.outLines[1]!)) > 20);
        assert.ok(Math.max(...widths(io.outLines.at(-2)!)) <= 20);
      },
    )
  ));

Deno.test("top shows an unreachable gateway and recovers", () =>
  inFolder(async (root) => {
    let isAway = false;
    await answering(
      (path) =>
        isAway
          ? new Response("down", { status: 502 })
          : new Response(path === "/ready" ? READY : "countersign_up 1\n"),
      async (url) => {
        const { io, context } = terminal(root, "text");
        const stop = new AbortController();
        const running = showTop({ ...FAST, operator: url, once: false }, context, stop.signal);
        await io.printed(/ ready /);
        isAway = true;
        await io.printed(/answered 502/);
        isAway = false;
        const seen = io.outLines.length;
        await until(() => io.outLines.slice(seen).some((block) => block.includes(" ready ")));
        stop.abort();
        assert.equal(await running, 0);
      },
    );
  }));

Deno.test("top reports refusals, and sends a token only to the named operator listener", () =>
  inFolder(async (root) => {
    const { signal } = new AbortController();
    const top = (options: { operator?: string; tokenFile?: string }) =>
      showTop({ ...FAST, ...options, once: true }, terminal(root, "text").context, signal);
    const at = (status: number, body = "x") =>
      answering(
        () => new Response(body, { status }),
        (operator) => assert.rejects(top({ operator }), hasCode("operator_refused")),
      );
    for (const status of [200, 302, 401, 403, 404, 500]) await at(status);
    await assert.rejects(top({ operator: "http://127.0.0.1:1" }), hasCode("operator_unreachable"));
    for (const operator of ["http://gateway.example/", "words", "https://a:b@gateway.example/"]) {
      await assert.rejects(top({ operator }), hasCode("usage"));
    }
    await assert.rejects(top({ tokenFile: "token" }), hasCode("usage"));
    const home = await ServedNetwork.create(root, "home.example");
    await home.write("token", "a-token-of-the-operator-1234\n");
    await home.configure({ operator: { host: "127.0.0.1", port: 0, token_file: "token" } });
    await home.serve(async ({ operatorUrl: operator }) => {
      await assert.rejects(top({ operator }), hasCode("operator_refused"));
      assert.equal(await top({ operator, tokenFile: `${home.folder}/token` }), 0);
    });
  }));
