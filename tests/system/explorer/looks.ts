/**
 * What is wrong with a page as it is shown: what axe knows of, what is cut off, and what lies over
 * something else. A picture is kept where `EXPLORER_SCREENSHOTS` names a folder for it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { IS_LONG } from "../../long_runs.ts";

/** A fault that axe found, and where. */
interface AxeFinding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Requires of the state that `page` is in, called `name`, that nobody could complain of it. */
export async function look(page: Page, name: string): Promise<void> {
  await keepPicture(page, name);
  assert.deepEqual(await axeFindings(page), [], name);
  assert.deepEqual(await layoutFaults(page), [], name);
}

/** {@linkcode look}; short runs leave axe out, for states that differ little from one that they look at. */
export async function glance(page: Page, name: string): Promise<void> {
  if (IS_LONG) return await look(page, name);
  await keepPicture(page, name);
  assert.deepEqual(await layoutFaults(page), [], name);
}

/** Keeps a picture of `page` where the environment names a folder for it. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("EXPLORER_SCREENSHOTS");
  if (folder === undefined) return;
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** Waits until nothing on the page waits for an answer. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() =>
    // What is asked for is said by a mark that turns.
    document.querySelector(".spinner-mark") === null && document.querySelector("h1") !== null
  );
}

/** What axe finds, of all that it knows but what is experimental, as one line for each element. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The protocol evaluates what the page's own policy would not let a page run.
  const session = await page.context().newCDPSession(page);
  try {
    const loaded = await session.send("Runtime.evaluate", { expression: "typeof axe" });
    if (loaded.result.value === "undefined") {
      await session.send("Runtime.evaluate", { expression: axe.source });
    }
    const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
      expression: `axe.run(document, { resultTypes: ["violations"], preload: false })
        .then(({ violations }) => JSON.stringify(violations))`,
      awaitPromise: true,
    });
    assert.equal(exceptionDetails, undefined);
    return (JSON.parse(result.value) as AxeFinding[]).flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`)
    );
  } finally {
    await session.detach();
  }
}

/** What is wider than the window, and which words or controls lie over one another. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate(findLayoutFaults);
}

/** Runs in the page. Everything that it uses has to stand inside it. */
function findLayoutFaults(): string[] {
  const faults: string[] = [];
  // A phone shows all of a page that is too wide, and calls that its inner width.
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push(`the page is ${scrollWidth} of ${clientWidth} wide`);

  interface Box {
    readonly name: string;
    readonly node: Node;
    readonly rect: DOMRect;
  }
  const nameOf = (node: Node) => `"${node.textContent?.trim().slice(0, 40)}"`;
  /** The part of `rect` that no ancestor cuts off. */
  const visiblePart = (element: Element, rect: DOMRect): DOMRect | undefined => {
    // What is folded away has a place all the same.
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    let { left, top, right, bottom } = rect;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.clipPath !== "none" || style.clip !== "auto") return undefined;
      if (at === element && style.display === "inline") continue;
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const bounds = at.getBoundingClientRect();
      left = Math.max(left, bounds.left);
      top = Math.max(top, bounds.top);
      right = Math.min(right, bounds.right);
      bottom = Math.min(bottom, bounds.bottom);
    }
    return right - left > 1 && bottom - top > 1
      ? new DOMRect(left, top, right - left, bottom - top)
      : undefined;
  };
  const boxes: Box[] = [];
  const add = (node: Node, element: Element, rect: DOMRect) => {
    const shown = visiblePart(element, rect);
    if (shown !== undefined) boxes.push({ name: nameOf(node), node, rect: shown });
  };
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const element = node.parentElement!;
    if (node.textContent!.trim() === "" || element.closest("svg, script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) add(node, element, rect);
  }
  for (const control of document.querySelectorAll("button, input, select, textarea, summary")) {
    add(control, control, control.getBoundingClientRect());
  }
  const fixed = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement!;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(at).position)) return true;
    }
    return false;
  };
  for (const [i, one] of boxes.entries()) {
    for (const other of boxes.slice(i + 1)) {
      const width = Math.min(one.rect.right, other.rect.right) -
        Math.max(one.rect.left, other.rect.left);
      const height = Math.min(one.rect.bottom, other.rect.bottom) -
        Math.max(one.rect.top, other.rect.top);
      // Lines of text overlap by their leading, which no ink is in.
      const least = Math.min(one.rect.height, other.rect.height);
      if (width <= 2 || height <= least / 3) continue;
      if (one.node.contains(other.node) || other.node.contains(one.node)) continue;
      if (fixed(one.node) === fixed(other.node)) faults.push(`${one.name} lies over ${other.name}`);
    }
  }
  return faults;
}
