/**
 * A page without a pointer: what Tab reaches, in which order, and whether one sees where one is.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** More than any page has. */
const MAX_STOPS = 200;

/** Where Tab led. */
interface Stop {
  readonly name: string;
  /** Place among all that Tab can reach, in the order of the document. */
  readonly place: number;
  readonly isMarked: boolean;
  readonly isInView: boolean;
}

/**
 * Goes through the whole page by Tab, from its top. Requires that everything is reached in the order
 * of the document, that each stop is in view and marked, and that the end is left again. Answers the
 * names of the stops.
 */
export async function walkByKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    scrollTo(0, 0);
    // Where Tab goes on from is the start of the document once nothing in it is focused.
    const start = document.createElement("span");
    start.tabIndex = -1;
    document.body.prepend(start);
    start.focus();
    start.remove();
  });
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(describeFocus);
    if (stop === undefined) break;
    stops.push(stop);
    assert.ok(stops.length < MAX_STOPS, `Tab leads out again, after ${stop.name}`);
  }
  const count = await page.evaluate(countReachable);
  for (const stop of stops) {
    assert.ok(stop.isMarked, `the focus on ${stop.name} is seen`);
    assert.ok(stop.isInView, `${stop.name} is in view when it is focused`);
  }
  const places = stops.map(({ place }) => place);
  assert.deepEqual(
    places,
    Array.from({ length: count }, (_, i) => i),
    stops.map((s) => s.name).join(),
  );
  return stops.map(({ name }) => name);
}

/** Runs in the page. */
function describeFocus(): Stop | undefined {
  const element = document.activeElement;
  if (element === null || element === document.body) return undefined;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const isReachable = (one: HTMLElement) => {
    if (one.tabIndex < 0 || one.matches(":disabled, [inert] *")) return false;
    if (!one.checkVisibility({ visibilityProperty: true })) return false;
    if (!(one instanceof HTMLInputElement) || one.type !== "radio" || one.checked) return true;
    return one === element;
  };
  const all = [...document.querySelectorAll<HTMLElement>("*")].filter(isReachable);
  return {
    name: element.getAttribute("aria-label") ?? element.textContent?.trim() ?? "",
    place: all.indexOf(element as HTMLElement),
    isMarked: outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1,
    isInView: bottom > 0 && right > 0 && top < innerHeight && left < innerWidth,
  };
}

/** Runs in the page. */
function countReachable(): number {
  return [...document.querySelectorAll<HTMLElement>("*")].filter((one) =>
    one.tabIndex >= 0 && !one.matches(":disabled, [inert] *") &&
    one.checkVisibility({ visibilityProperty: true }) &&
    (!(one instanceof HTMLInputElement) || one.type !== "radio" || one.checked)
  ).length;
}
