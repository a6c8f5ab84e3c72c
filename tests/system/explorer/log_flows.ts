/**
 * Check the log: a log that grows, one that is forked, and all that is neither.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { run } from "../../scenarios/program.ts";
import type { Visit } from "./chromium.ts";
import { ForkingSite } from "./forking_site.ts";
import { glance, look, settled } from "./looks.ts";
import { OutageSite } from "./outage_site.ts";
import { saved } from "./saved_file.ts";
import type { Setting } from "./setting.ts";
import { pasteHash } from "./stamp_page.ts";
import { hashOf } from "./trial_site.ts";

/** The page's entries in local storage begin with this. */
const MEMORY = "countersign.head.";

const NO_HEAD = { type: "about:blank", title: "None", status: 404, detail: "None is published" };

/** The result of the last check. */
function result(page: Page): Locator {
  return page.getByRole("region", { name: "Last check" });
}

/** Waits until the page says `title` of the log. */
async function says(page: Page, title: string): Promise<void> {
  await result(page).getByText(title, { exact: true }).waitFor();
}

async function recheck(page: Page): Promise<void> {
  await result(page).getByRole("button", { name: "Check again" }).click();
}

/** What the page remembers of the log. */
async function remembered(visit: Visit): Promise<string | undefined> {
  const entries = Object.entries(await visit.stored());
  return entries.find(([key]) => key.startsWith(MEMORY))?.[1];
}

