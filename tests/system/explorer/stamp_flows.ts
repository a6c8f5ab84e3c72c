/**
 * Stamp: files of any size and hashes, to the proof that the command line verifies.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Visit } from "./chromium.ts";
import { IS_LONG } from "../../long_runs.ts";
import { glance, look } from "./looks.ts";
import { OutageSite } from "./outage_site.ts";
import { saved } from "./saved_file.ts";
import type { Setting } from "./setting.ts";
import { done, fileControl, folderControl, pasteHash, row } from "./stamp_page.ts";
import { hashOf } from "./trial_site.ts";

const GIB = 1024 ** 3;

/** Files of a large folder: few enough for every run, or as many as `EXPLORER_FILES` says. */
const MANY = Number(Deno.env.get("EXPLORER_FILES") ?? (IS_LONG ? 600 : 200));
const MANY_TEXT = MANY.toLocaleString("en-GB");

/** Bytes of a large file. */
const LARGE = IS_LONG ? GIB : GIB / 2;

/** SHA-256 of as many zero bytes, by `head -c 1073741824 /dev/zero | sha256sum`. */
const HASH_OF_ZEROS = IS_LONG
  ? "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"
  : "9acca8e8c22201155389f65abbf6bc9723edc7384ead80503839f49dcc56d767";

/** Bytes by which the whole browser, with the pages of other tests, may grow meanwhile. */
const MEMORY_BOUND = IS_LONG ? GIB / 2 : GIB * 3 / 8;

/** Milliseconds within which a large file is hashed, on a machine that does other things too. */
const HASHING_MS = 600_000;

/** Requires that nothing but these hashes was sent, each at least once. */
function assertSentOnly({ sent }: Visit, hashes: readonly string[]): void {
  const found = new Set<string>();
  for (const { method, url, body } of sent) {
    assert.equal(method, "POST");
    const { hash, hashes, ...rest } = JSON.parse(body);
    assert.equal(url.pathname, `/v1/attestations${hashes === undefined ? "" : "/batch"}`);
    for (const one of hashes ?? [hash]) found.add(one);
    assert.ok(Object.values(rest).every((value) => value === null), body);
  }
  assert.deepEqual([...found].toSorted(), hashes.toSorted());
}

/** How many requests had a new hash. The others ask about hashes that were sent. */
function submissionsOf({ sent }: Visit): number {
  const known = new Set<string>();
  return sent.filter(({ body }) => {
    const { hash, hashes = [hash] } = JSON.parse(body);
    const before = known.size;
    for (const one of hashes) known.add(one);
    return known.size > before;
  }).length;
}

/** Clears the list in the turn of the event loop that shows `text`, before later changes are drawn. */
async function clearAtOnce(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    new MutationObserver((_, observer) => {
      if (!document.body.innerText.includes(text)) return;
      observer.disconnect();
      const buttons = [...document.querySelectorAll("button")];
      buttons.find(({ textContent }) => textContent === "Clear the list")!.click();
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  }, text);
}

