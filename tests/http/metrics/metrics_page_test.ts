import assert from "node:assert/strict";
import { Histogram } from "../../../src/http/metrics/histogram.ts";
import { MetricsPage } from "../../../src/http/metrics/metrics_page.ts";
import { METRICS_MEDIA_TYPE } from "../../../src/http/metrics/prometheus_text.ts";
import { metricsOf, valueOf } from "./page_samples.ts";

Deno.test("a histogram counts a value at each bound that is not below it", () => {
  const histogram = new Histogram([0.5, 1, 2]);
  assert.deepEqual(histogram.cumulative, [0, 0, 0, 0]);
  for (const value of [0, 0.5, 0.500001, 1, 2, 2.1, 1e9]) histogram.observe(value);
  assert.deepEqual(histogram.cumulative, [2, 4, 5, 7]);
  assert.ok(Math.abs(histogram.sum - 1_000_000_006.100001) < 1e-3);
});

Deno.test("a page has name, help and type of each metric, and histogram lines", () => {
  const page = new MetricsPage();
  const histogram = new Histogram([0.1, 1]);
  for (const value of [0.1, 5]) histogram.observe(value);
  page.gauge("plain", "What it is", [[7]]);
  page.counter("labelled_total", "Of two", [[1, { of: "a" }], [2, { of: "b" }]]);
  page.histogram("wait_seconds", "How long", [[histogram, { route: "/v1/{hash}" }]]);
  assert.equal(METRICS_MEDIA_TYPE, "text/plain; version=0.0.4; charset=utf-8");
  assert.equal(
    page.text(),
    [
      "# HELP countersign_plain What it is",
      "# TYPE countersign_plain gauge",
      "countersign_plain 7",
      "",
      "# HELP countersign_labelled_total Of two",
      "# TYPE countersign_labelled_total counter",
      'countersign_labelled_total{of="a"} 1',
      'countersign_labelled_total{of="b"} 2',
      "",
      "# HELP countersign_wait_seconds How long",
      "# TYPE countersign_wait_seconds histogram",
      'countersign_wait_seconds_bucket{route="/v1/{hash}",le="0.1"} 1',
      'countersign_wait_seconds_bucket{route="/v1/{hash}",le="1"} 1',
      'countersign_wait_seconds_bucket{route="/v1/{hash}",le="+Inf"} 2',
      'countersign_wait_seconds_sum{route="/v1/{hash}"} 5.1',
      'countersign_wait_seconds_count{route="/v1/{hash}"} 2',
      "",
    ].join("\n"),
  );
});

Deno.test("unknown values are omitted, and metrics without values too", () => {
  const page = new MetricsPage();
  page.gauge("unknown", "Never", [[undefined]]);
  page.gauge("partly", "One", [[undefined, { of: "a" }], [0, { of: "b" }]]);
  const text = page.text();
  assert.deepEqual([...metricsOf(text).keys()], ["countersign_partly"]);
  assert.equal(valueOf(text, "countersign_partly", { of: "b" }), 0);
});

Deno.test("a label with any value stays on one line", () => {
  for (const value of ['"} 1', "a\nb 2", "back\\slash", 'x",y="z', "\\n"]) {
    const page = new MetricsPage();
    page.gauge("labelled", "Of any", [[1, { of: value }]]);
    assert.equal(valueOf(page.text(), "countersign_labelled", { of: value }), 1, value);
  }
});

Deno.test("a page adds the values of other pages with the same labels", () => {
  const pages = [1, 2].map((thread) => {
    const page = new MetricsPage();
    const histogram = new Histogram([1]);
    histogram.observe(thread - 0.5);
    page.counter("requests_total", "Requests", [[thread, { route: "/a" }]]);
    page.counter("thread_total", "Of each", [[thread, { thread: `front-${thread}` }]]);
    page.histogram("wait_seconds", "How long", [[histogram, { route: "/a" }]]);
    return page;
  });
  // As a message copies it.
  const other = structuredClone(pages[1]!.families);
  const text = pages[0]!.text([other]);
  assert.equal(valueOf(text, "countersign_requests_total", { route: "/a" }), 3);
  assert.equal(valueOf(text, "countersign_thread_total", { thread: "front-1" }), 1);
  assert.equal(valueOf(text, "countersign_thread_total", { thread: "front-2" }), 2);
  const bucket = (le: string) =>
    valueOf(text, "countersign_wait_seconds_bucket", { route: "/a", le });
  assert.deepEqual([bucket("1"), bucket("+Inf")], [1, 2]);
  assert.equal(valueOf(text, "countersign_wait_seconds_sum", { route: "/a" }), 2);
});

Deno.test("values that are no finite numbers have their names, and help stays on one line", () => {
  const page = new MetricsPage();
  page.gauge("odd", "One\\two\nthree", [[Infinity, { of: "a" }], [-Infinity, { of: "b" }], [
    NaN,
    { of: "c" },
  ]]);
  assert.equal(
    page.text(),
    [
      "# HELP countersign_odd One\\\\two\\nthree",
      "# TYPE countersign_odd gauge",
      'countersign_odd{of="a"} +Inf',
      'countersign_odd{of="b"} -Inf',
      'countersign_odd{of="c"} NaN',
      "",
    ].join("\n"),
  );
});