export function testLog(setting: Setting): void {
  setting.test("log: a growing log is consistent from the first visit on", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    const { page } = visit;
    await says(page, "First visit: this browser now remembers the tree head");
    await page.getByText("Not pinned", { exact: true }).waitFor();
    await glance(page, "log-first-visit");
    const first = await remembered(visit);
    assert.equal(JSON.parse(first!).sth.tree_head.tree_size, 12);
    await page.reload();
    await says(page, "The log has not changed since your last visit");
    await site.grow("honest");
    await recheck(page);
    await says(page, "The log grew since your last visit");
    await result(page).getByText("Checked just now").waitFor();
    await look(page, "log-grown");
    assert.equal(JSON.parse((await remembered(visit))!).sth.tree_head.tree_size, 13);
    visit.assertContained(site.url);
    assert.deepEqual(visit.sent, []);
  });

  setting.test("log: every page shows a fork, and the command line verifies the evidence", async () => {
    await using site = await ForkingSite.start();
    for (const isLonger of [false, true]) {
      site.show("honest");
      await using visit = await setting.browser.visit(`${site.url}/#/log`);
      const { page } = visit;
      await says(page, "First visit: this browser now remembers the tree head");
      const before = await remembered(visit);
      if (isLonger) await site.grow("fork");
      site.show("fork");
      await recheck(page);
      await says(page, "This log has two histories");
      assert.equal(await remembered(visit), before, "the remembered head stays");
      await look(page, `log-fork-${isLonger ? "longer" : "same-size"}`);

      const button = (name: string) => page.getByRole("button", { name });
      const { name, text } = await saved(page, button("Download the evidence"));
      await Deno.writeTextFile(`${site.folder}/${name}`, text);
      const command = await result(page).getByText(/^countersign log contradictions/).innerText();
      const [, ...args] = command.split(" ");
      const { code, stdout, stderr } = await run(args, { cwd: site.folder });
      assert.match(stdout, /^CONTRADICTION \(1 proved\)/, stderr);
      assert.equal(code, 1);

      await page.getByRole("link", { name: "Stamp" }).click();
      await page.getByRole("alert").getByText("This log has two histories").waitFor();
      await glance(page, "alarm-elsewhere");
      site.show("honest");
      await page.reload();
      await page.getByRole("alert").getByText("This browser has seen two histories of this log")
        .waitFor();
      await page.getByRole("link", { name: "See the finding" }).click();
      await page.getByRole("region", { name: "Stored evidence" }).waitFor();
      await look(page, "log-evidence-kept");
      assert.deepEqual(visit.faults, []);
    }
  });

  setting.test("log: a fork is shown on a dark phone", async () => {
    await using site = await ForkingSite.start();
    const options = { width: 360, height: 740, isDark: true };
    await using visit = await setting.browser.visit(`${site.url}/#/log`, options);
    await says(visit.page, "First visit: this browser now remembers the tree head");
    site.show("fork");
    await recheck(visit.page);
    await says(visit.page, "This log has two histories");
    await glance(visit.page, "log-fork-phone");
  });

  setting.test("log: other failures are not called forks, and keep the remembered head", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    const { page } = visit;
    await says(page, "First visit: this browser now remembers the tree head");
    const before = await remembered(visit);
    const head = "/v1/log/sth";
    const cases: readonly (readonly [state: string, title: string, show: () => void])[] = [
      [
        "outdated",
        "The gateway shows an older log than before",
        () => site.showInstead(head, "/v1/log/sth/8"),
      ],
      [
        "malformed",
        "The gateway gave no usable answer",
        () => site.showBut(head, () => Response.json({ tree_head: null })),
      ],
      [
        "busy",
        "The gateway gave no usable answer",
        () => site.showBut(head, () => new Response("busy", { status: 503 })),
      ],
      [
        "denied",
        "The gateway does not know the tree size that this browser remembers",
        () =>
          site.showBut(head, () =>
            Response.json({ ...NO_HEAD, code: "no_tree_head" }, {
              status: 404,
              headers: { "Content-Type": "application/problem+json" },
            })),
      ],
      [
        "unverified",
        "The tree head shown does not verify",
        () => site.showBut(head, async () => Response.json(await site.forgedHead())),
      ],
    ];
    for (const [state, title, show] of cases) {
      show();
      await recheck(page);
      // Two cases share a title: wait until the page shows the answer of this one.
      await settled(page);
      await says(page, title);
      await glance(page, `log-${state}`);
      assert.equal(await remembered(visit), before, title);
    }
    site.show("honest");
    await recheck(page);
    await says(page, "The log has not changed since your last visit");
  });

  setting.test("log: an outage has one message, and the log is checked after it", async () => {
    await using site = await OutageSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/stamp`);
    const { page } = visit;
    await settled(page);
    site.answerWith(/^\/v1/, () => new Response(null, { status: 502 }));
    await pasteHash(page, hashOf("stamped in an outage"));
    const banner = page.getByText("The gateway gave no usable answer", { exact: true });
    await banner.waitFor();
    await page.getByRole("link", { name: "Check the log" }).click();
    await recheck(page);
    await page.getByText("The log is checked when the gateway answers again.").waitFor();
    assert.equal(await banner.count(), 1);
    assert.equal(await page.getByText(/does not answer|Cannot check the log/).count(), 0);
    await glance(page, "log-outage");
    site.answerWith(/^$/, undefined);
    await banner.waitFor({ state: "detached" });
    await page.getByText(/^First visit|^The log is empty/).first().waitFor();
  });

  setting.test("log: an invalid consistency proof is not evidence of a fork", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    const { page } = visit;
    await says(page, "First visit: this browser now remembers the tree head");
    const before = await remembered(visit);
    await site.grow("honest");
    const path = "/v1/log/consistency";
    site.showBut(path, async () => {
      const { consistency_path, ...proof } = await site.consistency(12, 13);
      return Response.json({ ...proof, consistency_path: consistency_path.toReversed() });
    });
    await recheck(page);
    await page.getByRole("button", { name: "Download" }).or(page.getByText("no usable answer"))
      .first()
      .waitFor();
    assert.equal(await page.getByText("This log has two histories").count(), 0);
    assert.equal(await remembered(visit), before);
    await look(page, "log-unproven");
  });

  setting.test("log: forgetting takes a confirmation", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    const { page } = visit;
    await says(page, "First visit: this browser now remembers the tree head");
    await page.reload();
    await says(page, "The log has not changed since your last visit");
    await page.getByRole("button", { name: "Forget this log" }).click();
    await look(page, "log-forgetting");
    await page.getByRole("button", { name: "Keep it" }).click();
    assert.notEqual(await remembered(visit), undefined);
    await page.getByRole("button", { name: "Forget this log" }).click();
    await page.getByRole("button", { name: "Forget it" }).click();
    await says(page, "First visit: this browser now remembers the tree head");
  });

  setting.test("log: without storage the page still checks, and says so", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    const { page } = visit;
    await visit.runFirst(() => {
      Object.defineProperty(globalThis, "localStorage", {
        get: () => {
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
    await page.reload();
    await page.getByText(/does not let the page store anything: each visit/).waitFor();
    await glance(page, "log-blocked-storage");
    assert.deepEqual(visit.faults, []);
  });

  setting.test("log: two tabs share the remembered head", async () => {
    await using site = await ForkingSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/log`);
    await says(visit.page, "First visit: this browser now remembers the tree head");
    const other = await visit.context.newPage();
    await other.goto(`${site.url}/#/log`);
    await says(other, "The log has not changed since your last visit");
    site.show("fork");
    await recheck(other);
    await says(other, "This log has two histories");
    await visit.page.getByText("This log has two histories").or(
      visit.page.getByRole("region", { name: "Stored evidence" }),
    ).first().waitFor();
  });
}
