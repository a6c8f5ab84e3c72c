/**
 * The page *Stamp*, by what it says.
 *
 * @module
 */

import type { Locator, Page } from "playwright-core";

/** The file control of the page. */
export function fileControl(page: Page): Locator {
  return page.locator("input[type=file]:not([hidden])");
}

/** The folder control, which a button opens. */
export function folderControl(page: Page): Locator {
  return page.locator("input[type=file][hidden]");
}

/** What the page says of one file or hash. */
export function row(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

/** The step `name` of a row, once it is done. */
export function done(of: Locator, name: string): Locator {
  return of.getByRole("listitem").filter({ hasText: `${name}, done` });
}

/** Types `text` where a hash is pasted, and sends it. */
export async function pasteHash(page: Page, text: string): Promise<void> {
  await page.getByLabel("Or paste a SHA-256 hash").fill(text);
  await page.getByRole("button", { name: "Stamp hash" }).click();
}
