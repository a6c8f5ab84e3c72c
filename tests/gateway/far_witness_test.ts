import assert from "node:assert/strict";
import { CountersignError } from "../../src/base/errors.ts";
import type { CosignAnswer } from "../../src/proof/format/witness_request.ts";
import type { WitnessClient } from "../../src/gateway/ports.ts";
import { randomDigests } from "./fixture.ts";
import { jobOf, Scenario } from "./scenario.ts";
import { WrappedWitness } from "./wrapped_witness.ts";
import { eachScheme } from "../schemes.ts";

/** A witness with a latency of `ms`, which stops work on cancelled requests. */
class FarWitness extends WrappedWitness {
  readonly #scenario: Scenario;
  readonly #ms: number;
  /** The size that it has cosigned. */
  cosigned = 0;
  /** It refuses rounds until it has cosigned this size. */
  required = 0;

  constructor(client: WitnessClient, scenario: Scenario, ms: number) {
    super(client);
    this.#scenario = scenario;
    this.#ms = ms;
  }

  override async sign(...[request, signal]: Parameters<WitnessClient["sign"]>) {
    await this.#travel(signal);
    if (this.cosigned < this.required) throw new CountersignError("overloaded", "too far ahead");
    return await this.client.sign(request, signal);
  }

  override async cosign(
    ...[request, signal]: Parameters<WitnessClient["cosign"]>
  ): Promise<CosignAnswer> {
    await this.#travel(signal);
    const answer = await this.client.cosign(request, signal);
    if (answer.kind === "cosigned") this.cosigned = request.treeHead.tree_size;
    return answer;
  }

  async #travel(signal: AbortSignal): Promise<void> {
    await this.#scenario.clock.sleep(this.#ms, signal);
    if (signal.aborted) throw new CountersignError("witness_unreachable", "cancelled");
  }
}

eachScheme.test("a slow witness also cosigns every head", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [near, nearToo, other] = scenario.network.witnesses;
  const far = new FarWitness(other!, scenario, 60);
  const { gateway } = await scenario.start(scenario.open(), { witnesses: [near!, nearToo!, far] });
  for (const size of [3, 6, 9]) {
    await scenario.submit(gateway, randomDigests(3));
    await scenario.settle(gateway);
    await scenario.clock.advance(200);
    assert.equal(gateway.log.latest()?.sth.tree_head.tree_size, size);
    assert.equal(far.cosigned, size);
  }
  await scenario.checkFinished(gateway);
  await gateway.stop();
});

eachScheme.test("a witness that needs a larger head before it signs rounds gets it in seconds", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [near, nearToo, other] = scenario.network.witnesses;
  const far = new FarWitness(other!, scenario, 60);
  const { gateway } = await scenario.start(scenario.open(), { witnesses: [near!, nearToo!, far] });
  other!.down = true;
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  await scenario.clock.advance(20_000);
  other!.down = false;
  far.required = 3;
  nearToo!.down = true;
  await scenario.submit(gateway, randomDigests(1));
  await scenario.clock.advance(5_000);
  assert.equal((await jobOf(gateway, 3)).progress, "batched");
  assert.equal(far.cosigned, 4);
  await gateway.stop();
});

eachScheme.test("a witness that always refuses rounds is asked for heads at a bounded rate", async (scheme) => {
  const scenario = new Scenario(scheme);
  const [near, nearToo, other] = scenario.network.witnesses;
  const far = new FarWitness(other!, scenario, 1);
  const { gateway } = await scenario.start(scenario.open(), { witnesses: [near!, nearToo!, far] });
  await scenario.submit(gateway, randomDigests(3));
  await scenario.settle(gateway);
  far.required = Infinity;
  nearToo!.down = true;
  await scenario.submit(gateway, randomDigests(1));
  const before = near!.asked.cosign;
  await scenario.clock.advance(60_000);
  const asked = near!.asked.cosign - before;
  assert.ok(asked > 1 && asked <= 31, `${asked} heads in a minute`);
  await gateway.stop();
});
