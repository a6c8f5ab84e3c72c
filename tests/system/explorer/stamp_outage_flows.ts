/**
 * Stamp while something is gone: the gateway, its witnesses, or its will to answer.
 *
 * @module
 */

import assert from "node:assert/strict";
import { glance, look } from "./looks.ts";
import { OutageSite } from "./outage_site.ts";
import type { Setting } from "./setting.ts";
import { done, pasteHash, row } from "./stamp_page.ts";
import { hashOf, TrialSite } from "./trial_site.ts";

/** Milliseconds for what is asked again after pauses of up to 15 s. */
const RECOVERY_MS = 120_000;

export function testStampOutages(setting: Setting): void {
  setting.test("stamp: stamping continues after the gateway was down", async () => {
    await using site = await TrialSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/stamp`);
    const { page } = visit;
    await pasteHash(page, hashOf("before the loss"));
    const stamped = row(page, `Hash ${hashOf("before the loss").slice(0, 8)}`);
    await done(stamped, "Confirmed").waitFor();
    await site.kill();
    await pasteHash(page, hashOf("during the loss"));
    const waiting = row(page, `Hash ${hashOf("during the loss").slice(0, 8)}`);
    const alert = page.getByText("The gateway does not answer", { exact: true });
    await alert.waitFor();
    assert.equal(await alert.count(), 1);
    await look(page, "stamp-lost");
    await site.start();
    for (const one of [stamped, waiting]) {
      await done(one, "Batched").waitFor({ timeout: RECOVERY_MS });
    }
    await alert.waitFor({ state: "detached" });
    assert.deepEqual(visit.faults, []);
  });

  setting.test("stamp: silent witnesses and refusals are explained", async () => {
    await using site = await OutageSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/stamp`);
    const { page } = visit;
    site.takeDown(2);
    await pasteHash(page, hashOf("unsigned"));
    const unsigned = row(page, `Hash ${hashOf("unsigned").slice(0, 8)}`);
    await unsigned.getByText(/^Waiting for witnesses/).waitFor();
    await glance(page, "stamp-unsigned");
    site.takeDown(0);
    await done(unsigned, "Batched").waitFor({ timeout: RECOVERY_MS });

    for (
      const [code, status, title] of [
        ["overloaded", 503, "The gateway is busy"],
        ["internal", 500, "The gateway failed"],
        ["storage_failed", 503, "The gateway cannot write to its storage"],
      ] as const
    ) {
      site.answerWith(
        /^\/v1\/attestations(\/batch)?$/,
        () =>
          Response.json(
            { type: "about:blank", title: code, status, detail: `Says ${code}`, code },
            {
              status,
              headers: { "Content-Type": "application/problem+json" },
            },
          ),
      );
      await pasteHash(page, hashOf(code));
      const refused = row(page, `Hash ${hashOf(code).slice(0, 8)}`);
      await (code === "internal" ? refused : page).getByText(title).waitFor();
      await (code === "internal" ? refused : page).getByText(code, { exact: true }).waitFor();
    }
    await look(page, "stamp-refused");
    site.answerWith(/^$/, undefined);
    for (const code of ["overloaded", "internal", "storage_failed"]) {
      const refused = row(page, `Hash ${hashOf(code).slice(0, 8)}`);
      const again = refused.getByRole("button", { name: "Try again" });
      // In a list of four, the steps of a row are closed.
      const logged = refused.getByText("In the log", { exact: true });
      // Whichever row asked while the answer was 500 gave up.
      await again.or(logged).first().waitFor();
      if (await again.isVisible()) await again.click();
      await logged.waitFor();
    }
    assert.deepEqual(visit.faults, []);
  });
}
