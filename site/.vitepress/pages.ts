/**
 * The pages of the site: the project's Markdown files, where they are.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";
import type { DefaultTheme } from "vitepress";

/** The project's folder. */
export const ROOT = new URL("../../", import.meta.url);

/** All pages by group, in reading order, without `.md`. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Start": [
    "README",
    "docs/install",
    "docs/quick_start",
    "docs/commands",
    "docs/client",
    "recipes/README",
  ],
  "Trust and verify": [
    "docs/trust_model",
    "docs/verify_by_hand",
    "docs/verification",
    "docs/vectors/README",
    "verifiers/README",
    "verifiers/python/README",
    "verifiers/go/README",
    "docs/comparison",
  ],
  "Operate": [
    "docs/operating",
    "docs/timestamping",
    "docs/scaling",
    "docs/configuration",
    "docs/limits",
    "docs/faults",
    "docs/monitor",
    "docs/signer",
    "docs/tokens",
    "docs/performance",
  ],
  "Reference": [
    "docs/protocol",
    "docs/examples",
    "docs/formats",
    "docs/anchor_provider",
    "docs/conformance",
  ],
  "Project": [
    "ARCHITECTURE",
    "CONTRIBUTING",
    "docs/messages",
    "CHANGELOG",
    "SECURITY",
    "wasm/README",
    ...documentsIn("bench/results/"),
  ],
  "Decisions": ["docs/decisions/README", ...documentsIn("docs/decisions/")],
};

/** All documents of a folder but its README, by name. */
function documentsIn(folder: string): string[] {
  return readdirSync(new URL(folder, ROOT))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `${folder}${name.slice(0, -".md".length)}`)
    .toSorted();
}

/** Paths of all pages in the project. */
export const PAGES: readonly string[] = Object.values(GROUPS).flat().map((page) => `${page}.md`);

/** The path of a page in the site: a folder's README is its index. */
export function sitePath(path: string): string {
  return path.replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The first heading of a page. */
function titleOf(path: string): string {
  const text = readFileSync(new URL(path, ROOT), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`${path} has no first heading; add a line "# Title"`);
  return title.replaceAll("`", "");
}

/** The groups as the list beside every page. */
export function sidebar(): DefaultTheme.SidebarItem[] {
  const groups = Object.entries(GROUPS).map(([text, pages]) => ({
    text,
    items: pages.map((page): DefaultTheme.SidebarItem => ({
      text: titleOf(`${page}.md`),
      link: `/${sitePath(`${page}.md`).replace(/(^|\/)index\.md$|\.md$/, "$1")}`,
    })),
  }));
  // Without a target the site's script would look for a page of this name.
  groups.find(({ text }) => text === "Reference")!.items
    .push({ text: "HTTP interface", link: "/reference/index.html", target: "_self" });
  return groups;
}
