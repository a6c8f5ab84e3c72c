/**
 * Takes the pictures of README.md in `docs/pictures/` from a gateway that runs
 * (`deno task screenshots`). The network's id, the times and the numbers differ between two runs.
 *
 * @module
 */

import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { Chromium } from "./chromium.ts";
import { settled } from "./looks.ts";
import { done, fileControl, row } from "./stamp_page.ts";
import { TrialSite } from "./trial_site.ts";

const FOLDER = new URL("../../../docs/pictures/", import.meta.url);
const SIZE = { width: 1080, height: 660 };
const FILE = "release-2.4.0.tar.gz";
/** Larger ones slow down every clone. */
const MAX_BYTES = 150_000;

async function take(of: Page | Locator, name: string): Promise<void> {
  const path = fileURLToPath(new URL(name, FOLDER));
  const { length } = await of.screenshot({ path });
  if (length > MAX_BYTES) throw new Error(`${name} has ${length} bytes, at most ${MAX_BYTES}`);
  process.stdout.write(`${name}  ${length} bytes\n`);
}

await Deno.mkdir(FOLDER, { recursive: true });
await using site = await TrialSite.start();
await using browser = await Chromium.start();
for (let i = 1; i <= 5; i++) {
  await site.publish(...Array.from({ length: i }, (_, j) => `${i} ${j}`));
}
const path = await site.write(FILE, "the content of a release");
await using visit = await browser.visit(`${site.url}/#/verify`, SIZE);
const { page } = visit;

// The reader's own configuration, so that the verdict is the best one.
await page.locator("label").filter({ hasText: "Choose the network's configuration" })
  .locator("input").setInputFiles(site.publicFile);
await page.getByText(/fingerprint/i).first().waitFor();
await page.goto(`${site.url}/#/stamp`);
await fileControl(page).setInputFiles(path);
await done(row(page, FILE), "Batched").waitFor();
await row(page, FILE).getByText("Verified here").waitFor();
await take(row(page, FILE), "stamp.png");

await row(page, FILE).getByRole("link", { name: "View the proof" }).click();
await page.locator("main").getByText(/existed by .* it is in their log\.$/).waitFor();
await settled(page);
await page.mouse.move(0, 0);
await take(page, "proof.png");

await page.goto(`${site.url}/#/explore`);
await settled(page);
await page.getByRole("img").nth(1).waitFor();
await take(page, "explore.png");
