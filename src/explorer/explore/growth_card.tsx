/**
 * How the log grows, and how long attestations wait for their tree head.
 *
 * @module
 */

import type { Batch } from "../../format/bundle.ts";
import { Card } from "../components/card.tsx";
import { Plot } from "../components/plot.tsx";
import { Empty, Failure, Spinner } from "../components/states.tsx";
import { readWait } from "../entry_reader.ts";
import { type BatchWait, growthSeries, meanRate, quantile, waitSeries } from "../growth_series.ts";
import { useLoaded } from "../hooks.ts";
import type { Services } from "../services.ts";
import { countText, durationText, plural, timeText } from "../text.ts";
import type { Batches } from "./use_batches.ts";

/** Batches whose wait is looked at: each takes a request, which browsers keep for ever. */
const WAITS = 30;

interface GrowthCardProps {
  readonly services: Services;
  readonly list: Batches;
}

/** Two plots side by side. */
export function GrowthCard({ services, list }: GrowthCardProps) {
  const { batches, isLoading, isWhole, error, older } = list;
  return (
    <Card
      title="Growth"
      aside={batches.length === 0 || isWhole
        ? undefined
        : (
          <button type="button" class="button" disabled={isLoading} onClick={older}>
            {isLoading ? "Loading" : "Look further back"}
          </button>
        )}
    >
      {batches.length === 0
        ? isLoading
          ? <Spinner label="Reading the batches" />
          : error === undefined
          ? <Empty title="Nothing to plot yet">Growth shows from the second batch on.</Empty>
          : <Empty title="Nothing to plot">The batches cannot be read.</Empty>
        : (
          <div class="plots">
            <SizePlot batches={batches} />
            <WaitPlot services={services} batches={batches} />
          </div>
        )}
      {batches.length === 0 ? null : (
        <p class="muted small">
          As the gateway lists it: times of batches are not covered by any proof.
        </p>
      )}
    </Card>
  );
}

function SizePlot({ batches }: { readonly batches: readonly Batch[] }) {
  const points = growthSeries(batches);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) {
    return <Empty title="One batch so far">Growth shows from the second one on.</Empty>;
  }
  const rate = meanRate(batches);
  const perSecond = rate === undefined ? "" : `, ${rateText(rate)} on average`;
  return (
    <Plot
      title="Tree size"
      summary={`From ${countText(first.y)} at ${timeText(first.x)} to ${countText(last.y)} at ` +
        `${timeText(last.x)}, in ${plural(batches.length, "batch", "batches")}${perSecond}.`}
      valueName="Attestations"
      points={points}
      shape="steps"
      fromZero={first.y < last.y / 2}
      valueText={countText}
    />
  );
}

/** "12 a second", "3 an hour": in the smallest unit that has one or more. */
function rateText(perSecond: number): string {
  const units = [["second", 1], ["minute", 60], ["hour", 3600], ["day", 86_400]] as const;
  const [unit, seconds] = units.find(([, length]) => perSecond * length >= 1) ?? units[3];
  const rate = perSecond * seconds;
  const digits = rate >= 10 ? countText(Math.round(rate)) : rate.toFixed(1);
  return `${digits} ${unit === "hour" ? "an" : "a"} ${unit}`;
}

interface WaitPlotProps {
  readonly services: Services;
  readonly batches: readonly Batch[];
}

function WaitPlot({ services, batches }: WaitPlotProps) {
  const looked = batches.slice(0, WAITS);
  const [waits, retry] = useLoaded(
    (signal) => readWaits(services, looked, signal),
    [looked[0]?.id],
  );
  if (waits.state === "failed") {
    return <Failure error={waits.error} title="The waits cannot be shown" retry={retry} />;
  }
  if (waits.value === undefined) return <Spinner label="Reading when attestations were signed" />;
  const seconds = waits.value.map((wait) => wait.seconds);
  const [median, longest] = [quantile(seconds, 0.5) ?? 0, quantile(seconds, 1) ?? 0];
  return (
    <Plot
      title="Wait for the tree head"
      summary={`Of the first attestation in each of the last ${
        plural(waits.value.length, "batch", "batches")
      }: half within ${durationText(median)}, the longest ${durationText(longest)}.`}
      valueName="Seconds"
      points={waitSeries(waits.value)}
      shape="stems"
      valueText={(value) => `${countText(value)} s`}
    />
  );
}

async function readWaits(
  services: Services,
  batches: readonly Batch[],
  signal: AbortSignal,
): Promise<readonly BatchWait[]> {
  const waits: BatchWait[] = [];
  for (const batch of batches) waits.push(await readWait(services, batch, signal));
  return waits;
}
