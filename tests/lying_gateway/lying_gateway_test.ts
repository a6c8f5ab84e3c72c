/**
 * Everyone who asks a gateway is told every lie, and has to name it.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Finished } from "../cli/client_run.ts";
import { eachSchemeInSteps } from "../schemes.ts";
import { anchorLies } from "./anchor_lies.ts";
import { answerLies } from "./answer_lies.ts";
import { attestationLies } from "./attestation_lies.ts";
import { batchLies } from "./batch_lies.ts";
import { checkpointLies } from "./checkpoint_lies.ts";
import { COMMAND_NAMES, type CommandName, CommandRunner, VARIATIONS } from "./client_commands.ts";
import { headLies } from "./head_lies.ts";
import { editing } from "./changes.ts";
import { shortenTimers } from "./short_timers.ts";
import { jobLies } from "./job_lies.ts";
import type { Lie, Listener } from "./lie.ts";
import { logProofLies } from "./log_proof_lies.ts";
import { isJson, LyingServer, type Route, ROUTES } from "./lying_server.ts";
import { networkLies } from "./network_lies.ts";
import { check, CHECK_NAMES, type CheckName } from "./offline_checks.ts";
import { assertSameNames, reportLine } from "./report_line.ts";
import { UNPINNED } from "./expected_reports.ts";
import { HASH, World } from "./world.ts";

const LIES: readonly Lie[] = [
  ...attestationLies,
  ...jobLies,
  ...batchLies,
  ...anchorLies,
  ...headLies,
  ...logProofLies,
  ...checkpointLies,
  ...networkLies,
  ...answerLies,
];

/** A listener's report about honest answers, and its requests. */
interface Honest<Said> {
  readonly said: Said;
  readonly routes: ReadonlySet<Route>;
}

/** The double, and everyone who listens to it. */
class Audience {
  readonly #world: World;
  readonly #server: LyingServer;
  readonly #runner: CommandRunner;
  readonly #commands = new Map<CommandName, Honest<Finished>>();
  readonly #compared = new Set<string>();
  readonly #checks = new Map<CheckName, Honest<string>>();

  constructor(world: World, server: LyingServer, runner: CommandRunner) {
    this.#world = world;
    this.#server = server;
    this.#runner = runner;
  }

