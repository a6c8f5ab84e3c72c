/**
 * What Lighthouse audits, on every page of the explorer, on a phone and on a wide screen. Lighthouse itself needs a hundred packages; contrast and names are axe's.
 *
 * @module
 */

import assert from "node:assert/strict";
import { auditFaults } from "./explorer/audits.ts";
import { FrontServer } from "./explorer/front_server.ts";
import { axeFindings, settled } from "./explorer/looks.ts";
import { Setting } from "./explorer/setting.ts";
import { pause } from "./raw_connection.ts";

const setting = new Setting();
Deno.test.beforeAll(() => setting.start());
Deno.test.afterAll(() => setting.stop());

/** Milliseconds that answers are late, in turn. */
const SLOW_ANSWERS_MS = [600, 100, 350];
const VIEWS = { phone: { width: 360, height: 740 }, wide: { isDark: true } };

for (const [view, options] of Object.entries(VIEWS)) {
  setting.test(`every page passes the audits: ${view}`, async () => {
    const { site } = setting;
    const [hash] = await site.publish(`audited ${view}`, "beside it");
    const { batch_id } = await site.json(`/v1/attestations/${hash}`);
    const pages = [
      "#/stamp",
      "#/verify",
      "#/explore",
      "#/explore/tiles",
      "#/log",
      `#/explore/batch/${batch_id}`,
      `#/proof/${hash}`,
      `#/certificate/${hash}`,
    ];
    await using visit = await setting.visit("", options);
    // Answers come apart, as over a slow line: the page is laid out after each one.
    let asked = 0;
    await visit.page.route(`${site.url}/v1/**`, async (route) => {
      await pause(SLOW_ANSWERS_MS[asked++ % SLOW_ANSWERS_MS.length]!);
      // The page that asked may be gone.
      await route.continue().catch(() => {});
    });
    const found: string[] = [];
    for (const path of pages) {
      const faults = await auditFaults(visit.page, `${site.url}/${path}`, async () => {
        await settled(visit.page);
        await visit.page.waitForLoadState("load");
      });
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    await visit.page.unrouteAll({ behavior: "wait" });
    found.push(...await axeFindings(visit.page));
    assert.deepEqual(found, []);
    visit.assertContained(site.url);
  });
}

setting.test("auditFaults() reports every fault of a page", async () => {
  const body = `<h1>A page</h1><h3>Too deep</h3><a href="/x">here</a>
    <img src="data:," ><p style="font-size: 9px">Tiny</p>
    <div style="line-height: 8px"><button style="all: unset; display: block">One</button>
    <button style="all: unset; display: block">Two</button></div>
    <p id="filler">${"long ".repeat(400)}</p>`;
  await using server = new FrontServer(() =>
    new Response(`<html><body>${body}</body></html>`, { headers: { "Content-Type": "text/html" } })
  );
  await using visit = await setting.browser.visit(server.url);
  const faults = await auditFaults(visit.page, server.url, async () => {
    await visit.page.waitForFunction(() =>
      performance.getEntriesByName("first-contentful-paint").length > 0
    );
    await visit.page.evaluate(async () => {
      const space = document.createElement("div");
      space.style.height = "400px";
      await new Promise(requestAnimationFrame);
      document.body.prepend(space);
      for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
    });
  });
  for (
    const expected of [
      /^the document has no doctype$/,
      /^the document has no language$/,
      /^the document has no title$/,
      /^the document is not UTF-8$/,
      /^no viewport for phones$/,
      /^the document has no description$/,
      /^"Too deep" skips a level of headings$/,
      /^the link to \/x is called "here"$/,
      /has no text$/,
      /has no size until it is loaded$/,
      /^text below 11 pixels: Tiny$/,
      /^"One" of \d+ by \d+ is too near to "Two"$/,
      /^the layout shifts by 0\.\d+$/,
      /its type may be guessed$/,
      /nothing says whether it may be cached$/,
      /its \d+ bytes are not compressed$/,
    ]
  ) assert.ok(faults.some((fault) => expected.test(fault)), `${expected} in ${faults.join("\n")}`);
});
