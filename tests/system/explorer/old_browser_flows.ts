/**
 * The page in browsers of the last three years, and in older ones.
 *
 * @module
 */

import assert from "node:assert/strict";
import { removeNewerBuiltIns } from "../newer_builtins.ts";
import type { Visit } from "./chromium.ts";
import type { Setting } from "./setting.ts";

/** Opens `route` once more, with `change` run before the page's scripts. */
async function reopened(visit: Visit, change: () => void): Promise<void> {
  await visit.runFirst(change);
  await visit.page.reload();
}

export function testOldBrowsers(setting: Setting): void {
  setting.test("a browser of November 2023 hashes, stamps and verifies", async () => {
    const path = await setting.site.write("old.txt", "stamped by an old browser");
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    await reopened(visit, removeNewerBuiltIns);
    const lacks = await page.evaluate(() => !("toHex" in Uint8Array.prototype));
    assert.ok(lacks);
    const sent = page.waitForRequest((request) => request.method() === "POST");
    await page.locator("input[type=file]").first().setInputFiles(path);
    await sent;
    for (const route of ["#/verify", "#/explore", "#/log"]) {
      await page.evaluate((hash) => void (location.hash = hash), route);
      await page.locator("main h1").waitFor();
    }
    // The log's head is remembered once its signatures are verified.
    await page.waitForFunction(() =>
      Object.keys(localStorage).some((key) => key.includes(".head"))
    );
    assert.ok(await page.locator("#not-started").isHidden());
    assert.deepEqual(visit.faults, []);
  });

  setting.test("a page that cannot start says so instead of staying blank", async () => {
    await using visit = await setting.visit("");
    const { page } = visit;
    const notice = page.getByText("This browser is too old for this page");
    await page.locator("main h1").waitFor();
    assert.ok(await notice.isHidden());
    await reopened(visit, () => Reflect.deleteProperty(Array.prototype, "toSorted"));
    await notice.waitFor();
    await page.route(/\/assets\/main\..*\.js$/, (route) => route.abort());
    await page.reload();
    await notice.waitFor();
    assert.equal(await page.locator("#app > *").count(), 0);
  });
}
