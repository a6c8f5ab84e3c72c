/**
 * Scenarios by their names.
 *
 * @module
 */

import type { Asker } from "./asker.ts";
import type { IssuedTokens } from "./issued_tokens.ts";
import { type KnownHashes, readKnownHashes, type Spread } from "./known_hashes.ts";
import type { LookUpName, ScenarioName } from "./load_options.ts";
import { lookUpScenario, tileScenario } from "./look_ups.ts";
import { mixedScenario } from "./mixed_scenario.ts";
import type { SampleVerifier } from "./sample_verifier.ts";
import type { Scenario } from "./scenario.ts";
import { bulkScenario, submitScenario, waitScenario } from "./submissions.ts";
import { timestampScenario } from "./timestamps.ts";

/** The inputs of scenarios. */
export interface ScenarioContext {
  readonly asker: Asker;
  readonly verifier: SampleVerifier;
  /** Tokens to send with submitted hashes, if any. */
  readonly tokens?: IssuedTokens;
  readonly spread: Spread;
  /** Weights of `mixed`. */
  readonly mix: ReadonlyMap<LookUpName, number>;
}

/** Hashes for look-ups are read from the log once. */
export class ScenarioChoice {
  readonly #context: ScenarioContext;
  #known: KnownHashes | undefined;

  constructor(context: ScenarioContext) {
    this.#context = context;
  }

  async scenario(name: ScenarioName): Promise<Scenario> {
    const { mix } = this.#context;
    switch (name) {
      case "wait":
        return waitScenario(this.#context);
      case "submit":
        return submitScenario(this.#context);
      case "bulk":
        return bulkScenario(this.#context);
      case "timestamp":
        return timestampScenario(this.#context.verifier);
      case "mixed": {
        const parts = [];
        for (const [part, weight] of mix) {
          parts.push({ scenario: await this.#lookUp(part), weight });
        }
        return mixedScenario(parts);
      }
      default:
        return await this.#lookUp(name);
    }
  }

  async #lookUp(name: LookUpName): Promise<Scenario> {
    const { asker, verifier, spread } = this.#context;
    this.#known ??= await readKnownHashes(asker, spread);
    return name === "tiles"
      ? tileScenario(this.#known, verifier)
      : lookUpScenario(name, this.#known, verifier);
  }
}
