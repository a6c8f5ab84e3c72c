/**
 * The documents as a site, as `deno task site` builds it: its links, its search, and how it looks.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { Chromium, type Visit, type VisitOptions } from "./explorer/chromium.ts";
import { FrontServer } from "./explorer/front_server.ts";
import { axeFindings, keepPicture, layoutFaults, look } from "./explorer/looks.ts";
import { runTool } from "./tools.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The one page that is not made of a document. */
const REFERENCE = "reference/index.html";

const PHONE = { width: 360, height: 740 };

let folder: string;
let browser: Chromium;

Deno.test.beforeAll(async () => {
  folder = await Deno.makeTempDir();
  const { code, stderr } = await runTool(Deno.execPath(), ["task", "site", "--out", folder], {
    cwd: ROOT,
  });
  assert.equal(code, 0, stderr);
  browser = await Chromium.start();
});

Deno.test.afterAll(async () => {
  await browser?.[Symbol.asyncDispose]();
  await Deno.remove(folder, { recursive: true });
});

/** Registers a test. The connection to the browser has timers and reads that outlive each one. */
function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: `site: ${name}`, fn, sanitizeOps: false, sanitizeResources: false });
}

/** Answers as a host of static files does. */
async function answerFile(request: Request): Promise<Response> {
  const path = decodeURIComponent(new URL(request.url).pathname).replace(/\/$/, "/index.html");
  try {
    const file = await Deno.readFile(join(folder, path));
    const type = TYPES[/\.\w+$/.exec(path)?.[0] ?? ""] ?? "application/octet-stream";
    return new Response(file, { headers: { "Content-Type": type } });
  } catch {
    return new Response("Not found", { status: 404 });
  }
}

/** Paths of all pages of the site. */
async function pages(under = ""): Promise<string[]> {
  const found: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, under))) {
    if (isDirectory) found.push(...await pages(`${under}${name}/`));
    else if (name.endsWith(".html") && name !== "404.html") found.push(under + name);
  }
  return found;
}

/** Opens `path` of the site; requires afterwards that it asked no other host and threw nothing. */
async function visit(
  path: string,
  use: (page: Page, visit: Visit) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> {
  await using server = new FrontServer(answerFile);
  await using opened = await browser.visit(server.url + path, options);
  await opened.page.getByRole("heading", { level: 1 }).waitFor();
  await opened.page.waitForLoadState("networkidle");
  await use(opened.page, opened);
  opened.assertContained(server.url);
}

test("every link to the site has a target", async () => {
  const targets = new Map<string, Promise<Set<string> | undefined>>();
  /** The ids of the elements of the page at `path`; of any other file none. */
  const idsOf = async (path: string): Promise<Set<string> | undefined> => {
    const response = await answerFile(new Request(`http://site.invalid${path}`));
    if (!response.ok) return undefined;
    const text = await response.text();
    return new Set([...text.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!));
  };
  const broken: string[] = [];
  let count = 0;
  for (const page of await pages()) {
    const text = await Deno.readTextFile(join(folder, page));
    for (const [, href] of text.matchAll(/<(?:a|link|script|img)\s[^>]*?(?:href|src)="([^"]*)"/g)) {
      const url = new URL(href!.replaceAll("&amp;", "&"), `http://site.invalid/${page}`);
      if (url.host !== "site.invalid") continue;
      count++;
      if (!targets.has(url.pathname)) targets.set(url.pathname, idsOf(url.pathname));
      const ids = await targets.get(url.pathname);
      const isThere = ids?.has(decodeURIComponent(url.hash.slice(1))) || url.hash === "";
      if (ids === undefined || !isThere) broken.push(`${page}: ${href}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(count > 1_000, `${count} links were read`);
});

test("the reference shows every route and its schemas, under its content policy", async () => {
  await visit(`/${REFERENCE}`, async (page) => {
    const response = await page.request.get(new URL("openapi.json", page.url()).href);
    const { paths } = await response.json();
    for (const path of Object.keys(paths)) {
      await page.locator(`[data-path="${path}"]`).first().waitFor();
    }
    const submit = page.locator("#operations-attestations-submitAttestation");
    await submit.getByRole("button", { name: /Submit a hash/ }).click();
    await submit.getByText("Creates the job of a hash").waitFor();
    await submit.getByText("token_required").first().waitFor();
    // There is no gateway to ask.
    assert.equal(await page.getByRole("button", { name: /Try it out|Authorize/ }).count(), 0);
    const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
    assert.match(await policy.getAttribute("content") ?? "", /^default-src 'none'; /);
    await keepPicture(page, "site-reference");
  });
});

test("every document of the project is a page", async () => {
  const { stdout } = await runTool("git", ["ls-files", "*.md"], { cwd: ROOT });
  const documents = stdout.trim().split("\n")
    .map((path) => path.replace(/(^|\/)README\.md$/, "$1index.md").replace(/\.md$/, ".html"));
  assert.deepEqual((await pages()).toSorted(), [...documents, REFERENCE].toSorted());
});

test("search finds a section by keyboard alone", async () => {
  await visit("/", async (page) => {
    const dialog = page.getByRole("dialog");
    // Keys that are pressed before the page's script has run are lost.
    while (!await dialog.isVisible()) {
      await page.keyboard.press("Control+k");
      await dialog.waitFor({ timeout: 2_000 }).catch(() => {});
    }
    await dialog.locator("input:focus").waitFor();
    await page.keyboard.type("threshold");
    const results = dialog.getByRole("link");
    await results.first().waitFor();
    assert.ok(await results.count() > 5);
    // The dialog lies over the page.
    assert.deepEqual(await axeFindings(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== "/");
    await page.locator("main").getByText(/threshold/i).first().waitFor();
  });
});

test("pages are in order in light and dark, and on a phone", async () => {
  for (const path of ["/", "/docs/quick_start.html", "/docs/comparison.html"]) {
    const name = path.replaceAll(/\W+/g, "-");
    await visit(path, async (page) => {
      await look(page, `site-light-${name}`);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator("html.dark").waitFor({ state: "attached" });
      await look(page, `site-dark-${name}`);
    });
    await visit(path, (page) => look(page, `site-phone-${name}`), PHONE);
  }
});

test("no page is wider than its window", async () => {
  await visit("/", async (page) => {
    const faults: string[] = [];
    for (const path of await pages()) {
      await page.goto(new URL(path, page.url()).href);
      for (const width of [360, 1280]) {
        await page.setViewportSize({ ...PHONE, width });
        const isWider = await page.evaluate(() =>
          document.documentElement.scrollWidth > document.documentElement.clientWidth
        );
        if (isWider) faults.push(`${path} at ${width}`);
      }
    }
    assert.deepEqual(faults, []);
  }, PHONE);
});

test("a phone reaches every page by the menu", async () => {
  await visit("/", async (page) => {
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await page.getByRole("link", { name: "Trust model" }).click();
    await page.getByRole("heading", { level: 1, name: "Trust model" }).waitFor();
    assert.deepEqual(await layoutFaults(page), []);
  }, PHONE);
});

test("links lead to documents and to files of the project", async () => {
  await visit("/", async (page) => {
    await page.locator("main").getByRole("link", { name: "operating.md", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Operating a network" }).waitFor();
    const link = page.locator("main").getByRole("link", { name: "nginx.conf" }).first();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const file = await Deno.readTextFile(new URL("../../deploy/nginx.conf", import.meta.url));
    assert.equal(await Deno.readTextFile(await download.path()), file);
  });
});
