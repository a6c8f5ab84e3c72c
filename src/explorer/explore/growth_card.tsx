/**
 * The growth of the log, and how long attestations wait for their tree head.
 *
 * @module
 */

import type { Batch } from "../../proof/format/bundle.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Plot } from "../components/plot.tsx";
import { Empty, LoadedView, Loading } from "../components/states.tsx";
import { readWait } from "../entry_reader.ts";
import {
  type BatchWait,
  growthSeries,
  meanRate,
  type Point,
  quantile,
  waitSeries,
} from "../growth_series.ts";
import { useLoaded } from "../hooks.ts";
import { useServices } from "../services.ts";
import { momentText } from "../../base/moment_text.ts";
import { countText, durationText, plural } from "../text.ts";
import type { Batches } from "./use_batches.ts";

/** Batches whose wait is plotted. Each takes one request, which browsers cache. */
const WAITS = 30;

/** Two plots side by side. */
export function GrowthCard({ list }: { readonly list: Batches }) {
  const { batches, isLoading, isWhole, error, older } = list;
  return (
    <Card
      title="Growth"
      aside={batches.length === 0 || isWhole
        ? undefined
        : (
          <Button disabled={isLoading} onClick={older}>
            {isLoading ? "Loading" : "Show older batches"}
          </Button>
        )}
    >
      {batches.length > 0
        ? (
          <>
            <div class="plots">
              <SizePlot batches={batches} />
              <WaitPlot batches={batches} />
            </div>
            <p class="muted small">
              As the gateway lists it: no proof covers the times of batches.
            </p>
          </>
        )
        : isLoading
        ? <Loading what="the batches" />
        : error === undefined
        ? <Empty title="Nothing to plot yet">The plots start with the second batch.</Empty>
        : <Empty title="Nothing to plot">The batches cannot be loaded.</Empty>}
    </Card>
  );
}

function SizePlot({ batches }: { readonly batches: readonly Batch[] }) {
  const points = growthSeries(batches);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) {
    return <Empty title="One batch so far">The plot starts with the second one.</Empty>;
  }
  const rate = meanRate(batches);
  const mean = rate === undefined ? "" : `, ${rateText(rate)} on average`;
  const at = ({ x, y }: Point) => `${countText(y)} at ${momentText(x)}`;
  return (
    <Plot
      title="Tree size"
      summary={`From ${at(first)} to ${at(last)}, in ${
        plural(batches.length, "batch", "batches")
      }${mean}.`}
      valueName="Attestations"
      points={points}
      shape="steps"
      fromZero={first.y < last.y / 2}
      valueText={countText}
    />
  );
}

/** "12 a second", "3 an hour": in the smallest unit that gives 1 or more. */
function rateText(perSecond: number): string {
  const units = [["a second", 1], ["a minute", 60], ["an hour", 3600], ["a day", 86_400]] as const;
  const [unit, seconds] = units.find(([, length]) => perSecond * length >= 1) ?? units[3];
  const rate = perSecond * seconds;
  return `${rate >= 10 ? countText(Math.round(rate)) : rate.toFixed(1)} ${unit}`;
}

function WaitPlot({ batches }: { readonly batches: readonly Batch[] }) {
  const services = useServices();
  const newest = batches.slice(0, WAITS);
  const [waits, retry] = useLoaded(
    async (signal) => {
      const read: BatchWait[] = [];
      for (const batch of newest) read.push(await readWait(services, batch, signal));
      return read;
    },
    [newest[0]?.id],
  );
  return (
    <LoadedView
      loaded={waits}
      what="the waits"
      retry={retry}
      render={(found) => {
        const seconds = found.map((wait) => wait.seconds);
        const [median, longest] = [quantile(seconds, 0.5) ?? 0, quantile(seconds, 1) ?? 0];
        return (
          <Plot
            title="Wait for the tree head"
            summary={`First attestation of each of the last ${
              plural(found.length, "batch", "batches")
            }: median ${durationText(median)}, longest ${durationText(longest)}.`}
            valueName="Seconds"
            points={waitSeries(found)}
            shape="stems"
            valueText={(value) => `${countText(value)} s`}
          />
        );
      }}
    />
  );
}
