/**
 * The page beside a static copy of a log whose gateway is gone, on a host that only serves files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { servingFiles } from "../../logs/publishing/file_server.ts";
import { glance, look } from "./looks.ts";
import type { Setting } from "./setting.ts";
import { hashOf, TrialSite } from "./trial_site.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function copy(site: TrialSite): Promise<void> {
  const { code, stderr } = await site.countersign(
    "mirror",
    "--from",
    site.url,
    "--to",
    "copy",
    "--page",
    "--network-config",
    site.publicFile,
  );
  assert.equal(code, 0, stderr);
}

async function lookUp(page: Page, text: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Explore" })
    .click();
  await page.getByLabel("Look up").fill(text);
  await page.getByRole("button", { name: "Look up" }).click();
}

export function testCopy(setting: Setting): void {
  setting.test("copy: the page reads and verifies a static copy without any gateway", async () => {
    await using site = await TrialSite.start();
    await site.publish("copied 1", "copied 2");
    await copy(site);
    await site.kill();
    await servingFiles(join(site.folder, "copy"), async (url) => {
      await using visit = await setting.browser.visit(url);
      const { page } = visit;
      const head = region(page, "Latest tree head");
      await head.getByText("attestations in the log").waitFor();
      await head.getByText(/^(2 of 2 needed signatures|3 signatures, 2 needed)$/).waitFor();
      const links = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
      assert.deepEqual(await links.allInnerTexts(), ["Verify", "Explore", "Check the log"]);
      await glance(page, "copy");

      await lookUp(page, hashOf("copied 2"));
      await region(page, "Attestation").getByText(
        /^(2 of 2 needed signatures|3 signatures, 2 needed)$/,
      ).waitFor();
      await region(page, "Attestation").getByText("2 attestations", { exact: true }).waitFor();
      await look(page, "copy-entry");
      await lookUp(page, "0");
      await region(page, "Attestation").getByTitle(/^[0-9a-f]{64}$/).first().waitFor();
      await lookUp(page, "2");
      await page.getByText("This copy does not have position 2").waitFor();
      await lookUp(page, hashOf("never stamped"));
      await page.getByText("This copy does not have the hash").waitFor();
      assert.doesNotMatch(await page.getByRole("main").innerText(), /^In the log|verified in/m);
      await glance(page, "copy-unknown");

      await page.goto(`${url}/#/log`);
      await page.getByText(`countersign log sth --verify --mirror ${url}/`).waitFor();
      await page.getByText("This page comes with the copy that it checks.").waitFor();
      const says = (title: string) =>
        region(page, "Last check").getByText(title, { exact: true }).waitFor();
      await says("First visit: this browser now remembers the tree head");
      await page.reload();
      await says("The log has not changed since your last visit");
      await site.start();
      await site.publish("copied 3");
      await copy(site);
      await site.kill();
      await page.getByRole("button", { name: "Check again" }).click();
      await says("The log grew since your last visit");
      await glance(page, "copy-log");

      const entries = join(site.folder, "copy", "tile", "entries", "000.p", "3");
      const bytes = await Deno.readFile(entries);
      bytes[20]! ^= 1;
      await Deno.writeFile(entries, bytes);
      await lookUp(page, "1");
      await page.getByText(/does not hash to the root/).waitFor();
      visit.assertContained(url);
      assert.deepEqual(visit.sent, []);
    });
  });
}
