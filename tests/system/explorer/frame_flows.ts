/**
 * What every page has: its policy, its size, navigation, themes and the keyboard.
 *
 * @module
 */

import assert from "node:assert/strict";
import { PrefixProxy } from "../../scenarios/prefix_proxy.ts";
import type { VisitOptions } from "./chromium.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { glance, look, settled } from "./looks.ts";
import type { Setting } from "./setting.ts";

/** Bytes that the page may take on its way, without modules of WebAssembly. */
const MAX_BYTES = 150_000;

/** Titles of the pages of the first rank, by their routes. */
const PAGES = {
  "#/stamp": "Stamp",
  "#/verify": "Verify",
  "#/explore": "Explore",
  "#/log": "Check the log",
} as const;

/** The ways in which every page is looked at. */
const WINDOWS: Readonly<Record<string, VisitOptions>> = {
  desktop: {},
  dark: { isDark: true },
  phone: { width: 360, height: 740 },
  // 1280 pixels of the screen, twice as large.
  zoomed: { width: 640, height: 400, deviceScaleFactor: 2 },
};

export function testFrame(setting: Setting): void {
  setting.test("the page loads only from its site, under its policy, below 150 kB", async () => {
    await using visit = await setting.visit("", { hasEmptyCache: true });
    const { page } = visit;
    for (const title of Object.values(PAGES)) {
      await page.getByRole("navigation").getByRole("link", { name: title }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await settled(page);
    }
    visit.assertContained(setting.site.url);
    assert.deepEqual(visit.sent, []);
    const response = await fetch(setting.site.url);
    await response.body?.cancel();
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    assert.match(policy, /^default-src 'none'; /);
    assert.doesNotMatch(policy, /'unsafe-|\*|https?:/);
    const bytes = await visit.transferredBytes();
    assert.ok(bytes > 10_000 && bytes < MAX_BYTES, `${bytes} bytes`);
  });

  for (const [name, options] of Object.entries(WINDOWS)) {
    setting.test(`every page is in order, ${name}`, async () => {
      await using visit = await setting.visit("", options);
      // The other windows have the names and colours of the first.
      const see = name === "desktop" || options.isDark ? look : glance;
      for (const [route, title] of Object.entries(PAGES)) {
        await visit.page.evaluate((hash) => void (location.hash = hash), route);
        await visit.page.getByRole("heading", { level: 1, name: title }).waitFor();
        await settled(visit.page);
        await see(visit.page, `${route.slice(2)}-${name}`);
      }
      assert.deepEqual(visit.faults, []);
    });
  }

  setting.test("Tab reaches every control in order, with a visible focus", async () => {
    for (const [route, title] of Object.entries(PAGES)) {
      await using visit = await setting.visit(route);
      const { page } = visit;
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await settled(page);
      const names = await walkByKeyboard(page);
      assert.equal(names[0], "Skip to content");
      assert.ok(names.length > Object.keys(PAGES).length, title);
    }
  });

  setting.test("the page works behind a proxy that serves the gateway below a path", async () => {
    await using proxy = new PrefixProxy(setting.site.url);
    await using visit = await setting.browser.visit(proxy.url);
    const { page } = visit;
    for (const title of Object.values(PAGES)) {
      await page.getByRole("navigation").getByRole("link", { name: title }).click();
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      await settled(page);
    }
    visit.assertContained(proxy.url);
    assert.deepEqual(visit.requests.filter(({ url }) => !url.href.startsWith(proxy.url)), []);
  });

  setting.test("navigation by keyboard moves the focus to the new page", async () => {
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const link = page.getByRole("navigation").getByRole("link", { name: "Check the log" });
    await link.focus();
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { level: 1, name: "Check the log" });
    await heading.waitFor();
    assert.ok(await heading.evaluate((element) => element === document.activeElement));
    assert.equal(await link.getAttribute("aria-current"), "page");
    assert.match(await page.title(), /^Check the log/);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Stamp" }).waitFor();
    await page.getByRole("button", { name: "Skip to content" }).focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "MAIN");
  });

  setting.test("a page that is left before its first frame does not come back", async () => {
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    // Frames as a busy machine draws them.
    await visit.runFirst(() => {
      const later = (draw: FrameRequestCallback) => setTimeout(() => draw(performance.now()), 300);
      Object.assign(globalThis, {
        requestAnimationFrame: later,
        cancelAnimationFrame: clearTimeout,
      });
    });
    await page.reload();
    await settled(page);
    for (const [left, title] of [["#/explore", "Verify"], ["#/log", "Explore"]] as const) {
      // At once: a click of the pointer waits for frames, and one from here for what is drawn meanwhile.
      await page.evaluate(async ([left, title]) => {
        const came = new Promise((resolve) => addEventListener("hashchange", resolve));
        location.hash = left;
        await came;
        const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")];
        links.find(({ innerText }) => innerText.trim() === title)!.click();
      }, [left, title] as const);
      await page.getByRole("heading", { level: 1, name: title }).waitFor();
      // Until the answers came that the page would draw.
      await page.waitForTimeout(1_500);
      assert.deepEqual(await page.getByRole("heading", { level: 1 }).allInnerTexts(), [title]);
    }
    assert.deepEqual(visit.faults, []);
  });

  setting.test("the chosen theme is stored", async () => {
    await using visit = await setting.visit("#/stamp");
    const { page } = visit;
    const ground = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const isGround = (colour: string) =>
      page.waitForFunction(
        (wanted) => getComputedStyle(document.documentElement).backgroundColor === wanted,
        colour,
      );
    const light = await ground();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(
      (other) => getComputedStyle(document.documentElement).backgroundColor !== other,
      light,
    );
    const dark = await ground();
    await page.getByLabel("Theme").selectOption("Light theme");
    await isGround(light);
    await page.reload();
    await isGround(light);
    await page.getByLabel("Theme").selectOption("Dark theme");
    await isGround(dark);
    await page.emulateMedia({ colorScheme: "light" });
    await page.waitForFunction(() => matchMedia("(prefers-color-scheme: light)").matches);
    assert.equal(await ground(), dark);
    await page.getByLabel("Theme").selectOption("System theme");
    await isGround(light);
  });

  setting.test("an unknown address shows No such page", async () => {
    for (const route of ["#/none", "#/explore/batch/01", "#/proof/xyz", "#stamp"]) {
      await using visit = await setting.visit(route);
      await visit.page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
      await (route === "#/none" ? look : glance)(visit.page, "no-such-page");
    }
  });
}
