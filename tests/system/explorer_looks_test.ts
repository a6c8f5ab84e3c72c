/**
 * What the tests of the explorer would notice: pages that are wrong on purpose.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Chromium, type Visit, type VisitOptions } from "./explorer/chromium.ts";
import { FrontServer } from "./explorer/front_server.ts";
import { axeFindings, layoutFaults, look } from "./explorer/looks.ts";

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'";

function pageWith(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>A page</title>
    <body><main><h1>A page</h1>${body}</main></body></html>`;
}

/** Shows `body` to `use`, from a server of nothing else. */
async function withPage(
  body: string,
  use: (visit: Visit, url: string) => Promise<void>,
  options: VisitOptions = {},
): Promise<void> {
  await using server = new FrontServer(() =>
    new Response(pageWith(body), {
      headers: { "Content-Type": "text/html", "Content-Security-Policy": POLICY },
    })
  );
  await using browser = await Chromium.start();
  await using visit = await browser.visit(server.url, options);
  await use(visit, server.url);
}

Deno.test("look() accepts a correct page", async () => {
  await withPage(
    `<p>Some words, of which <code>some</code> are <b>set apart</b>.</p>
     <table><caption>Names</caption><tr><th scope="row">a</th><td>1</td></tr></table>
     <label>A name <input></label> <button>Send</button>`,
    async (visit, url) => {
      await look(visit.page, "well made");
      visit.assertContained(url);
    },
  );
});

Deno.test("look() reports every fault of a page", async () => {
  await withPage(
    `<input style="width: 900px"><p style="color: #ccc">Faint</p>
     <p style="margin: 0">Under this</p><p style="margin: -1em 0 0">Over that</p>
     <p style="position: absolute; clip-path: inset(50%)">Hidden from sight</p>
     <script>1</script><img src="http://127.0.0.1:1/other.png" alt="Another's">`,
    async (visit, url) => {
      const rules = (await axeFindings(visit.page)).map((finding) => finding.split(":")[0]);
      assert.deepEqual(rules.toSorted(), ["color-contrast", "label"]);
      const [width, ...over] = await layoutFaults(visit.page);
      assert.match(width!, /^the page is 9\d\d of 360 wide$/);
      assert.deepEqual(over, ['"Under this" lies over "Over that"']);
      assert.equal(visit.faults.length, 2, visit.faults.join("\n"));
      assert.throws(() => visit.assertContained(url));
    },
    { width: 360 },
  );
});

Deno.test("Chromium.memoryBytes() counts the memory of a page", async () => {
  const bytes = 64 * 1024 ** 2;
  await using server = new FrontServer(() => new Response(pageWith("")));
  await using browser = await Chromium.start();
  await using visit = await browser.visit(server.url);
  const before = await browser.memoryBytes();
  await visit.page.evaluate((size) => {
    Object.assign(globalThis, { taken: new Uint8Array(size).fill(1) });
  }, bytes);
  assert.ok(await browser.memoryBytes() - before > bytes / 2);
});
