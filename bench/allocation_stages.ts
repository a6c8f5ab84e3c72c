/**
 * Divides what a gateway allocates among the stages of a submission, from V8's sampling heap profiler.
 *
 * @module
 */

import { Session } from "node:inspector";

/** Bytes between two samples, on average. */
const INTERVAL = 1_024;

/** The stage of a file in `src/`: the first that its path begins with. Other files count for their callers. */
const STAGES: readonly (readonly [stage: string, ...starts: readonly string[]])[] = [
  [
    "answer",
    "http/answer.ts",
    "gateway/proving/",
    "gateway/intake/job.ts",
    "gateway/intake/round_jobs.ts",
  ],
  [
    "metrics and traces",
    "http/metrics/",
    "http/request_metrics.ts",
    "server/log/",
    "gateway/observer.ts",
  ],
  ["HTTP", "http/"],
  [
    "commits",
    "gateway/intake/committer.ts",
    "gateway/settle.ts",
    "storage/log/",
    "storage/store_kv.ts",
  ],
  ["intake", "gateway/intake/", "gateway/index/"],
  ["verification", "gateway/signing/counting.ts", "proof/crypto/ed25519"],
  ["witnesses", "witness/", "storage/witness/"],
  ["witness requests", "gateway/signing/", "server/gateway/embedded_witness.ts"],
  ["heads", "gateway/sequencing/"],
  ["events", "gateway/events/", "gateway/fronts/", "gateway/gateway.ts"],
  ["turns and timers", "base/", "server/gateway/running_gateway.ts"],
];

const RUNTIME = "the runtime alone";

interface ProfileNode {
  readonly callFrame: { readonly url: string };
  readonly selfSize: number;
  readonly children: readonly ProfileNode[];
}

/** The bytes of each stage while `run` runs, the most first. They are estimates: V8 samples. */
export async function stagesOf(run: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const session = new Session();
  session.connect();
  await post(session, "HeapProfiler.startSampling", {
    samplingInterval: INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await run();
  const { profile } = await post(session, "HeapProfiler.stopSampling");
  session.disconnect();
  const bytes = new Map<string, number>();
  add(bytes, profile.head, RUNTIME);
  return new Map([...bytes].sort(([, a], [, b]) => b - a));
}

/** Adds `node`, whose callers are of `stage`. */
function add(bytes: Map<string, number>, node: ProfileNode, stage: string): void {
  const own = stageOf(node.callFrame.url, stage);
  bytes.set(own, (bytes.get(own) ?? 0) + node.selfSize);
  for (const child of node.children) add(bytes, child, own);
}

function stageOf(url: string, caller: string): string {
  const path = /\/src\/(.*)$/.exec(url)?.[1];
  if (path === undefined) return caller;
  for (const [stage, ...starts] of STAGES) {
    // A helper counts for its caller, if it is known: an asynchronous one has none.
    if (stage === STAGES.at(-1)![0] && caller !== RUNTIME) return caller;
    if (starts.some((start) => path.startsWith(start))) return stage;
  }
  return caller;
}

function post(
  session: Session,
  method: string,
  parameters: Record<string, unknown> = {},
): Promise<{ readonly profile: { readonly head: ProfileNode } }> {
  return new Promise((resolve, reject) => {
    session.post(method, parameters, (error, result) => {
      if (error) reject(error);
      else resolve(result as { readonly profile: { readonly head: ProfileNode } });
    });
  });
}
