/**
 * Explore: the network, its log, batches, attestations and tiles, and what happens meanwhile.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { publicNetworkJson } from "../../../src/proof/format/public_network.ts";
import { threeEpochs, twoSuccessions } from "../../proof/verify/test_succession.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { glance, look, settled } from "./looks.ts";
import { OutageSite } from "./outage_site.ts";
import { saved } from "./saved_file.ts";
import type { Setting } from "./setting.ts";
import { hashOf, TrialSite } from "./trial_site.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** What the feed says of the batch that `hash` is in. */
async function batchName(site: TrialSite, hash: string): Promise<RegExp> {
  const { batch_id } = await site.json(`/v1/attestations/${hash}`);
  return new RegExp(`^Batch ${batch_id} closed`);
}

export function testExplore(setting: Setting): void {
  setting.test("explore: the cards show what the routes answer", async () => {
    const { site } = setting;
    await site.publish("explored 1");
    await site.publish("explored 2", "explored 3");
    const network = await site.json("/v1/network");
    await using visit = await setting.visit("#/explore");
    const { page } = visit;
    await region(page, "Network").getByText(network.id, { exact: true }).waitFor();
    await region(page, "Network").getByText("2 of 3 witnesses").waitFor();
    const { stdout } = await site.countersign("network");
    const fingerprint = /^fingerprint: ([0-9a-f]{64})$/m.exec(stdout)![1]!;
    const shown = await region(page, "Network").innerText();
    assert.ok(shown.replaceAll(/\s/g, "").includes(fingerprint), "as the command line prints it");
    const witnesses = page.getByRole("table", { name: "Witnesses" }).getByRole("row");
    for (const { id } of network.witnesses) {
      await witnesses.filter({ hasText: id }).getByText("Answers").waitFor();
    }
    const head = region(page, "Latest tree head");
    await head.getByText("attestations in the log").waitFor();
    const size = Number(await head.getByRole("link", { name: /^\d+$/ }).innerText());
    const { tree_head } = await site.json(`/v1/log/sth/${size}`);
    await head.getByTitle(tree_head.root_hash).waitFor();
    await head.getByText(/^(2 of 2 needed signatures|3 signatures, 2 needed)$/).waitFor();
    await page.getByRole("img").nth(1).waitFor();
    assert.equal(await page.getByRole("img").count(), 2, "two plots, each with a name");
    const batches = page.getByRole("table", { name: "Batches, latest first" });
    await batches.getByRole("link", { name: String(size), exact: true }).waitFor();
    await look(page, "explore");
    visit.assertContained(site.url);
    assert.deepEqual(visit.sent, []);
  });

  setting.test("explore: two successions of a peer are shown, and verified once it is pinned", async () => {
    const { site } = setting;
    const evidence = twoSuccessions();
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await page.route("**/v1/status", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...await response.json(), contradictions: 1 } });
    });
    await page.route("**/v1/federation/contradictions", (route) =>
      route.fulfill({
        json: [evidence],
        headers: { "cache-control": "no-store" },
      }));
    await page.goto(`${site.url}/#/explore`);
    const card = region(page, "Peers that contradict themselves");
    await card.getByText(`${evidence.origin}: not verified`).waitFor();
    const heads = card.getByRole("table", { name: "Tree heads of contradiction 1" }).getByRole(
      "row",
    );
    await heads.filter({ hasText: "Second" }).getByText(`${evidence.origin}/b`).waitFor();
    await look(page, "explore-two-successions");
    const button = card.getByRole("button", { name: "Download the evidence" });
    const { name, text } = await saved(page, button);
    assert.equal(name, "epochs.example.contradiction.json");
    assert.deepEqual(JSON.parse(text), evidence);

    const pin = (name: string, text: string) => ({
      text,
      source: "file",
      name,
      pinned_at: 1,
      chain: "[]",
    });
    const trust = {
      home: pin("network.json", await (await fetch(`${site.url}/v1/network`)).text()),
      peers: [pin("peer.json", publicNetworkJson(threeEpochs().epochs[0].configuration))],
    };
    await page.evaluate(
      (text: string) => localStorage.setItem("countersign.trust", text),
      JSON.stringify(trust),
    );
    await page.reload();
    await card.getByText(`${evidence.origin} signed two histories`).waitFor();
    await card.getByText("Its witnesses ended epoch 0 twice, with these heads.").waitFor();
    assert.deepEqual(visit.faults, []);
  });

  setting.test("explore: new batches, events and heads appear without a reload", async () => {
    // Of its own: what other flows publish would drive out what this one looks for.
    await using site = await TrialSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/explore`);
    const { page } = visit;
    const live = region(page, "Live");
    await live.getByText("Live", { exact: true }).nth(1).waitFor();
    const [hash] = await site.publish(`published meanwhile ${Math.random()}`);
    const { batch_id: size } = await site.json(`/v1/attestations/${hash}`);
    await live.getByText(new RegExp(`size ${size}\\b`)).first().waitFor();
    const head = region(page, "Latest tree head");
    await head.getByRole("link", { name: String(size), exact: true }).waitFor();
    await page.getByRole("table", { name: "Batches, latest first" })
      .getByRole("link", { name: String(size), exact: true }).waitFor();
    await glance(page, "explore-live");
    // The page opens another stream, which begins with what is published from then on.
    const opened = page.waitForResponse((response) =>
      response.url().includes("attestation.confirmed")
    );
    await page.getByLabel("Every attestation").check();
    await opened;
    const [other] = await site.publish(`published later ${Math.random()}`);
    const { batch_id: later } = await site.json(`/v1/attestations/${other}`);
    // After the events of this batch no line moves.
    await head.getByRole("link", { name: String(later), exact: true }).waitFor();
    await live.getByRole("link", { name: new RegExp(other!.slice(0, 8)) }).first().click();
    await page.getByRole("heading", { level: 1, name: "Proof" }).waitFor();
    assert.ok(page.url().endsWith(`#/proof/${other}`));
    assert.deepEqual(visit.faults, []);
  });

  setting.test("explore: an event under the pointer does not move", async () => {
    await using site = await TrialSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/explore`);
    const { page } = visit;
    const live = region(page, "Live");
    const head = region(page, "Latest tree head");
    const publish = async () => {
      const [hash] = await site.publish(`pointed at ${Math.random()}`);
      const { batch_id: size } = await site.json(`/v1/attestations/${hash}`);
      // The page has read the events of this batch.
      await head.getByRole("link", { name: String(size), exact: true }).waitFor();
      return Number(size);
    };
    await live.getByText("Live", { exact: true }).nth(1).waitFor();
    const first = await publish();
    const line = live.getByRole("link", { name: new RegExp(`size ${first} published`) });
    const fresh = live.getByRole("button", { name: /new$/ });
    await line.waitFor();

    // By keyboard: the focus holds the list, and the button lets the new lines in.
    await line.focus();
    // Other cards may move the whole one.
    const place = async () => (await line.boundingBox())!.y - (await live.boundingBox())!.y;
    const before = await place();
    const second = await publish();
    await fresh.waitFor();
    assert.equal(await place(), before);
    await look(page, "explore-held");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await live.getByRole("link", { name: new RegExp(`size ${second} published`) }).waitFor();
    assert.equal(await fresh.count(), 0);
    await page.getByRole("heading", { level: 1, name: "Explore" }).click();

    // By pointer: lines arrive between the press and the release.
    await line.hover();
    await page.mouse.down();
    await publish();
    await fresh.waitFor();
    await page.mouse.up();
    await page.getByRole("heading", { level: 1, name: `Batch ${first}` }).waitFor();
    assert.deepEqual(visit.faults, []);
  });

  setting.test("explore: a lost event stream resumes without gaps", async () => {
    await using site = await TrialSite.start();
    await site.publish("before the loss");
    await using visit = await setting.browser.visit(`${site.url}/#/explore`);
    const { page } = visit;
    const live = region(page, "Live");
    await live.getByText("Live", { exact: true }).nth(1).waitFor();
    const [seen] = await site.publish("seen live");
    await live.getByText(await batchName(site, seen!)).waitFor();
    await site.kill();
    await live.getByText("Connecting").waitFor();
    await glance(page, "explore-lost");
    await site.start();
    const [missed] = await site.publish("published while nobody listened");
    await live.getByText(await batchName(site, missed!)).waitFor();
    await live.getByText("Live", { exact: true }).nth(1).waitFor();
    assert.equal(await live.getByText(await batchName(site, seen!)).count(), 1, "nothing twice");
    assert.deepEqual(visit.faults, []);
  });

  setting.test("explore: links lead from a batch to a proof that verifies", async () => {
    const { site } = setting;
    const [hash] = await site.publish("in a batch", "beside it");
    const { batch_id } = await site.json(`/v1/attestations/${hash}`);
    await using visit = await setting.visit(`#/explore/batch/${batch_id}`);
    const { page } = visit;
    await page.getByRole("heading", { level: 1, name: /^Batch / }).waitFor();
    const signatures = page.getByRole("table", { name: "Signatures of the tree head" });
    await signatures.getByText("Valid").nth(1).waitFor();
    assert.ok(await signatures.getByText("Valid").count() <= 3);
    const entries = page.getByRole("table", { name: "Attestations in the order of the log" });
    await settled(page);
    await look(page, "batch");
    await walkByKeyboard(page);
    await entries.getByTitle(hash!).click();
    await page.getByText(/existed by .* it is in their log\.$/).waitFor();
    const card = region(page, "This proof");
    await card.getByTitle(hash!).dblclick();
    assert.equal(await page.evaluate(() => String(getSelection())), hash, "selected as one word");
    const { name, text } = await saved(
      page,
      page.getByRole("button", { name: "Download the proof" }),
    );
    await site.write(name, text);
    const { code, stdout } = await site.countersign(
      "verify-proof",
      "--bundle",
      name,
      "--hash",
      hash!,
      "--network-config",
      site.publicFile,
    );
    assert.equal(code, 0);
    assert.match(stdout, /^VALID \(Batched\)/);
    visit.assertContained(site.url);
  });

  setting.test("explore: the look-up takes hashes, numbers and files, and explains the rest", async () => {
    const { site } = setting;
    const text = `looked up ${Math.random()}`;
    const [hash] = await site.publish(text);
    const { batch_id, signed_attestation } = await site.json(`/v1/attestations/${hash}`);
    const { sequence } = signed_attestation.attestation;
    await using visit = await setting.visit("#/explore");
    const { page } = visit;
    const field = page.getByLabel("Look up", { exact: true });
    const found = page.getByText(/existed by .* it is in their log\.$/);
    await field.fill("not a hash");
    await page.keyboard.press("Enter");
    await page.getByText(/^A SHA-256 hash contains only the digits/).waitFor();
    await settled(page);
    await look(page, "look-up-wrong");
    await field.fill(`${hash!.toUpperCase()}  report.txt`);
    await page.keyboard.press("Enter");
    await found.waitFor();
    await page.goBack();
    await field.fill(String(sequence));
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: `Batch ${sequence}` }).waitFor();
    await glance(page, "look-up-number");
    await page.getByRole("link", { name: `Position ${sequence}` }).click();
    await found.waitFor();
    assert.ok(page.url().endsWith(`#/proof/${hash}`));
    await page.goBack();
    await field.fill(`batch ${batch_id}`);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: `Batch ${batch_id}` }).waitFor();
    for (
      const [name, content] of [
        ["looked-up.txt", text],
        [
          "looked-up.txt.countersign.json",
          await (await fetch(`${site.url}/v1/bundle/${hash}`)).text(),
        ],
      ] as const
    ) {
      await page.goto(`${site.url}/#/explore`);
      await page.getByLabel("Or choose a file").setInputFiles(await site.write(name, content));
      await found.waitFor();
      assert.ok(page.url().endsWith(`#/proof/${hash}`), name);
    }
    for (
      const [route, words, name] of [
        [`#/proof/${hashOf("never stamped")}`, "This gateway does not know the hash", "unknown"],
        ["#/explore/batch/999999", "The log has no such batch", "no-such-batch"],
        ["#/explore/position/999999", "The log has no such position yet", "no-such-position"],
      ] as const
    ) {
      await page.evaluate((hash) => void (location.hash = hash), route);
      await page.getByText(words).waitFor();
      await glance(page, `look-up-${name}`);
    }
    assert.deepEqual(visit.sent, []);
    assert.deepEqual(visit.faults, []);
  });

  setting.test("explore: the tiles page links to the bytes of the log", async () => {
    const { site } = setting;
    await site.publish("in a tile");
    await using visit = await setting.visit("#/explore/tiles", { width: 360, height: 740 });
    const { page } = visit;
    const link = page.getByRole("link", { name: /^tile\/0\/000\.p\/\d+/ });
    await page.getByRole("button", { name: "Level 0" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    const bytes = await Deno.readFile(await download.path());
    const path = (await link.innerText()).trim();
    const served = new Uint8Array(await (await fetch(`${site.url}/${path}`)).arrayBuffer());
    assert.ok(bytes.length >= 32);
    assert.deepEqual(bytes, served);
    await look(page, "tiles-phone");
    await page.getByRole("button", { name: "Entries" }).click();
    await page.getByRole("link", { name: /^tile\/entries\// }).waitFor();
  });

  setting.test("explore: every page is in order on a phone, dark and zoomed", async () => {
    const { site } = setting;
    const [hash] = await site.publish("looked at");
    const { batch_id } = await site.json(`/v1/attestations/${hash}`);
    const places = {
      explore: "#/explore",
      batch: `#/explore/batch/${batch_id}`,
      proof: `#/proof/${hash}`,
      unknown: `#/proof/${hashOf("nothing")}`,
      tiles: "#/explore/tiles",
    };
    for (
      const [name, options] of [
        ["phone", { width: 360, height: 740, isDark: true }],
        ["zoomed", { width: 640, height: 400, deviceScaleFactor: 2 }],
      ] as const
    ) {
      await using visit = await setting.visit("", options);
      for (const [place, route] of Object.entries(places)) {
        await visit.page.evaluate((hash) => void (location.hash = hash), route);
        await settled(visit.page);
        await (name === "phone" ? look : glance)(visit.page, `${place}-${name}`);
      }
    }
  });

  setting.test("explore: the page shows an empty log and a gateway that is down", async () => {
    await using site = await OutageSite.start();
    await using visit = await setting.browser.visit(`${site.url}/#/explore`);
    const { page } = visit;
    await region(page, "Latest tree head").getByText("The log is empty").waitFor();
    await settled(page);
    await look(page, "explore-empty");
    await page.goto(`${site.url}/#/explore/tiles`);
    await region(page, "Tiles").getByText("The log is empty").waitFor();
    await glance(page, "tiles-empty");
    await page.goto(`${site.url}/#/log`);
    await page.getByRole("heading", { level: 1, name: "Check the log" }).waitFor();
    await page.getByText("The log is empty").waitFor();
    await glance(page, "log-empty");

    site.answerWith(/^\/(v1|checkpoint|tile)/, () => new Response(null, { status: 502 }));
    await page.goto(`${site.url}/#/explore`);
    await page.reload();
    const alert = page.getByText("The gateway gave no usable answer", { exact: true });
    await alert.waitFor();
    assert.equal(await alert.count(), 1);
    assert.equal(await page.getByRole("alert").count(), 0);
    for (const name of ["Growth", "Batches"]) {
      await region(page, name).getByText("Waiting for the gateway to show the batches.").waitFor();
    }
    await glance(page, "explore-refused");
    await page.getByRole("link", { name: "Tiles of the log" }).click();
    await page.getByRole("heading", { level: 1, name: "Tiles" }).waitFor();
    await alert.waitFor();
    site.answerWith(/^$/, undefined);
    await page.getByText("The log is empty").waitFor();
    await alert.waitFor({ state: "detached" });
    await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").click();
    await region(page, "Network").getByText("2 of 3 witnesses").waitFor();
  });
}
