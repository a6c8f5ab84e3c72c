/**
 * A visitor of the page: a first proof, a gateway that stops, a slow one, a large folder, and a phone.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { Chromium } from "../explorer/chromium.ts";
import { FrontServer } from "../explorer/front_server.ts";
import { look, settled } from "../explorer/looks.ts";
import { saved } from "../explorer/saved_file.ts";
import { done, fileControl, pasteHash, row } from "../explorer/stamp_page.ts";
import { hashOf, TrialSite } from "../explorer/trial_site.ts";
import { pause } from "../raw_connection.ts";

/** Five seconds, and as long for a busy machine. */
const AWAY_MS = 10_000;
const DELAY_MS = 2_000;
/** For one step of a visitor. */
const STEP_MS = 20_000;
const FILES = 3_000;
/** Longer without a frame, and a visitor takes the page for dead. */
const FROZEN_MS = 1_500;
const CONTENT = "what a visitor knows";

const away = (page: Page) => page.getByText("The gateway does not answer", { exact: true });

async function go(page: Page, route: string): Promise<void> {
  await page.evaluate((hash) => void (location.hash = hash), route);
}

/** Drops `count` small files on the page; the result is as {@linkcode watchFrames} has it. */
async function dropFiles(page: Page, count: number): Promise<() => Promise<number>> {
  await page.evaluate((count) => {
    const dataTransfer = new DataTransfer();
    for (let i = 0; i < count; i++) {
      dataTransfer.items.add(new File([`file ${i} of ${count}`], `${i}.txt`));
    }
    Object.assign(globalThis, { dataTransfer });
  }, count);
  const longest = await watchFrames(page);
  await page.evaluate(() => {
    const { dataTransfer } = globalThis as unknown as { readonly dataTransfer: DataTransfer };
    document.querySelector(".drop-zone")!.dispatchEvent(
      new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }),
    );
  });
  return longest;
}

/** Milliseconds of the longest time without a frame, from now until the result is called. */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const watch = { longest: 0, last: performance.now() };
    Object.assign(globalThis, { watch });
    const frame = () => {
      const now = performance.now();
      watch.longest = Math.max(watch.longest, now - watch.last);
      watch.last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { readonly watch: { readonly longest: number } }).watch.longest
    );
}

/** How far the layout moved without a hand of the visitor, in the measure of Lighthouse. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => {
    interface Shift extends PerformanceEntry {
      readonly value: number;
      readonly hadRecentInput: boolean;
    }
    return new Promise<number>((resolve) => {
      setTimeout(() => resolve(0), 200);
      new PerformanceObserver((list) =>
        resolve(
          (list.getEntries() as Shift[]).reduce(
            (sum, { value, hadRecentInput }) => hadRecentInput ? sum : sum + value,
            0,
          ),
        )
      ).observe({ type: "layout-shift", buffered: true });
    });
  });
}

/** The gateway behind a slow line, which counts equal requests at the same time. */
function slowFront(target: string) {
  const open = new Map<string, number>();
  const doubles = new Set<string>();
  const server = new FrontServer(async (request) => {
    const { pathname, search } = new URL(request.url);
    const key = `${request.method} ${pathname}${search}`;
    const body = request.method === "GET" ? undefined : await request.arrayBuffer();
    open.set(key, (open.get(key) ?? 0) + 1);
    if (open.get(key)! > 1) doubles.add(key);
    try {
      await pause(DELAY_MS);
      const headers = new Headers(request.headers);
      headers.delete("Host");
      headers.set("Accept-Encoding", "identity");
      return await fetch(target + pathname + search, {
        method: request.method,
        headers,
        ...(body && { body }),
      });
    } finally {
      open.set(key, open.get(key)! - 1);
    }
  });
  return { server, doubles };
}

