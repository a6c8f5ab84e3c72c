/**
 * What Lighthouse audits, of a page that is open: its head, headings, links, sizes of text and of
 * touch targets, shifts of its layout, and the headers of what it loaded. Nothing depends on speed.
 *
 * @module
 */

import type { Page, Response as PageResponse } from "playwright-core";

/** Bodies that do not fit one packet, where compression saves a round trip. */
const COMPRESSED_BYTES = 1_400;
const TEXT_TYPE = /^(text\/|image\/svg|application\/(json|javascript|.*\+json))/;
/** A year, which is as good as for ever. */
const IMMUTABLE = /^public, max-age=31536000, immutable$/;
/** Lighthouse reports shifts from here on. */
const MAX_SHIFT = 0.1;

/** Opens `url` in `page` and answers its faults, a line for each. */
export async function auditFaults(page: Page, url: string, settle: () => Promise<void>) {
  await page.goto("about:blank");
  const responses: ReadResponse[] = [];
  // The browser drops a body when its page goes elsewhere.
  const listen = (response: PageResponse) => {
    const length = response.body().then((body) => body.length, () => 0);
    responses.push({ response, length });
  };
  page.on("response", listen);
  try {
    await page.goto(url);
    await settle();
    const faults = await page.evaluate(findPageFaults, { maxShift: MAX_SHIFT });
    for (const read of responses) faults.push(...await headerFaults(read));
    return faults;
  } finally {
    page.off("response", listen);
  }
}

interface ReadResponse {
  readonly response: PageResponse;
  /** Of the body in bytes; 0 if it cannot be read. */
  readonly length: Promise<number>;
}

async function headerFaults({ response, length }: ReadResponse): Promise<string[]> {
  const { pathname, protocol } = new URL(response.url());
  if (protocol !== "http:" || response.status() !== 200) return [];
  const headers = await response.allHeaders();
  const faults: string[] = [];
  const add = (fault: string) => faults.push(`${pathname}: ${fault}`);
  if (headers["x-content-type-options"] !== "nosniff") add("its type may be guessed");
  if (pathname.startsWith("/assets/")) {
    if (!IMMUTABLE.test(headers["cache-control"] ?? "")) add("it is not cached for ever");
  } else if (headers["cache-control"] === undefined) add("nothing says whether it may be cached");
  const isPage = !pathname.startsWith("/v1/");
  const isText = TEXT_TYPE.test(headers["content-type"] ?? "");
  if (isPage && isText && headers["content-encoding"] === undefined) {
    const bytes = await length;
    if (bytes > COMPRESSED_BYTES) add(`its ${bytes} bytes are not compressed`);
  }
  return faults;
}

/** Runs in the page. Everything that it uses has to stand inside it. */
async function findPageFaults({ maxShift }: { readonly maxShift: number }): Promise<string[]> {
  const faults: string[] = [];
  const contentOf = (name: string) =>
    document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? "";
  if (document.doctype === null) faults.push("the document has no doctype");
  if (document.documentElement.lang === "") faults.push("the document has no language");
  if (document.title.trim() === "") faults.push("the document has no title");
  if (document.characterSet !== "UTF-8") faults.push("the document is not UTF-8");
  if (!/width=device-width/.test(contentOf("viewport"))) faults.push("no viewport for phones");
  if (/user-scalable=no|maximum-scale/.test(contentOf("viewport"))) faults.push("no zoom");
  if (contentOf("description").length < 20) faults.push("the document has no description");

  const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter(isShown)
    .map((heading) => ({ level: Number(heading.tagName[1]), text: heading.textContent }));
  if (levels.filter(({ level }) => level === 1).length !== 1) faults.push("not one h1");
  for (const [i, { level, text }] of levels.entries()) {
    if (level > (levels[i - 1]?.level ?? 0) + 1) faults.push(`"${text}" skips a level of headings`);
  }
  for (const link of document.querySelectorAll("a[href]")) {
    const name = (link.getAttribute("aria-label") ?? link.textContent ?? "").trim();
    if (/^(|here|click here|more|link|this)$/i.test(name)) {
      faults.push(`the link to ${link.getAttribute("href")} is called "${name}"`);
    }
  }
  for (const image of document.querySelectorAll("img")) {
    if (!image.hasAttribute("alt")) faults.push(`${image.src} has no text`);
    if (!image.hasAttribute("width") || !image.hasAttribute("height")) {
      faults.push(`${image.src} has no size until it is loaded`);
    }
  }
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set<string>();
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const element = node.parentElement!;
    if (node.textContent!.trim() === "" || !isShown(element)) continue;
    if (element.closest("script, style, svg, noscript") !== null) continue;
    if (Number.parseFloat(getComputedStyle(element).fontSize) < 11) {
      small.add(node.textContent!.trim().slice(0, 40));
    }
  }
  if (small.size > 0) faults.push(`text below 11 pixels: ${[...small].join(", ")}`);

  // WCAG 2.5.8: 24 pixels, or as much room around the middle. Links within text are exempt.
  const isInText = (element: Element) =>
    [...element.parentElement!.childNodes].some(({ nodeType, textContent }) =>
      nodeType === Node.TEXT_NODE && textContent!.trim() !== ""
    );
  const targets = [
    ...document.querySelectorAll("a[href], button, input, select, summary, textarea"),
  ]
    .filter((element) => isShown(element) && !isInText(element))
    .filter((element) => element.getAttribute("tabindex") !== "-1")
    .filter((element) => getComputedStyle(element).clipPath === "none")
    .map((element) => ({
      element,
      box: (element.closest("label") ?? element).getBoundingClientRect(),
    }))
    .filter(({ box }) => box.width > 1 && box.height > 1);
  const middle = (
    { left, right, top, bottom }: DOMRect,
  ) => [(left + right) / 2, (top + bottom) / 2];
  for (const { element, box } of targets) {
    if (box.width >= 24 && box.height >= 24) continue;
    const [x, y] = middle(box) as [number, number];
    const near = targets.find((other) => {
      if (other.element === element || other.element.contains(element)) return false;
      const { left, right, top, bottom } = other.box;
      const dx = Math.max(left - x, x - right, 0);
      const dy = Math.max(top - y, y - bottom, 0);
      return Math.hypot(dx, dy) < 12;
    });
    if (near !== undefined) {
      faults.push(
        `"${element.textContent?.trim().slice(0, 40)}" of ${Math.round(box.width)} by ` +
          `${Math.round(box.height)} is too near to "${
            near.element.textContent?.trim().slice(0, 40)
          }"`,
      );
    }
  }

  interface Shift extends PerformanceEntry {
    readonly value: number;
    readonly hadRecentInput: boolean;
  }
  const shifts = await new Promise<readonly Shift[]>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries() as Shift[]));
    observer.observe({ type: "layout-shift", buffered: true });
    // No entry, no call.
    setTimeout(() => resolve([]), 100);
  });
  const shift = shifts.filter((entry) => !entry.hadRecentInput)
    .reduce((sum, { value }) => sum + value, 0);
  if (shift > maxShift) faults.push(`the layout shifts by ${shift.toFixed(3)}`);
  return faults;
}
