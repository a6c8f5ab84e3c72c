/**
 * Files that a page saves.
 *
 * @module
 */

import type { Locator, Page } from "playwright-core";

/** One file. */
export interface SavedFile {
  readonly name: string;
  readonly text: string;
}

/** What clicking `button` saves. */
export async function saved(page: Page, button: Locator): Promise<SavedFile> {
  const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const text = await Deno.readTextFile(await download.path());
  return { name: download.suggestedFilename(), text };
}
