/**
 * The inputs of `top`: a gateway's metrics, readiness and public status.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Interval } from "../../src/cli/top/scrape.ts";
import { operatorFigures, type TopFigures } from "../../src/cli/top/top_figures.ts";
import { topLines } from "../../src/cli/top/top_lines.ts";
import { parsePrometheusText } from "../../src/format/prometheus_text.ts";
import { readReadiness } from "../../src/transport/operator_client.ts";
import { ofText, type Target } from "./engine.ts";

const COLUMNS = 60;

const PAGE = `# TYPE countersign_jobs gauge
countersign_jobs{state="pending"} 3
countersign_start_time_seconds 1795342664
countersign_http_requests_total{route="/v1/bundle/{hash}",method="GET",status="2xx"} 17
countersign_http_request_duration_seconds_bucket{le="0.01",route="/ready"} 5
countersign_http_request_duration_seconds_bucket{le="+Inf",route="/ready"} 9
countersign_witness_healthy{witness="a \\"b\\" \\\\"} 1
countersign_resident_memory_bytes 1.5e+08
`;

/** Whatever is read can be drawn: within the terminal, and without a control character. */
function draw(figures: TopFigures): void {
  for (const line of topLines(figures, "x", COLUMNS)) {
    assert.ok([...line].length <= COLUMNS);
    assert.match(line, /^[^\p{Cc}]*$/u);
  }
}

export const TOP_TARGETS: readonly Target[] = [
  {
    name: "parsePrometheusText",
    covers: ["format/prometheus_text.ts#parsePrometheusText"],
    codes: ["operator_refused", "malformed_text"],
    seeds: [PAGE, ""],
    read: ofText((text) => {
      const samples = parsePrometheusText(text);
      draw(operatorFigures(new Interval([], samples, 2), []));
      draw(operatorFigures(new Interval(samples, samples, 2), []));
    }),
  },
  {
    name: "readReadiness",
    covers: ["transport/operator_client.ts#readReadiness"],
    codes: ["operator_refused", "malformed_text"],
    seeds: [
      JSON.stringify({ ready: true, reasons: [] }),
      JSON.stringify({ ready: false, reasons: [{ code: "publishing_late", detail: "words" }] }),
    ],
    read: ofText((text) => draw(operatorFigures(new Interval([], [], 1), readReadiness(text)))),
  },
];