  /** Runs every listener with honest answers and returns their reports. */
  async recordHonest(): Promise<Record<string, string>> {
    const reports: Record<string, string> = {};
    for (const name of COMMAND_NAMES) {
      const said = await this.#runner.run(name, "json");
      assertSameNames(said, await this.#runner.run(name, "text"), name);
      this.#commands.set(name, { said, routes: this.#takeRoutes() });
      reports[name] = reportLine(said);
    }
    for (const name of CHECK_NAMES) {
      const said = await check(name, this.#world, this.#server.url);
      this.#checks.set(name, { said, routes: this.#takeRoutes() });
      reports[name] = said;
    }
    return reports;
  }

  /** Runs every listener that `lie` concerns and returns the reports that differ. */
  async hear(
    { changes, aheadSeconds = 0, to, also = [], isSlow = false }: Lie,
  ): Promise<Partial<Record<Listener, string>>> {
    const changed = changes.flatMap(({ routes }) => routes);
    const isTold = (name: Listener) =>
      VARIATIONS.has(name) ? also.some((other) => other === name) : to?.includes(name) !== false;
    const concerns = (name: Listener, routes: ReadonlySet<Route>) =>
      isTold(name) && changed.some((route) => routes.has(route));
    const reports: Partial<Record<Listener, string>> = {};
    this.#runner.aheadSeconds = aheadSeconds;
    this.#server.changes = changes;
    using _ = isSlow ? shortenTimers() : undefined;
    for (const [name, { said, routes }] of this.#commands) {
      if (!concerns(name, routes)) continue;
      const json = await this.#runner.run(name, "json");
      if (!isSame(json, said)) {
        const report = reportLine(json);
        reports[name] = report;
        await this.#compareFormats(name, report, json);
      }
    }
    for (const [name, { said, routes }] of this.#checks) {
      if (!concerns(name, routes)) continue;
      const found = await check(name, this.#world, this.#server.url);
      if (found !== said) reports[name] = found;
    }
    this.#server.changes = [];
    this.#runner.aheadSeconds = 0;
    return reports;
  }

  /** The text output names the same. It is checked once for each report of a command. */
  async #compareFormats(name: CommandName, report: string, json: Finished): Promise<void> {
    const key = `${name}: ${report}`;
    if (this.#compared.has(key)) return;
    this.#compared.add(key);
    assertSameNames(json, await this.#runner.run(name, "text"), key);
  }

  #takeRoutes(): ReadonlySet<Route> {
    const routes = new Set(this.#server.asked);
    this.#server.asked.clear();
    return routes;
  }
}

function isSame(one: Finished, other: Finished): boolean {
  return one.code === other.code && one.stdout === other.stdout && one.stderr === other.stderr;
}

/** The reports about honest answers, from which each lie's reports must differ. */
const TRUTH: Readonly<Record<Listener, string>> = {
  "stamp": "0 verified",
  "stamp several": "0 verified, verified",
  "stamp save": "0 verified",
  "stamp at first": `0 not verified${UNPINNED}`,
  "status": "0 shown",
  "bundle": "0 shown",
  "proof": "0 shown",
  "anchors": "0 shown",
  "anchors save": "0 shown",
  "config": "0 shown",
  "network": "0 shown",
  "network at first": "0 shown",
  "pin": "0 shown",
  "pin at first": "0 shown",
  "verify online": "0 valid",
  "verify at first": "0 valid",
  "verify-proof": "0 federated",
  "verify-proof anchors": "0 federated, rekor verified",
  "verify-proof online": "0 federated",
  "verify-proof at first": "0 federated",
  "sth": "0 shown",
  "sth verify": "0 valid",
  "sth of a size": "0 valid",
  "consistency": "0 shown",
  "consistency verify": "0 valid",
  "log proof": "0 shown",
  "log proof verify": "0 valid",
  "log proof of a size": "0 valid",
  "check of the bundle": "federated",
  "check of the head": "valid",
  "check of growth": "larger valid",
  "check of the consistency": "valid",
  "check of the inclusion": "valid",
  "check of the proof": "valid",
  "check of the checkpoint": "valid",
};

eachSchemeInSteps.test("every lie of a gateway is detected", async ({ scheme, t }) => {
  await using world = await World.start(scheme);
  await using server = new LyingServer(world);
  const get = async (path: string) => (await fetch(server.url + path)).json();
  const before = {
    bundle: JSON.stringify(await get(`/v1/bundle/${HASH}`)),
    attestation: JSON.stringify((await get(`/v1/attestations/${HASH}`)).signed_attestation),
  };
  server.asked.clear();
  await using runner = await CommandRunner.start(world, server.url, before);
  const audience = new Audience(world, server, runner);
  await t.step("the truth", async () => {
    assert.deepEqual(await audience.recordHonest(), TRUTH);
  });
  await t.step("the truth, by the way of lies", async () => {
    const changes = [editing(ROUTES.filter(isJson), (resource) => resource)];
    assert.deepEqual(await audience.hear({ name: "none", changes, says: {} }), {});
  });
  for (const lie of LIES) {
    if (!(lie.schemes ?? ["ed25519"]).includes(scheme)) continue;
    await t.step(lie.name, async () => {
      assert.deepEqual(await audience.hear(lie), lie.says);
      assert.notDeepEqual(lie.says, {}, "somebody notices");
    });
  }
  assert.equal(server.misled, 0, "nobody follows a redirect");
}, { sanitizeOps: false, sanitizeResources: false }); // Commands run here whose process would end.
