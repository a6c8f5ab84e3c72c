/**
 * Counts what a module of the program imports, directly or not: the code that an auditor of it reads.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

const ROOT = new URL("../", import.meta.url);

interface ModuleGraph {
  readonly modules: readonly {
    readonly specifier: string;
    readonly dependencies?: readonly {
      readonly code?: { readonly specifier: string };
      readonly type?: { readonly specifier: string };
    }[];
  }[];
}

/** The modules that an entry imports. Paths are relative to the project. */
export interface Closure {
  /** Files of the program whose code runs. */
  readonly files: readonly string[];
  /** These, and files from which only types are imported. */
  readonly filesWithTypes: readonly string[];
  /** Specifiers of packages. */
  readonly packages: readonly string[];
}

/** The closure of the file `entry`. */
export async function closureOf(entry: string): Promise<Closure> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", "--config", "deno.json", entry],
    cwd: fileURLToPath(ROOT),
    stderr: "inherit",
  }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as ModuleGraph;
  const found = new Set<string>([new URL(entry, ROOT).href]);
  const codeOf = new Map(modules.map(({ specifier, dependencies = [] }) => [
    specifier,
    dependencies.flatMap(({ code }) => code === undefined ? [] : [code.specifier]),
  ]));
  // A set also iterates over what is added meanwhile.
  for (const specifier of found) {
    for (const imported of codeOf.get(specifier) ?? []) found.add(imported);
  }
  const all = modules.map(({ specifier }) => specifier);
  const isOwn = (specifier: string) => specifier.startsWith(ROOT.href);
  const pathOf = (specifier: string) => specifier.slice(ROOT.href.length);
  return {
    files: [...found].filter(isOwn).map(pathOf),
    filesWithTypes: all.filter(isOwn).map(pathOf),
    packages: all.filter((specifier) => !isOwn(specifier)),
  };
}

/** Lines of code in `files`; those of other files than TypeScript do not count. */
export async function linesOf(files: readonly string[]): Promise<number> {
  let lines = 0;
  for (const file of files.filter((path) => /\.tsx?$/.test(path))) {
    lines += codeLines(await Deno.readTextFile(new URL(file, ROOT)));
  }
  return lines;
}

/** Lines of `source` that are neither blank nor comment. */
export function codeLines(source: string): number {
  let inComment = false;
  return source.split("\n").filter((line) => {
    const text = line.trim();
    if (inComment) {
      inComment = !text.includes("*/");
      return false;
    }
    inComment = text.startsWith("/*") && !text.includes("*/");
    return text !== "" && !text.startsWith("//") && !text.startsWith("/*");
  }).length;
}
