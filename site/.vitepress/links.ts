/**
 * The documents link one another as on a git host. The site keeps these links, because its pages
 * and files are where they are in the project.
 *
 * @module
 */

import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { MarkdownEnv, MarkdownRenderer } from "vitepress";
import { PAGES, ROOT } from "./pages.ts";

/** The fragment of a heading, as git hosts make it; a repeated one gets `-1`, `-2`, … */
export function fragmentOf(heading: string): string {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(/\s/g, "-");
}

/** Files that pages link and that are no pages; filled while the pages are rendered. */
const linkedFiles = new Set<string>();

/** Copies the linked files into the site, each to its path in the project. */
export function copyLinkedFiles(outDir: string): void {
  for (const path of linkedFiles) {
    const target = new URL(path, pathToFileURL(`${outDir}/`));
    mkdirSync(new URL("./", target), { recursive: true });
    copyFileSync(new URL(path, ROOT), target);
  }
}

/** Attributes of a link to `href` in the page at `page`; none for a folder that has no page. */
function siteLink(href: string, page: URL): [name: string, value: string][] {
  if (/^([a-z]+:|#)/.test(href)) return [["href", href]];
  const url = new URL(href, page);
  const path = url.pathname.slice(ROOT.pathname.length);
  if (PAGES.includes(path)) return [["href", href.replace(/\bREADME\.md/, "index.md")]];
  if (PAGES.includes(`${path.replace(/\/$/, "")}/README.md`)) return [["href", href]];
  if (statSync(url).isDirectory()) return [];
  linkedFiles.add(path);
  // Without a target the site's script would look for a page of this name.
  return [["href", href], ["target", "_self"]];
}

/** Makes each link one of the site while its page is parsed. */
export function useSiteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("site_links", ({ tokens, env }) => {
    const { realPath, path } = env as MarkdownEnv;
    const page = pathToFileURL(realPath ?? path);
    let isUnlinked = false;
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === "link_open") {
        token.attrs = siteLink(token.attrGet("href")!, page);
        isUnlinked = token.attrs.length === 0;
      }
      if (isUnlinked && token.type.startsWith("link_")) token.tag = "span";
    }
  });
}