Deno.test({
  name: "journey: a visitor of the page",
  // The connection to the browser has timers and reads that outlive the steps.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    await using site = await TrialSite.start();
    await using browser = await Chromium.start();
    const hash = hashOf(CONTENT);
    const file = await site.write("claim.txt", CONTENT);
    {
      await using visit = await browser.visit(site.url);
      const { page } = visit;
      page.setDefaultTimeout(STEP_MS);

      await t.step(
        "the first visit says what the page does, and that this is a trial",
        async () => {
          await page.getByText("Trial: 3 witnesses in one process.").waitFor();
          await page.getByRole("link", { name: "Trial: 3 witnesses in one process" }).waitFor();
          assert.equal(await page.getByText(/independent/i).count(), 0);
          await look(page, "journey-first-visit");
        },
      );

      await t.step("a file is stamped and its proof saved", async () => {
        await fileControl(page).setInputFiles(file);
        const stamped = row(page, "claim.txt");
        await done(stamped, "Batched").waitFor();
        const button = stamped.getByRole("button", { name: "Save the proof" });
        const { name, text } = await saved(page, button);
        assert.equal(name, "claim.txt.countersign.json");
        await site.write(name, text);
      });

      await t.step("the certificate names file, verdict, issuer and time", async () => {
        await go(page, `#/certificate/${hash}`);
        const sheet = page.locator(".certificate");
        await sheet.getByText("VALID (Batched): in the log").waitFor();
        await sheet.getByText("claim.txt (hashed in this browser)").waitFor();
        await sheet.getByText("Trial: 3 witnesses in one process.").waitFor();
        const network = await site.json("/v1/network");
        await sheet.getByText(network.id, { exact: true }).waitFor();
        await sheet.getByText(`${site.url}/`, { exact: true }).waitFor();
        const { stdout } = await site.countersign("network");
        const [, fingerprint] = /^fingerprint: ([0-9a-f]{64})$/m.exec(stdout)!;
        const shown = (await sheet.innerText()).replaceAll(/\s/g, "");
        assert.ok(shown.includes(`Itsfingerprint${fingerprint}`));
        await sheet.getByText("Signed at").waitFor();
        await look(page, "journey-certificate");
      });

      await t.step("file and proof are verified", async () => {
        await go(page, "#/verify");
        await page.getByRole("button", { name: "I have none: ask this gateway" }).click();
        await page.getByRole("button", { name: "Trust the gateway for it" }).click();
        await page.getByLabel("Choose a proof, or drop it here")
          .setInputFiles([file, `${file}.countersign.json`]);
        await page.getByText(/^claim\.txt existed by .* it is in their log\.$/).waitFor();
        await page.getByText("Trial: 3 witnesses in one process.").waitFor();
        await look(page, "journey-verified");
      });

      await t.step("the hash is looked up", async () => {
        await go(page, "#/explore");
        await page.getByLabel("Look up", { exact: true }).fill(hash);
        await page.keyboard.press("Enter");
        await page.getByText(/existed by .* it is in their log\.$/).waitFor();
      });

      await t.step("every page says within seconds that the gateway stopped", async () => {
        await settled(page);
        await site.kill();
        await away(page).waitFor({ timeout: AWAY_MS });
        await page.getByText(/Its last answer is of .* UTC: 1 attestation in its log\./).waitFor();
        const routes = ["verify", "explore", "explore/tiles", "explore/batch/1", "log", "stamp"];
        for (const route of [...routes, `proof/${hashOf("another")}`, `certificate/${hash}`]) {
          await go(page, `#/${route}`);
          await away(page).waitFor({ timeout: AWAY_MS });
          assert.equal(await away(page).count(), 1, route);
          await look(page, `journey-away-${route.split("/")[0]}`);
        }
      });

      await t.step("meanwhile the page hashes, and verifies proofs", async () => {
        await go(page, "#/stamp");
        await fileControl(page).setInputFiles(await site.write("later.txt", "during the outage"));
        await row(page, "later.txt").getByText("Sending the hash").waitFor();
        assert.equal(await page.getByText("cannot be read").count(), 0);
        await go(page, "#/verify");
        await page.getByLabel("Choose a proof, or drop it here")
          .setInputFiles([file, `${file}.countersign.json`]);
        await page.getByText(/^claim\.txt existed by .* it is in their log\.$/).waitFor();
      });

      await t.step("it goes on when the gateway is back", async () => {
        await go(page, "#/stamp");
        await site.start();
        await page.getByRole("button", { name: "Try now" }).click();
        await away(page).waitFor({ state: "detached", timeout: AWAY_MS });
        await done(row(page, "later.txt"), "Batched").waitFor();
        await go(page, "#/log");
        await page.getByRole("button", { name: "Check again" }).click();
        await page.getByText("Consistent", { exact: true }).waitFor();
      });

      await t.step("it notices by itself, and returns by itself", async () => {
        await site.kill();
        await away(page).waitFor({ timeout: AWAY_MS });
        await site.start();
        await away(page).waitFor({ state: "detached", timeout: 3 * AWAY_MS });
      });
      assert.deepEqual(visit.faults, []);
    }

    await t.step("a slow gateway: the page waits, stays in place, and asks once", async () => {
      const { server, doubles } = slowFront(site.url);
      await using _server = server;
      await using visit = await browser.visit(`${server.url}/#/explore`);
      const { page } = visit;
      await page.getByText("The gateway answers slowly.").waitFor();
      await settled(page);
      await page.getByText("attestations in the log").waitFor();
      assert.ok(await layoutShift(page) < 0.1);
      await look(page, "journey-slow");
      assert.deepEqual([...doubles], []);

      await go(page, "#/stamp");
      await page.getByRole("heading", { level: 1, name: "Stamp" }).waitFor();
      const longest = await dropFiles(page, FILES);
      const cancel = page.getByRole("button", { name: /^Cancel [\d,]+ not sent yet$/ });
      await cancel.waitFor();
      await page.getByText(/to send|to hash/).first().waitFor();
      await row(page, `${FILES - 1}.txt`).waitFor();
      const frozen = await longest();
      assert.ok(frozen < FROZEN_MS, `${frozen} ms without a frame`);
      await page.getByRole("button", { name: `Details`, exact: false }).first().click();
      await look(page, "journey-many");
      await cancel.click();
      await page.getByText(/[\d,]+ cancelled/).first().waitFor();
      await cancel.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Clear the list" }).click();
      assert.deepEqual(visit.faults, []);
    });

    // `frame_flows.ts` has a dark one.
    await t.step("a phone: nothing is wider than its window", async () => {
      await using visit = await browser.visit(site.url, { width: 390, height: 844 });
      const { page } = visit;
      const routes = ["explore", `proof/${hash}`, "stamp", "verify", "log", `certificate/${hash}`];
      for (const route of routes) {
        await go(page, `#/${route}`);
        await settled(page);
        await look(page, `journey-phone-${route.split("/")[0]}`);
      }
      await go(page, "#/stamp");
      await pasteHash(page, hash);
      await done(row(page, `Hash ${hash.slice(0, 8)}`), "Batched").waitFor();
      await look(page, "journey-phone-stamped");
      assert.deepEqual(visit.faults, []);
    });
  },
});