export function testStamp(setting: Setting): void {
  setting.test("stamp: a file's proof is saved, and the shown command verifies it", async () => {
    const { site } = setting;
    const path = await site.write("a report's draft.txt", "an early draft");
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    await fileControl(page).setInputFiles(path);
    const stamped = row(page, "a report's draft.txt");
    await done(stamped, "Confirmed").waitFor();
    await look(page, "stamp-confirmed");
    await done(stamped, "Batched").waitFor();
    await stamped.getByText("This network has no peers and no anchors").waitFor();
    await look(page, "stamp-batched");
    assertSentOnly(visit, [hashOf("an early draft")]);
    visit.assertContained(site.url);

    const { name, text } = await saved(
      page,
      stamped.getByRole("button", { name: "Save the proof" }),
    );
    assert.equal(name, "a report's draft.txt.countersign.json");
    await site.write(name, text);
    await stamped.getByRole("button", { name: "Copy command line" }).click();
    const line = await page.evaluate(() => navigator.clipboard.readText());
    const { code, stdout, stderr } = await site.shell(
      `${line} --network-config data/network/network.public.json`,
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^VALID \(Batched\)/);
  });

  setting.test("stamp: each file has a row, by keyboard and on a phone", async () => {
    const { site } = setting;
    const names = ["one.txt", "two.txt", `${"a long name without an end ".repeat(6)}.txt`];
    const paths = await Promise.all(names.map((name) => site.write(name, `content of ${name}`)));
    const options = { width: 360, height: 740, isDark: true };
    await using visit = await setting.visit("#/verify", options);
    const { page } = visit;
    // A verdict makes the rows as wide as they get.
    await page.locator("label").filter({ hasText: "Choose the network's configuration" })
      .locator("input").setInputFiles(site.publicFile);
    await page.getByText("Your file network.public.json").waitFor();
    await page.getByRole("link", { name: "Stamp", exact: true }).click();
    await fileControl(page).setInputFiles([...paths, await site.write("empty", "")]);
    await page.getByRole("heading", { name: "4 stamps, 4 in the log" }).waitFor();
    const details = page.getByRole("button", { name: "Show details of one.txt" });
    await details.focus();
    await page.keyboard.press("Enter");
    await done(row(page, "one.txt"), "Batched").waitFor();
    assertSentOnly(visit, [...names.map((name) => hashOf(`content of ${name}`)), hashOf("")]);
    await row(page, "one.txt").getByRole("button", { name: "Save the proof" }).waitFor();
    await glance(page, "stamp-several-phone");
    const { name, text } = await saved(page, page.getByRole("button", { name: "Save 4 proofs" }));
    assert.match(name, /^proofs-\d{8}-\d{6}\.zip$/);
    for (const file of [...names, "empty"]) assert.ok(text.includes(`${file}.countersign.json`));
    await page.getByText("4 proofs saved", { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "stamp-list-title");
    await glance(page, "stamp-archive-phone");
    await row(page, "one.txt").getByRole("button", { name: "Remove one.txt from the list" })
      .focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "3 stamps, 3 in the log" }).waitFor();
  });

  setting.test("stamp: proofs are saved while another page is shown", async () => {
    const { site } = setting;
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const paths = ["left 1", "left 2"].map((name) => site.write(name, name));
    await fileControl(page).setInputFiles(await Promise.all(paths));
    await page.getByRole("heading", { name: "2 stamps, 2 in the log" }).waitFor();
    await done(row(page, "left 2"), "Batched").waitFor();
    const isLeft = Promise.withResolvers<void>();
    await page.route("**/tile/**", async (route) => {
      await isLeft.promise;
      await route.continue();
    });
    await page.route("**/v1/bundle/**", async (route) => {
      await isLeft.promise;
      await route.continue();
    });
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save 2 proofs" }).click();
    await page.getByText(/^Collecting proofs/).waitFor();
    await page.getByRole("link", { name: "Verify", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Verify" }).waitFor();
    isLeft.resolve();
    assert.match((await download).suggestedFilename(), /^proofs-.*\.zip$/);
    await page.getByRole("link", { name: "Stamp", exact: true }).click();
    await page.getByText("2 proofs saved", { exact: true }).waitFor();
    await page.unrouteAll();
  });

  setting.test("stamp: a folder of many files, while the page answers", async () => {
    // Of its own: what other flows look for would be far down.
    await using site = await OutageSite.start();
    const folder = join(setting.site.folder, "many");
    await Deno.mkdir(join(folder, "inner"), { recursive: true });
    for (let i = 0; i < MANY; i++) {
      await Deno.writeTextFile(join(folder, i % 2 === 0 ? "inner" : ".", `${i}.txt`), `many ${i}`);
    }
    await using visit = await setting.browser.visit(`${site.url}/#/stamp`);
    const { page } = visit;
    // The first request is held until all files are hashed: how many requests follow depends on no speed.
    const hashed = Promise.withResolvers<void>();
    await page.route("**/v1/attestations**", async (route) => {
      await hashed.promise;
      await route.continue();
    });
    await folderControl(page).setInputFiles(folder);
    const pages = page.getByRole("navigation", { name: "Pages of the list" });
    await pages.getByText(`1 to 25 of ${MANY_TEXT}`).waitFor();
    await pages.getByRole("button", { name: "Next" }).click();
    await pages.getByText(`26 to 50 of ${MANY_TEXT}`).waitFor();
    await page.getByRole("link", { name: "Verify" }).click();
    await page.getByRole("heading", { level: 1, name: "Verify" }).waitFor();
    await page.getByRole("link", { name: "Stamp", exact: true }).click();
    await page.getByText(`${MANY_TEXT} to send`, { exact: true }).waitFor();
    hashed.resolve();
    await page.getByRole("heading", { name: `${MANY_TEXT} stamps, ${MANY_TEXT} in the log` })
      .waitFor();
    await glance(page, "stamp-many");
    // On a slow machine the held request is given up, and later ones carry what is hashed by then.
    const submissions = submissionsOf(visit);
    assert.ok(submissions < MANY / 10, `${submissions} submissions`);
    assert.deepEqual(visit.faults, []);

    const question = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await question;
    assert.equal(dialog.type(), "beforeunload");
    await dialog.dismiss();
    await page.getByRole("button", { name: "Clear the list" }).click();
    await page.getByText(`${MANY_TEXT} proofs are not saved`).waitFor();
    await look(page, "stamp-clear");
    await page.getByRole("button", { name: "Keep it" }).click();

    const before = visit.requests.length;
    const saving = page.getByRole("button", { name: `Save ${MANY_TEXT} proofs` });
    await clearAtOnce(page, `${MANY_TEXT} proofs saved`);
    const { text } = await saved(page, saving);
    for (const name of [0, MANY - 1]) assert.ok(text.includes(`${name}.txt.countersign.json`));
    await page.getByRole("heading", { name: "What happens next" }).waitFor();
    const asked = visit.requests.slice(before)
      .filter(({ url }) => /^\/(v1\/bundle|tile)\//.test(url.pathname)).length;
    assert.ok(asked > 0 && asked < MANY / 10, `${asked} requests for proofs`);
  });

  setting.test("stamp: hashes can be pasted from tools, and malformed ones are not sent", async () => {
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const hash = hashOf("pasted");
    for (
      const [text, fault] of [
        ["", "Paste a SHA-256 hash: 64 hexadecimal digits"],
        [hash.slice(1), "A SHA-256 hash has 64 digits, this one has 63"],
        ["report.txt", "A SHA-256 hash contains only the digits 0 to 9 and a to f"],
      ] as const
    ) {
      await pasteHash(page, text);
      await page.getByText(fault, { exact: true }).waitFor();
    }
    await look(page, "stamp-wrong-hash");
    assert.deepEqual(visit.sent, []);
    await pasteHash(page, `${hash.toUpperCase()}  pasted.txt`);
    const stamped = row(page, `Hash ${hash.slice(0, 8)}`);
    await done(stamped, "Batched").waitFor();
    assertSentOnly(visit, [hash]);
    const link = stamped.getByRole("link", { name: /^Batch / });
    await link.click();
    await page.getByRole("heading", { level: 1, name: /^Batch / }).waitFor();
  });

  setting.test("stamp: hashing a large file takes bounded memory and can be cancelled", async () => {
    const path = join(setting.site.folder, "large.bin");
    await using file = await Deno.open(path, { create: true, write: true });
    // So large that it is being hashed when it is cancelled, however long this test takes to do so.
    await file.truncate(64 * GIB);
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const before = await setting.browser.memoryBytes();
    await fileControl(page).setInputFiles(path);
    const stamped = row(page, "large.bin");
    const bar = stamped.getByRole("progressbar");
    await bar.waitFor();
    await look(page, "stamp-hashing");
    const cancel = async () => {
      await stamped.getByRole("button", { name: "Cancel large.bin" }).click();
      await stamped.getByText("Cancelled. Nothing was sent.").waitFor();
    };
    await cancel();
    await glance(page, "stamp-cancelled");
    await stamped.getByRole("button", { name: "Start again: large.bin" }).click();
    await bar.waitFor();
    await cancel();
    assert.deepEqual(visit.sent, []);

    await stamped.getByRole("button", { name: "Remove large.bin from the list" }).click();
    await stamped.waitFor({ state: "detached" });
    await file.truncate(LARGE);
    // The page itself notes what it shows: a test that is held up would miss it.
    const shown = await page.evaluateHandle(() => {
      const values: number[] = [];
      new MutationObserver(() => {
        for (const bar of document.querySelectorAll("progress")) values.push(bar.value);
      }).observe(document.body, {
        subtree: true,
        childList: true,
        attributes: true,
        characterData: true,
      });
      return values;
    });
    await fileControl(page).setInputFiles(path);
    const accepted = done(stamped, "Accepted").waitFor({ timeout: HASHING_MS });
    let largest = 0;
    let isHashing = true;
    accepted.finally(() => isHashing = false).catch(() => {});
    while (isHashing) {
      largest = Math.max(largest, await setting.browser.memoryBytes() - before);
      await page.waitForTimeout(200);
    }
    await accepted;
    const seen = await shown.jsonValue();
    assert.ok(new Set(seen).size > 2, `progress is shown: ${seen}`);
    assert.deepEqual(seen, seen.toSorted((a, b) => a - b));
    assert.ok(largest < MEMORY_BOUND, `${largest} bytes more`);
    assertSentOnly(visit, [HASH_OF_ZEROS]);
    const bytes = visit.requests.reduce((sum, { body }) => sum + body.length, 0);
    assert.ok(bytes < 1000, `${bytes} bytes sent`);
  });

  setting.test("stamp: files can be dropped, and hashes typed without a pointer", async () => {
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const dropped = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(["dropped content"], "dropped.txt"));
      return transfer;
    });
    const target = page.getByText("Choose files, or drop them here");
    await target.dispatchEvent("dragover", { dataTransfer: dropped });
    await target.dispatchEvent("drop", { dataTransfer: dropped });
    await done(row(page, "dropped.txt"), "Accepted").waitFor();
    await fileControl(page).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type(hashOf("typed"));
    await page.keyboard.press("Enter");
    await done(row(page, `Hash ${hashOf("typed").slice(0, 8)}`), "Batched").waitFor();
    await done(row(page, "dropped.txt"), "Batched").waitFor();
    assertSentOnly(visit, [hashOf("dropped content"), hashOf("typed")]);
  });
}
