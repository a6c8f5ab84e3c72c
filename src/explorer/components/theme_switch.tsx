/**
 * The choice between the light, the dark and the system's theme.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { PageStorage } from "../browser_storage.ts";
import { useEffect } from "../effect.ts";
import { useServices } from "../services.ts";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

const NAMES: Readonly<Record<Theme, string>> = {
  system: "System theme",
  light: "Light theme",
  dark: "Dark theme",
};
const STORED = "theme";

/** Shows the page in the theme that was chosen on an earlier visit. */
export function applyStoredTheme(storage: PageStorage): void {
  applyTheme(readTheme(storage));
}

/** The choice lasts for this visit where the browser stores nothing. */
export function ThemeSwitch() {
  const { storage } = useServices();
  const [theme, setTheme] = useState<Theme>(() => readTheme(storage));
  useEffect(() => applyTheme(theme), [theme]);
  const choose = (event: Event) => {
    const chosen = THEMES[(event.target as HTMLSelectElement).selectedIndex] ?? "system";
    if (chosen === "system") storage.remove(STORED);
    else storage.write(STORED, chosen);
    setTheme(chosen);
  };
  return (
    <select class="theme-switch" aria-label="Theme" value={theme} onChange={choose}>
      {THEMES.map((name) => <option key={name} value={name}>{NAMES[name]}</option>)}
    </select>
  );
}

function readTheme(storage: PageStorage): Theme {
  const stored = storage.read(STORED);
  return THEMES.find((theme) => theme === stored) ?? "system";
}

/** The style sheet reads the attribute. */
function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === "system") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
}
