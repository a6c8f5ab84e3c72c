import assert from "node:assert/strict";
import { MetricsPage } from "../../../src/http/metrics/metrics_page.ts";
import { PipelineMetrics } from "../../../src/http/metrics/pipeline_metrics.ts";
import { memoryStore, randomDigests, TestNetwork, until } from "../../gateway/fixture.ts";
import { eachScheme } from "../../schemes.ts";
import { valueOf } from "./page_samples.ts";

async function pageOf(metrics: PipelineMetrics): Promise<string> {
  const page = new MetricsPage();
  metrics.addTo(page);
  return await page.text();
}

/** The counts of `metrics` by name. */
async function reader(metrics: PipelineMetrics) {
  const text = await pageOf(metrics);
  return (name: string, labels: Readonly<Record<string, string>> = {}) =>
    valueOf(text, `countersign_${name}`, labels);
}

Deno.test("observed durations are counted in seconds", async () => {
  const metrics = new PipelineMetrics(["w1"]);
  metrics.committed({ digests: 28, ms: 4 });
  metrics.committed({ digests: 0, ms: 6 });
  metrics.roundSigned({ size: 512, attempts: 3, ms: 1_500 });
  metrics.treeGrown(600, 20);
  metrics.headPublished({ ms: 40, delayMs: 2_000 });
  metrics.headPublished({ ms: 60 });
  // A clock that was set back.
  metrics.treeGrown(1, -5_000);
  const of = await reader(metrics);
  assert.equal(of("commit_duration_seconds_count"), 2);
  assert.equal(of("commit_duration_seconds_sum"), 0.01);
  assert.deepEqual([of("commit_digests_count"), of("commit_digests_sum")], [1, 28]);
  assert.deepEqual([of("round_size_sum"), of("round_attempts_sum")], [512, 3]);
  assert.equal(of("round_duration_seconds_bucket", { le: "1" }), 0);
  assert.equal(of("round_duration_seconds_bucket", { le: "2.5" }), 1);
  assert.deepEqual([of("batch_leaves_sum"), of("tree_commit_duration_seconds_sum")], [601, 0.02]);
  assert.equal(of("head_publication_duration_seconds_sum"), 0.1);
  assert.deepEqual([of("merge_duration_seconds_count"), of("merge_duration_seconds_sum")], [1, 2]);
});

Deno.test("witnesses are counted by name and purpose, those of later epochs too", async () => {
  const metrics = new PipelineMetrics(["w1", "w2"]);
  metrics.witnessAnswered("w1", "sign", 3);
  metrics.witnessAnswered("w1", "cosign", 30);
  metrics.witnessFailed("w2", "sign", "witness_unreachable");
  metrics.witnessFailed("w2", "sign", "time_refused");
  metrics.witnessUnneeded("w2", "cosign");
  assert.ok(!(await pageOf(metrics)).includes("w3"));
  metrics.witnessAnswered("w3", "sign", 5);
  metrics.witnessUnneeded("w3", "cosign");
  const of = await reader(metrics);
  const answers = (witness: string, purpose: string) =>
    of("witness_answer_duration_seconds_sum", { witness, purpose });
  assert.deepEqual([answers("w1", "sign"), answers("w1", "cosign")], [0.003, 0.03]);
  assert.equal(answers("w2", "sign"), 0);
  const failures = (witness: string, purpose: string, code: string) =>
    of("witness_failures_total", { witness, purpose, code });
  assert.equal(failures("w2", "sign", "witness_unreachable"), 1);
  assert.equal(failures("w2", "sign", "time_refused"), 1);
  assert.equal(failures("w1", "sign", "witness_unreachable"), 0, "told before it occurs");
  assert.equal(of("witness_unneeded_total", { witness: "w2", purpose: "cosign" }), 1);
  assert.equal(answers("w3", "sign"), 0.005);
  assert.equal(failures("w3", "sign", "witness_unreachable"), 0, "told before it occurs");
  assert.equal(of("witness_unneeded_total", { witness: "w3", purpose: "cosign" }), 1);
});

eachScheme.test("a gateway reports each event to its observer once", async (scheme) => {
  const home = new TestNetwork(scheme);
  const ids = home.network.witnesses.map(({ id }) => id);
  const metrics = new PipelineMetrics(ids);
  const { gateway } = await home.start(await memoryStore(), { observer: metrics });
  await gateway.jobs.accept(randomDigests(600));
  await until(() => gateway.status.depths.published === 600);
  const before = await reader(metrics);
  assert.equal(before("commit_digests_sum"), 600);
  assert.equal(before("round_size_sum"), 600);
  assert.equal(before("batch_leaves_sum"), 600);
  assert.equal(
    before("head_publication_duration_seconds_count"),
    before("batch_leaves_count"),
    "each growth is one head",
  );
  assert.equal(before("merge_duration_seconds_count"), before("batch_leaves_count"));
  assert.ok(before("round_attempts_sum")! >= before("round_attempts_count")!);

  const [first] = home.witnesses;
  for (const witness of home.witnesses) witness.down = true;
  await gateway.jobs.accept(randomDigests(1));
  const failures = async (witness: string, purpose: string) =>
    (await reader(metrics))("witness_failures_total", {
      witness,
      purpose,
      code: "witness_unreachable",
    })!;
  await until(async () => await failures(first!.id, "sign") >= 2);
  for (const witness of home.witnesses) witness.down = false;
  await until(() => gateway.status.depths.published === 601);
  const after = await reader(metrics);
  assert.equal(after("round_size_sum"), 601);
  assert.equal(after("batch_leaves_sum"), 601);
  assert.ok(after("round_attempts_sum")! >= before("round_attempts_sum")! + 3);
  await gateway.stop();
  // A request ends in one way, or with the gateway.
  const end = await reader(metrics);
  for (const { id: witness, asked } of home.witnesses) {
    for (const purpose of ["sign", "cosign"] as const) {
      const labels = { witness, purpose };
      const ends = end("witness_answer_duration_seconds_count", labels)! +
        end("witness_unneeded_total", labels)! + await failures(witness, purpose);
      assert.ok(ends > 0 && ends <= asked[purpose], `${ends} of ${asked[purpose]}`);
    }
  }
});
