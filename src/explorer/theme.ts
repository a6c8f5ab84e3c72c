/**
 * Light or dark: the system's choice, unless the reader made another.
 *
 * @module
 */

import type { PageStorage } from "./browser_storage.ts";

export const THEMES = ["system", "light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

const STORED = "theme";

/** The theme that was chosen on an earlier visit. */
export function readTheme(storage: PageStorage): Theme {
  const stored = storage.read(STORED);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** Keeps the choice; it holds for this visit where nothing can be kept. */
export function storeTheme(storage: PageStorage, theme: Theme): void {
  if (theme === "system") storage.remove(STORED);
  else storage.write(STORED, theme);
}

/** Shows `root`, the document's element, in `theme`: the style sheet goes by its attribute. */
export function applyTheme(root: HTMLElement, theme: Theme): void {
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
}
