/**
 * Code blocks of the documents that tests run, between `<!-- run: NAME -->` and their end.
 *
 * @module
 */

import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);

/** The block `name` of `document`, a path from the root of the project. */
export async function markedBlock(document: string, name: string): Promise<string> {
  const marker = `<!-- run: ${name} -->`;
  const text = await Deno.readTextFile(new URL(document, ROOT));
  const [, code] = text.split(marker)[1]?.match(/^\s*```\w+\n([\s\S]*?)```/) ?? [];
  assert(code !== undefined, `${document} has ${marker} before a code block`);
  return code;
}

/** The names of all blocks of `document` that are run, in order. */
export async function markedNames(document: string): Promise<string[]> {
  const text = await Deno.readTextFile(new URL(document, ROOT));
  return [...text.matchAll(/<!-- run: (.+) -->/g)].map(([, name]) => name!);
}
