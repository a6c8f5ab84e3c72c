/**
 * A private gateway: the page asks for an API key, keeps it in its tab, and sends it to its gateway only.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { glance, look } from "./looks.ts";
import type { Setting } from "./setting.ts";
import { pasteHash } from "./stamp_page.ts";
import { hashOf, TrialSite } from "./trial_site.ts";

export function testPrivate(setting: Setting): void {
  setting.test("a private gateway: the page asks for an API key", async () => {
    await using site = await TrialSite.start();
    await site.kill();
    const path = "data/network/network.json";
    const network = JSON.parse(await Deno.readTextFile(join(site.folder, path)));
    const apiKeys = { file: "api-keys.json", routes: "all" };
    await site.write(path, JSON.stringify({ ...network, api_keys: apiKeys }));
    const file = "data/network/api-keys.json";
    const { stdout } = await site.countersign("api-key", "new", "reader", "--file", file);
    const key = stdout.trim();
    await site.start();

    await using visit = await setting.browser.visit(`${site.url}/#/explore`);
    const { page } = visit;
    const wanted = page.getByText("This gateway is private", { exact: true }).first();
    await wanted.waitFor();
    await look(page, "private-wanted");
    const field = page.getByLabel("API key", { exact: true });
    await field.fill("A".repeat(43));
    await page.getByRole("button", { name: "Use", exact: true }).click();
    await page.getByText("The gateway does not accept this API key", { exact: true }).first()
      .waitFor();
    await field.fill(key);
    await page.getByRole("button", { name: "Use", exact: true }).click();
    await page.getByText("This tab uses an API key.").waitFor();
    await page.goto(`${site.url}/#/stamp`);
    const hash = hashOf("a private matter");
    await pasteHash(page, hash);
    await page.getByRole("heading", { name: "1 stamp, 1 in the log" }).waitFor();
    assert.equal(await field.count(), 0);
    await glance(page, "private-stamp");
    const stored = () =>
      page.evaluate(() => ({
        tab: Object.values(sessionStorage),
        always: Object.values(localStorage),
      }));
    const { tab, always } = await stored();
    assert.ok(tab.includes(key));
    assert.ok(!always.join().includes(key));
    const origins = new Set(visit.requests.map(({ url }) => url.origin));
    assert.deepEqual([...origins].filter((origin) => origin.startsWith("http")), [site.url]);
    assert.ok(visit.requests.every(({ url }) => !url.href.includes(key)));

    await page.getByRole("button", { name: "Forget it" }).click();
    await page.goto(`${site.url}/#/explore`);
    await wanted.waitFor();
    assert.deepEqual((await stored()).tab.filter((text) => text === key), []);
  });
}
