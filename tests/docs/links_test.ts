/**
 * Links of the documents: files and headings that are linked to exist, and everything in `docs/` is
 * reached from README.md.
 *
 * @module
 */

import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** Paths of all Markdown files in the root, in `wasm/` and in `docs/` with its folders. */
async function documents(): Promise<string[]> {
  const found: string[] = [];
  const collect = async (folder: string, isDeep: boolean) => {
    for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
      if (isDirectory && isDeep) await collect(`${folder}${name}/`, isDeep);
      else if (name.endsWith(".md")) found.push(`${folder}${name}`);
    }
  };
  await collect("./", false);
  await collect("wasm/", false);
  await collect("docs/", true);
  return found.map((path) => path.replace(/^\.\//, "")).toSorted();
}

/** Text without code, in which nothing is a link or a heading. */
function proseOf(text: string): string {
  return text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "code");
}

/** The fragments of a document's headings, as GitHub makes them. */
function fragmentsOf(text: string): Set<string> {
  const counts = new Map<string, number>();
  const headings = text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading]) => {
    const slug = heading!.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "").replaceAll(
      /\s/g,
      "-",
    );
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  }));
}

/** Targets of links that lead nowhere; `read` answers what a path of the project holds. */
async function brokenLinks(
  path: string,
  text: string,
  read: (url: URL) => Promise<string | undefined>,
): Promise<string[]> {
  const broken: string[] = [];
  for (const [, target] of proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(target!)) continue;
    const url = new URL(target!, new URL(path, ROOT));
    const held = url.pathname === new URL(path, ROOT).pathname ? text : await read(url);
    const fragment = decodeURIComponent(url.hash.slice(1));
    const isThere = held !== undefined && (fragment === "" || fragmentsOf(held).has(fragment));
    if (!isThere) broken.push(`${path}: ${target}`);
  }
  return broken;
}

/** What stands at `url`; a folder holds nothing. */
async function readProject(url: URL): Promise<string | undefined> {
  const file = new URL(url);
  file.hash = "";
  try {
    return (await Deno.stat(file)).isDirectory ? "" : await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test("every link in the documents has a target", async () => {
  for (const path of await documents()) {
    const text = await Deno.readTextFile(new URL(path, ROOT));
    assert.deepEqual(await brokenLinks(path, text, readProject), []);
  }
});

Deno.test("README.md links every document of docs/, and README.md of a folder its own", async () => {
  for (const path of await documents()) {
    const [, folder, name] = /^docs\/(.*\/)?(.*)$/.exec(path) ?? [];
    if (name === undefined) continue;
    const isIndexed = folder !== undefined && name !== "README.md";
    const index = isIndexed ? `docs/${folder}README.md` : "README.md";
    const link = isIndexed ? name : path;
    const text = await Deno.readTextFile(new URL(index, ROOT));
    assert.ok(text.includes(`](${link})`), `${index} links ${path}`);
  }
});

Deno.test("a broken link is detected", async () => {
  const text =
    "# One two\n[a](none.md) [b](#one-two) [c](#three) [d](docs/) `[e](x)` [f](https://a)";
  const broken = await brokenLinks("README.md", text, readProject);
  assert.deepEqual(broken, ["README.md: none.md", "README.md: #three"]);
});
