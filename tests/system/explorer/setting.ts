/**
 * What all flows share: one browser and one gateway.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Chromium, type Visit, type VisitOptions } from "./chromium.ts";
import { type Exhibits, writeExhibits } from "./exhibits.ts";
import { TrialSite } from "./trial_site.ts";

/** Flows that run at once. */
const AT_ONCE = 3;

interface Flow {
  readonly run: () => Promise<void>;
  outcome?: Promise<void>;
}

/** Nothing of it may be asked for before it is started. */
export class Setting {
  readonly #opened = new AsyncDisposableStack();
  readonly #flows: Flow[] = [];
  #browser: Chromium | undefined;
  #site: TrialSite | undefined;
  #exhibits: Exhibits | undefined;

  async start(): Promise<void> {
    [this.#browser, this.#site] = await Promise.all([
      Chromium.start().then((browser) => this.#opened.use(browser)),
      TrialSite.start().then((site) => this.#opened.use(site)),
    ]);
    this.#exhibits = await writeExhibits(this.site.folder);
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#flows.map(({ outcome }) => outcome));
    await this.#opened.disposeAsync();
  }

  /**
   * Registers a test. Most of a flow is waiting, so that those that come next go on meanwhile. The
   * connection to the browser has timers and reads that outlive each test.
   */
  test(name: string, run: () => Promise<void>): void {
    const place = this.#flows.push({ run }) - 1;
    const sanitizers = { sanitizeOps: false, sanitizeResources: false };
    Deno.test({ name: `explorer: ${name}`, fn: () => this.#outcome(place), ...sanitizers });
  }

  async #outcome(place: number): Promise<void> {
    for (const flow of this.#flows.slice(place, place + AT_ONCE)) {
      flow.outcome ??= flow.run();
      // It is looked at when it is that flow's turn.
      flow.outcome.catch(() => {});
    }
    await this.#flows[place]!.outcome;
  }

  get browser(): Chromium {
    assert.ok(this.#browser);
    return this.#browser;
  }

  get site(): TrialSite {
    assert.ok(this.#site);
    return this.#site;
  }

  get exhibits(): Exhibits {
    assert.ok(this.#exhibits);
    return this.#exhibits;
  }

  /** Opens `route`, such as `#/stamp`, as a new user of the common gateway. */
  visit(route: string, options?: VisitOptions): Promise<Visit> {
    return this.browser.visit(`${this.site.url}/${route}`, options);
  }
}
