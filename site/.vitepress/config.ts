/**
 * The documents as a site: `deno task site` builds it in `dist/site/`.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { copyLinkedFiles, fragmentOf, useSiteLinks } from "./links.ts";
import { searchRoles } from "./search_roles.ts";
import { PAGES, ROOT, sidebar, sitePath } from "./pages.ts";

const icon = readFileSync(new URL("src/explorer/icon.svg", ROOT), "base64");

export default defineConfig({
  srcDir: fileURLToPath(ROOT),
  rewrites: sitePath,
  title: "Countersign",
  description:
    "Proof that a file existed, unchanged, at a time: signed by independent witnesses, " +
    "logged in public, checked offline.",
  lang: "en",
  head: [["link", { rel: "icon", href: `data:image/svg+xml;base64,${icon}` }]],
  metaChunk: true,
  // One page after the other, so that equal documents give an equal search index.
  buildConcurrency: 1,
  markdown: {
    config: useSiteLinks,
    anchor: { slugify: fragmentOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: "local" },
  },
  vite: {
    plugins: [searchRoles, {
      // The pages are outside this folder, from which the build could not resolve Vue.
      name: "vue-of-the-site",
      enforce: "pre",
      resolveId: (id, _importer, { ssr }) =>
        ssr && /^vue(\/server-renderer)?$/.test(id) ? { id, external: true } : null,
    }],
  },
  buildEnd: ({ pages, outDir }) => {
    const ungrouped = pages.filter((page) => !PAGES.includes(page));
    if (ungrouped.length > 0) {
      throw new Error(`Add to a group in site/.vitepress/pages.ts: ${ungrouped.join(", ")}`);
    }
    copyLinkedFiles(outDir);
  },
});
