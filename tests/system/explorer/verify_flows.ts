/**
 * Verify: proofs of every kind against what the reader trusts, and nothing else.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { Visit } from "./chromium.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { look, settled } from "./looks.ts";
import type { Setting } from "./setting.ts";

/** The file control of the zone that says `label`. */
function zone(page: Page, label: string | RegExp): Locator {
  return page.getByLabel(label);
}

const HOME = "Supply the network's configuration";
const PEERS = "Supply configurations of peers";
const PROOF = /^Choose (a|another) proof/;
const CONTENT = "Compare with the file itself";

/** Waits until the verdict's first line is `title`. */
async function verdict(page: Page, title: string): Promise<void> {
  await page.getByRole("main").getByText(title, { exact: true }).first().waitFor();
  await settled(page);
}

/** What became of a layer. */
function layer(page: Page, name: string): Locator {
  return page.getByRole("region", { name: "Layers" }).getByRole("listitem").filter({
    hasText: name,
  });
}

/** Nothing of a proof or a file leaves the page. */
function assertKept(visit: Visit, url: string): void {
  assert.deepEqual(visit.sent, []);
  visit.assertContained(url);
}

export function testVerify(setting: Setting): void {
  setting.test("verify: a federated proof holds with its content, its network and its peers", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await settled(page);
    await look(page, "verify-first-visit");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await page.getByText("The proof is read, and not verified yet").waitFor();
    await look(page, "verify-no-pin");
    await zone(page, HOME).setInputFiles(exhibits.home);
    await verdict(page, "VALID: Batched");
    await look(page, "verify-batched");
    await zone(page, PEERS).setInputFiles([...exhibits.peers]);
    await verdict(page, "VALID: Federated");
    await zone(page, CONTENT).setInputFiles(exhibits.content);
    await page.getByText("report.txt is exactly what was attested.").waitFor();
    for (const name of ["Attestation", "Batch", "Cross-anchor of peer.example/alpha"]) {
      await layer(page, name).getByText("Verified", { exact: true }).waitFor();
    }
    await layer(page, "External anchors").getByText(/^Present, not independently verified/)
      .waitFor();
    const witnesses = page.getByRole("table", { name: "Witnesses and what they signed" });
    assert.equal(await witnesses.getByText("Verified").count(), 4, "two witnesses, twice each");
    assert.equal(await witnesses.getByText("Did not sign").count(), 2);
    const picture = page.getByRole("img", { name: /^Leaf 7 of the log of 12 leaves: / });
    await picture.waitFor();
    await page.getByText("The path as text").first().click();
    await look(page, "verify-federated");
    await walkByKeyboard(page);
    assertKept(visit, site.url);

    await page.reload();
    await page.getByText("Your file home.public.json").first().waitFor();
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, "VALID: Federated");
    await page.getByRole("button", { name: "Forget peer.example/alpha" }).click();
    await verdict(page, "VALID: Batched");
  });

  setting.test("verify: changed content, forged and damaged proofs are told apart", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.home);
    await zone(page, PROOF).setInputFiles(exhibits.forged);
    await verdict(page, "INVALID");
    await layer(page, "Attestation").getByText("Failed").waitFor();
    await look(page, "verify-forged");
    await zone(page, PROOF).setInputFiles(exhibits.misplaced);
    await verdict(page, "VALID: Basic");
    await layer(page, "Batch").getByText("Failed").waitFor();
    await look(page, "verify-misplaced");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, "VALID: Batched");
    await zone(page, CONTENT).setInputFiles(exhibits.changed);
    await verdict(page, "INVALID");
    await page.getByText("changed.txt is not what was attested: its hash is another.").waitFor();
    await look(page, "verify-changed-content");
    await page.getByRole("button", { name: "Remove changed.txt" }).click();
    await verdict(page, "VALID: Batched");
    assertKept(visit, site.url);
  });

  setting.test("verify: other keys of the same name hold nothing, and take no pin's place unasked", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.twin);
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, "INVALID");
    await look(page, "verify-other-keys");
    await zone(page, "Supply another configuration").setInputFiles(exhibits.home);
    await page.getByText(/has another configuration of net.example\/home than the pinned one/)
      .waitFor();
    await look(page, "verify-replace-pin");
    await page.getByRole("button", { name: "Keep the old one" }).click();
    await verdict(page, "INVALID");
    await zone(page, "Supply another configuration").setInputFiles(exhibits.home);
    await page.getByRole("button", { name: "Replace the pin" }).click();
    await verdict(page, "VALID: Batched");
    assertKept(visit, site.url);
  });

  setting.test("verify: an aggregated proof, and a proof of another network than the pinned one", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify", { width: 360, height: 740, isDark: true });
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.aggregating);
    await zone(page, PROOF).setInputFiles(exhibits.aggregated);
    await verdict(page, "VALID: Batched");
    await look(page, "verify-bls-phone");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, "INVALID");
    await page.getByText(/^The proof is of net\.example\/home, and what you pinned is/).waitFor();
    await look(page, "verify-other-network-phone");
    assertKept(visit, site.url);
  });

  setting.test("verify: what is no proof, and no configuration, is called by its name", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    for (
      const [path, words] of [
        [exhibits.otherJson, "A proof is a file such as NAME.countersign.json"],
        [exhibits.noJson, "A proof is a file such as NAME.countersign.json"],
        [exhibits.home, "It is a network's configuration."],
      ] as const
    ) {
      await zone(page, PROOF).setInputFiles(path);
      await page.getByText(words).waitFor();
    }
    await look(page, "verify-wrong-file");
    for (const path of [exhibits.noJson, exhibits.federated]) {
      await zone(page, HOME).setInputFiles(path);
      await page.getByText("This is not a network's configuration").waitFor();
      await look(page, "verify-wrong-configuration");
      await page.reload();
    }
    const damaged = (await Deno.readTextFile(exhibits.federated)).replace('"round":', '"rounds":');
    await zone(page, PROOF).setInputFiles(await site.write("damaged.countersign.json", damaged));
    await page.getByText("damaged.countersign.json cannot be verified").waitFor();
    await look(page, "verify-damaged");
    assertKept(visit, site.url);
  });

  setting.test("verify: the gateway is trusted for its keys by choice alone, and it shows", async () => {
    const { site } = setting;
    const [hash] = await site.publish("verified by word of the gateway");
    await using visit = await setting.visit(`#/verify/${hash}`);
    const { page } = visit;
    await page.getByText("The proof is read, and not verified yet").waitFor();
    await page.getByRole("button", { name: "I have none: ask this gateway" }).click();
    await page.getByText("You would trust the gateway for its own keys").waitFor();
    await look(page, "verify-gateway-choice");
    await page.getByRole("button", { name: "Trust the gateway for it" }).click();
    await verdict(page, "VALID: Batched");
    await page.getByText("The gateway was trusted for the configuration", { exact: true })
      .waitFor();
    await look(page, "verify-gateway-trusted");
    assertKept(visit, site.url);
    await page.getByRole("button", { name: "Forget what is pinned" }).click();
    await page.getByText("The proof is read, and not verified yet").waitFor();
  });

  setting.test("verify: a pin of another network is no alarm about this gateway's log", async () => {
    const { exhibits } = setting;
    await setting.site.publish("so that there is a log");
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.home);
    await page.getByText("Your file home.public.json").first().waitFor();
    await page.getByRole("link", { name: "Check the log" }).click();
    await page.getByText("What you pinned is of another network").waitFor();
    await look(page, "log-other-network");
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await page.getByText("Your pin is of another network").waitFor();
    await settled(page);
    await look(page, "explore-other-network");
    assert.equal(await page.getByRole("alert").count(), 0);
  });
}
