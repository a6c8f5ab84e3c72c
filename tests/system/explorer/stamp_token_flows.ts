/**
 * Stamp where each new hash needs a token: the page gets them from an issuer, by proofs of work.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { freePorts } from "../../free_ports.ts";
import { IS_LONG } from "../../long_runs.ts";
import { Server } from "../../scenarios/program.ts";
import { glance, look } from "./looks.ts";
import type { Setting } from "./setting.ts";
import { done, fileControl, folderControl, pasteHash, row } from "./stamp_page.ts";
import { hashOf, TrialSite } from "./trial_site.ts";

/** Several requests of the most hashes that one has with tokens. */
const FILES = IS_LONG ? 300 : 30;
/** Some hundreds of hashes. */
const WORK_BITS = 8;
/** Milliseconds for what is asked again after pauses of up to 15 s. */
const RECOVERY_MS = 120_000;
/** Milliseconds for the list, on a machine that does other things too. */
const STAMPING_MS = 600_000;

/** A gateway that requires tokens, and its issuer. */
class TokenSite implements AsyncDisposable {
  readonly site: TrialSite;
  readonly issuerUrl: string;
  #issuer: Server | undefined;

  private constructor(site: TrialSite, issuerUrl: string) {
    this.site = site;
    this.issuerUrl = issuerUrl;
  }

  static async start(): Promise<TokenSite> {
    const found = new TokenSite(await TrialSite.start(), `http://127.0.0.1:${freePorts(1)}`);
    try {
      await found.#start();
    } catch (error) {
      await found[Symbol.asyncDispose]();
      throw error;
    }
    return found;
  }

  async #start(): Promise<void> {
    const { site } = this;
    await site.kill();
    await Deno.mkdir(join(site.folder, "issuer"), { mode: 0o700 });
    await site.write(
      "issuer/issuer.json",
      JSON.stringify({
        name: "issuer.example",
        url: this.issuerUrl,
        api_keys: [],
        rotation: { lifetime_seconds: 86_400, overlap_seconds: 3_600 },
        work: { bits: WORK_BITS },
      }),
    );
    await this.startIssuer();
    const { stdout, stderr } = await site.countersign(
      "issuer",
      "--data",
      "issuer",
      "--print-admission",
    );
    assert.equal(stderr, "");
    const path = "data/network/network.json";
    const network = JSON.parse(await Deno.readTextFile(join(site.folder, path)));
    const admission = { mode: "token_required", issuers: JSON.parse(stdout) };
    await site.write(path, JSON.stringify({ ...network, admission }));
    await site.start();
  }

  async startIssuer(): Promise<void> {
    const { server } = await Server.start(
      ["issuer", "--data", "issuer", "--port", new URL(this.issuerUrl).port],
      / on http:\S+/,
      { cwd: this.site.folder },
    );
    this.#issuer = server;
  }

  async killIssuer(): Promise<void> {
    await this.#issuer?.kill();
    this.#issuer = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.killIssuer();
    await this.site[Symbol.asyncDispose]();
  }
}

export function testStampTokens(setting: Setting): void {
  setting.test("stamp: the page gets tokens by proof of work", async () => {
    await using tokens = await TokenSite.start();
    const { site } = tokens;
    await using visit = await setting.browser.visit(`${site.url}/#/stamp`);
    const { page } = visit;
    const names = ["one.txt", "two.txt", "three.txt"];
    const paths = await Promise.all(names.map((name) => site.write(name, `content of ${name}`)));
    await fileControl(page).setInputFiles(paths);
    for (const name of names) await done(row(page, name), "Batched").waitFor();

    await tokens.killIssuer();
    await pasteHash(page, hashOf("without an issuer"));
    const alert = page.getByText("The issuer of tokens does not answer", { exact: true });
    await alert.waitFor();
    await glance(page, "stamp-issuer-away");
    await tokens.startIssuer();
    await page.getByRole("heading", { name: "4 stamps, 4 in the log" })
      .waitFor({ timeout: RECOVERY_MS });
    await alert.waitFor({ state: "detached" });

    const folder = join(site.folder, "many");
    await Deno.mkdir(folder);
    for (let i = 0; i < FILES; i++) {
      await Deno.writeTextFile(join(folder, `${i}.txt`), `with a token ${i}`);
    }
    // The issuer is held until the page was looked at: no speed makes it end its work before.
    const looked = Promise.withResolvers<void>();
    await page.route(`${tokens.issuerUrl}/**`, async (route) => {
      await looked.promise;
      await route.continue();
    });
    await folderControl(page).setInputFiles(folder);
    await page.getByText(/^This gateway accepts new hashes only with tokens\./).waitFor();
    await look(page, "stamp-tokens");
    looked.resolve();
    const all = FILES + 4;
    await page.getByRole("heading", { name: `${all} stamps, ${all} in the log` })
      .waitFor({ timeout: STAMPING_MS });
    assert.deepEqual(visit.faults, []);
    const origins = new Set(visit.requests.map(({ url }) => url.origin));
    assert.deepEqual(
      [...origins].filter((origin) => origin.startsWith("http")).toSorted(),
      [site.url, tokens.issuerUrl].toSorted(),
    );
  });
}
