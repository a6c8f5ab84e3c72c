/**
 * The choice between light, dark and what the system says.
 *
 * @module
 */

import { useEffect, useState } from "hono/jsx/dom";
import type { PageStorage } from "../browser_storage.ts";
import { applyTheme, readTheme, storeTheme, type Theme, THEMES } from "../theme.ts";

const NAMES: Readonly<Record<Theme, string>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};

/** A list to choose from, which works the same with pointer, keys and speech. */
export function ThemeSwitch({ storage }: { readonly storage: PageStorage }) {
  const [theme, setTheme] = useState<Theme>(() => readTheme(storage));
  useEffect(() => applyTheme(document.documentElement, theme), [theme]);
  const choose = (event: Event) => {
    const chosen = THEMES[(event.target as HTMLSelectElement).selectedIndex] ?? "system";
    storeTheme(storage, chosen);
    setTheme(chosen);
  };
  return (
    <select class="theme-switch" aria-label="Theme" value={theme} onChange={choose}>
      {THEMES.map((name) => <option key={name} value={name}>{NAMES[name]}</option>)}
    </select>
  );
}
