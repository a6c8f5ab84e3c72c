/**
 * `docs/protocol.md` held to the program: its headings, its error codes and its routes; and every
 * citation of it.
 *
 * @module
 */

import assert from "node:assert/strict";
import { ERROR_CODES } from "../../src/base/errors.ts";
import { gatewayOpenApi } from "../../src/http/gateway/gateway_app.ts";
import { STATUS } from "../../src/http/problem.ts";
import { ApiDocument } from "../http/api_document.ts";

const ROOT = new URL("../../", import.meta.url);
const PAGE = await Deno.readTextFile(new URL("docs/protocol.md", ROOT));

const HEADINGS = [
  "Encodings",
  "Configuration",
  "Routes",
  "Jobs",
  "Levels",
  "Command line",
  "Signed messages",
  "Succession",
  "Signature schemes",
  "Resources",
  "Errors",
  "Requests",
  "C2SP read interface",
  "Events",
  "Witness",
  "Admission",
  "Federation",
  "Limits",
];

/** The headings of a page, of second and third level. */
function headingsOf(page: string): string[] {
  return [...page.matchAll(/^###? (.+)$/gm)].map(([, heading]) => heading!);
}

/** The text of a section, without its heading. */
function sectionOf(page: string, heading: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`))!;
}

/** Headings that `text` cites as `<page> "A", "B"`; a citation may go on in the next line. */
function citationsOf(text: string, page: string): string[] {
  const flat = text.replaceAll(/\s+(?:(?:\*|\/\/|\/\/\/)\s+)?/g, " ");
  const cited = flat.matchAll(
    new RegExp(`${RegExp.escape(page)} ((?:"[^"]+"(?:,| and|) ?)+)`, "g"),
  );
  return [...cited].flatMap(([, list]) =>
    [...list!.matchAll(/"([^"]+)"/g)].map(([, name]) => name!)
  );
}

async function* filesBelow(folder: URL): AsyncGenerator<URL> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (name === "build" || name === "results") continue;
    const url = new URL(isDirectory ? `${name}/` : name, folder);
    if (isDirectory) yield* filesBelow(url);
    else if (/\.(?:tsx?|md)$/.test(name)) yield url;
  }
}

Deno.test("docs/protocol.md has its headings, in order", () => {
  const sections = [...PAGE.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  assert.deepEqual(sections, HEADINGS);
});

Deno.test("every citation of protocol.md and verification.md names a heading", async () => {
  const wrong: string[] = [];
  let count = 0;
  for (const page of ["protocol.md", "verification.md"]) {
    const known = headingsOf(await Deno.readTextFile(new URL(`docs/${page}`, ROOT)));
    for (const folder of ["src/", "tests/", "bench/", "docs/", "lint/"]) {
      for await (const file of filesBelow(new URL(folder, ROOT))) {
        for (const cited of citationsOf(await Deno.readTextFile(file), page)) {
          count++;
          if (!known.includes(cited)) {
            wrong.push(`${file.href.slice(ROOT.href.length)}: "${cited}"`);
          }
        }
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(count > 50, `${count} citations`);
  const broken = citationsOf(' * (protocol.md "Jobs",\n * "Nothing")', "protocol.md");
  assert.deepEqual(broken, ["Jobs", "Nothing"]);
});

Deno.test("the table of errors has every code with its status", () => {
  const section = sectionOf(PAGE, "Errors");
  const rows = [...section.matchAll(/^\| `(\w+)` +\| (\d{3}) +\|/gm)]
    .map(([, code, status]) => [code, Number(status)]);
  const isShown = (code: string) => rows.some(([shown]) => shown === code);
  const [, list = ""] = /command line and logs show them\.\n\n([\s\S]+)/.exec(section) ?? [];
  const others = [...list.matchAll(/`(\w+)`/g)].map(([, code]) => code!);
  // Every other failure is a 500 `internal`.
  const shown = ERROR_CODES.filter((code) => STATUS[code] !== 500 || code === "internal");
  assert.deepEqual(rows.toSorted(), shown.map((code) => [code, STATUS[code]]).toSorted());
  assert.deepEqual(others.toSorted(), ERROR_CODES.filter((code) => !isShown(code)).toSorted());
});

Deno.test("the client routes are those of the OpenAPI document", () => {
  const [clients] = sectionOf(PAGE, "Routes").split("Other routes");
  const documented = [...clients!.matchAll(/^\| `(GET|POST) (\S+)` +\|/gm)]
    .map(([, method, path]) => `${method} ${path}`);
  const { operations } = openApi();
  const routes = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  assert.deepEqual(documented.toSorted(), routes.toSorted());
});

Deno.test("the routes of the other listeners have a recorded exchange each", async () => {
  const [, others] = sectionOf(PAGE, "Routes").split("Other routes");
  const documented = [...others!.matchAll(/^\| (\w+) +\| `((?:GET|POST) \S+)` +\|/gm)];
  assert.ok(documented.length > 10);
  const titles: string[] = [];
  for (const name of ["services", "witness_ed25519"]) {
    const transcript = await Deno.readTextFile(new URL(`tests/http/wire/${name}.txt`, ROOT));
    titles.push(...[...transcript.matchAll(/^## (\w+ \S+)/gm)].map(([, title]) => title!));
  }
  const isRecorded = (route: string) => {
    const pattern = new RegExp(`^${route.replace(/\{\w+\}/, "[^/]+")}$`);
    return titles.some((title) => pattern.test(title));
  };
  const missing = documented.filter(([, , route]) => !isRecorded(route!));
  assert.deepEqual(missing.map(([, , route]) => route), []);
});

/** The document of a gateway with every route. */
function openApi(): ApiDocument {
  return new ApiDocument(JSON.stringify(gatewayOpenApi()));
}
