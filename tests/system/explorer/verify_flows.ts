/**
 * Verify: proofs of every kind against what the reader trusts, and nothing else.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import decodeQR from "qr/decode.js";
import { publicNetworkJson } from "../../../src/proof/format/public_network.ts";
import { rivalEpochs, threeEpochs } from "../../proof/verify/test_succession.ts";
import type { Visit } from "./chromium.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { glance, look, settled } from "./looks.ts";
import { saved } from "./saved_file.ts";
import type { Setting } from "./setting.ts";
import { fileControl } from "./stamp_page.ts";

/** The file control of the zone that says `label`. */
function zone(page: Page, label: string | RegExp): Locator {
  return page.getByLabel(label);
}

const HOME = "Choose the network's configuration";
const PEERS = "Choose configurations of peers";
const PROOF = /^Choose (a|another) proof/;
const CONTENT = "Compare with the file itself";

const IN_LOG = /existed by .* UTC; 2 of 3 witnesses of \S+ signed it, and it is in their log\.$/;
const FEDERATED = /signed it, it is in their log, and \S+, \S+ cosigned that log\.$/;
const INVALID = /^The proof does not verify with the keys of net\.example\/home\.$/;

/** Waits until the verdict is `sentence`, and opens the details if they are to be `open`. */
async function verdict(page: Page, sentence: RegExp | string, open?: "open"): Promise<void> {
  await page.getByRole("main").getByText(sentence).first().waitFor();
  await settled(page);
  if (open === undefined) return;
  const details = page.getByText("Technical details", { exact: true });
  await details.click();
}

/** What became of a layer. */
function layer(page: Page, name: string): Locator {
  return page.getByRole("region", { name: "Layers" }).getByRole("listitem").filter({
    hasText: name,
  });
}

/** The QR code of the page as it is drawn, four pixels for each of its modules. */
function qrPixels(page: Page): Promise<{ readonly size: number; readonly rgba: number[] }> {
  return page.evaluate(async () => {
    const drawing = document.querySelector("svg.qr-code")!;
    const size = 4 * (drawing as SVGSVGElement).viewBox.baseVal.width;
    const image = new Image(size, size);
    const copy = drawing.cloneNode(true) as SVGSVGElement;
    copy.setAttribute("width", String(size));
    copy.setAttribute("height", String(size));
    const text = new XMLSerializer().serializeToString(copy);
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(size, size).getContext("2d")!;
    canvas.drawImage(image, 0, 0);
    return { size, rgba: [...canvas.getImageData(0, 0, size, size).data] };
  });
}

function qrText({ size, rgba }: { readonly size: number; readonly rgba: number[] }): string {
  return decodeQR({ width: size, height: size, data: Uint8Array.from(rgba) });
}

/** Nothing of a proof or a file leaves the page. */
function assertKept(visit: Visit, url: string): void {
  assert.deepEqual(visit.sent, []);
  visit.assertContained(url);
}

export function testVerify(setting: Setting): void {
  setting.test("verify: a succession that contradicts the kept one is refused, with evidence that the program confirms", async () => {
    const { site } = setting;
    const { epochs: [zero], links } = threeEpochs();
    const { link } = rivalEpochs();
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    const home = {
      text: publicNetworkJson(zero.configuration),
      source: "file",
      name: "network.json",
      pinned_at: 1,
      chain: JSON.stringify(links),
    };
    await page.evaluate(
      (text: string) => localStorage.setItem("countersign.trust", text),
      JSON.stringify({ home, peers: [] }),
    );
    await page.reload();
    await page.getByText("epochs.example", { exact: true }).first().waitFor();
    const supply = (name: string, value: unknown) =>
      zone(page, PROOF).setInputFiles({
        name,
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(value)),
      });
    const alert = page.getByRole("alert").filter({
      hasText: "epochs.example has two successions of epoch 0",
    });
    const evidence = async () => {
      const button = alert.getByRole("button", { name: "Download the evidence" });
      const { name, text } = await saved(page, button);
      assert.equal(name, "epochs.example.fork.json");
      const { found_at: _, ...conflict } = JSON.parse(text);
      assert.deepEqual(conflict, { origin: "epochs.example", first: links[0], second: link });
      return text;
    };
    await supply("rival.json", [link]);
    await alert.getByText("the other one is in rival.json").waitFor();
    await settled(page);
    await look(page, "verify-two-successions");
    const folder = await Deno.makeTempDir();
    try {
      await Deno.writeTextFile(join(folder, "evidence.json"), await evidence());
      await Deno.writeTextFile(join(folder, "network.json"), home.text);
      const { code, stdout } = await site.countersign(
        "log",
        "contradictions",
        "--file",
        join(folder, "evidence.json"),
        "--network-config",
        join(folder, "network.json"),
      );
      assert.equal(code, 1);
      assert.match(stdout, /^CONTRADICTION \(1 proved\)$/m);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }

    // The same in a proof, which does not verify.
    await page.reload();
    const { log } = rivalEpochs();
    await supply("proof.json", { ...log.bundle(8), succession: [link] });
    await verdict(page, "The proof does not verify with the keys of epochs.example.");
    await alert.getByText("the other one is in the proof").waitFor();
    await evidence();
    assertKept(visit, site.url);
    assert.deepEqual(visit.faults, []);
  });

  setting.test("verify: a federated proof verifies with its file, network and peers", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await settled(page);
    await glance(page, "verify-first-visit");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await page.getByText("The proof is not verified yet").waitFor();
    await glance(page, "verify-no-pin");
    await zone(page, HOME).setInputFiles(exhibits.home);
    await verdict(page, IN_LOG);
    await glance(page, "verify-batched");
    await zone(page, PEERS).setInputFiles([...exhibits.peers]);
    await verdict(page, FEDERATED);
    await zone(page, CONTENT).setInputFiles(exhibits.content);
    await verdict(page, /^report\.txt existed by /, "open");
    for (const name of ["Attestation", "Batch", "Cross-anchor of peer.example/alpha"]) {
      await layer(page, name).getByText("Verified", { exact: true }).waitFor();
    }
    await layer(page, "External anchors").getByText(/present, not independently verified/)
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
    await verdict(page, FEDERATED);
    await page.getByRole("button", { name: "Forget peer.example/alpha" }).click();
    await verdict(page, IN_LOG);
  });

  setting.test("verify: changed files, forged and damaged proofs give different results", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.home);
    await zone(page, PROOF).setInputFiles(exhibits.forged);
    await verdict(page, INVALID, "open");
    await layer(page, "Attestation").getByText("Failed").waitFor();
    await look(page, "verify-forged");
    await zone(page, PROOF).setInputFiles(exhibits.misplaced);
    await verdict(page, /but the proof that it is in their log does not verify\.$/, "open");
    await layer(page, "Batch").getByText("Failed").waitFor();
    await glance(page, "verify-misplaced");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, IN_LOG);
    await zone(page, CONTENT).setInputFiles(exhibits.changed);
    await verdict(
      page,
      /^The proof is genuine but belongs to another file: changed\.txt has changed,/,
    );
    await glance(page, "verify-changed-content");
    await page.getByRole("button", { name: "Remove changed.txt" }).click();
    await verdict(page, IN_LOG);
    assertKept(visit, site.url);
  });

  setting.test("verify: other keys of the same network replace the pin only after a confirmation", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.twin);
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(page, INVALID);
    await glance(page, "verify-other-keys");
    await zone(page, "Choose another configuration").setInputFiles(exhibits.home);
    await page.getByText(/differs from the pinned configuration of net.example\/home/)
      .waitFor();
    await look(page, "verify-replace-pin");
    await page.getByRole("button", { name: "Keep the old one" }).click();
    await verdict(page, INVALID);
    await zone(page, "Choose another configuration").setInputFiles(exhibits.home);
    await page.getByRole("button", { name: "Replace the pin" }).click();
    await verdict(page, IN_LOG);
    assertKept(visit, site.url);
  });

  setting.test("verify: a BLS proof verifies, and a proof of another network names it", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify", { width: 360, height: 740, isDark: true });
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.aggregating);
    await zone(page, PROOF).setInputFiles(exhibits.aggregated);
    await verdict(page, IN_LOG);
    await glance(page, "verify-bls-phone");
    await zone(page, PROOF).setInputFiles(exhibits.federated);
    await verdict(
      page,
      /^The proof is of network net\.example\/home, and the configuration in use/,
    );
    await glance(page, "verify-other-network-phone");
    assertKept(visit, site.url);
  });

  setting.test("verify: the page says what a wrong file is", async () => {
    const { exhibits, site } = setting;
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    for (
      const [path, words] of [
        [exhibits.otherJson, "A proof is a file such as NAME.countersign.json"],
        [exhibits.noJson, "A proof is a file such as NAME.countersign.json"],
        [await site.write("empty.countersign.json", ""), "The file is empty"],
        [
          await site.write("x.countersign.tlog-proof", "x"),
          "countersign verify x.countersign.tlog-",
        ],
        [await site.write("proofs-20261130-090000.zip", "PK"), "Unpack it first."],
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
      await glance(page, "verify-wrong-configuration");
      await page.reload();
    }
    const damaged = (await Deno.readTextFile(exhibits.federated)).replace('"round":', '"rounds":');
    await zone(page, PROOF).setInputFiles(await site.write("damaged.countersign.json", damaged));
    await page.getByText("Cannot verify damaged.countersign.json").waitFor();
    await glance(page, "verify-damaged");
    assertKept(visit, site.url);
  });

  setting.test("verify: pinning the gateway's own keys takes a choice and leaves a warning", async () => {
    const { site } = setting;
    const [hash] = await site.publish("verified by word of the gateway");
    const text = await (await fetch(`${site.url}/v1/bundle/${hash}`)).text();
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, PROOF).setInputFiles(await site.write(`${hash}.countersign.json`, text));
    await page.getByText("The proof is not verified yet").waitFor();
    await zone(page, CONTENT).setInputFiles(await site.write("other.txt", "another text"));
    await page.getByText("The proof is not about other.txt.").waitFor();
    await glance(page, "verify-other-file");
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "I have none: ask this gateway" }).click();
    await page.getByText("You would trust the gateway for its own keys").waitFor();
    await look(page, "verify-gateway-choice");
    await page.getByRole("button", { name: "Trust the gateway for it" }).click();
    await verdict(page, IN_LOG);
    await page.getByText("The configuration came from the gateway", { exact: true })
      .waitFor();
    await glance(page, "verify-gateway-trusted");
    assertKept(visit, site.url);
    const forget = page.getByRole("button", { name: "Forget all pins" });
    await forget.click();
    await page.getByText(/^This browser would forget the configuration of /).waitFor();
    await glance(page, "verify-forget");
    await page.getByRole("button", { name: "Keep them" }).click();
    await verdict(page, IN_LOG);
    await forget.click();
    await page.getByText(/^This browser would forget the configuration of /).waitFor();
    await forget.click();
    await page.getByText("The proof is not verified yet").waitFor();
  });

  setting.test("proof: a shared address fetches a proof and compares it with a file", async () => {
    const { site } = setting;
    const [hash] = await site.publish("shared");
    await using visit = await setting.visit(`#/proof/${hash}`);
    const { page } = visit;
    await verdict(page, /^The file with this hash existed by .* it is in their log\.$/);
    await page.getByText("No configuration is pinned.").first().waitFor();
    await look(page, "proof");
    await walkByKeyboard(page);
    await page.getByRole("button", { name: "Copy link to this page" }).click();
    await page.getByText("Copied", { exact: true }).waitFor({ state: "attached" });
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    await zone(page, CONTENT).setInputFiles(await site.write("shared.txt", "shared"));
    await verdict(page, /^shared\.txt existed by /);
    await zone(page, "Compare with another file")
      .setInputFiles(await site.write("unshared.txt", "something else"));
    await verdict(page, /^The proof is genuine but belongs to another file: /, "open");
    await glance(page, "proof-of-another-file");
    assertKept(visit, site.url);
  });

  setting.test("certificate: one page to print, whose QR code leads back to the proof", async () => {
    const { site } = setting;
    const [hash] = await site.publish("certified");
    for (
      const [name, options] of [
        ["desktop", {}],
        ["phone-dark", { width: 360, height: 740, isDark: true }],
      ] as const
    ) {
      await using visit = await setting.visit(`#/certificate/${hash}`, options);
      const { page } = visit;
      await page.getByText(/^The file with this hash existed by .* it is in their log\.$/)
        .waitFor();
      await page.getByText("The gateway named these keys itself").waitFor();
      await page.getByText(`${site.url}/`, { exact: true }).waitFor();
      await page.getByLabel("Name of the file").fill("annual report.pdf");
      await settled(page);
      await look(page, `certificate-${name}`);
      if (name === "phone-dark") continue;
      assert.equal(qrText(await qrPixels(page)), `${site.url}/#/proof/${hash}`);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      await glance(page, "certificate-print");
      const pdf = new TextDecoder("latin1").decode(await page.pdf({ format: "A4" }));
      assert.equal(pdf.match(/\/Type \/Page\b/g)?.length, 1);
      await page.emulateMedia({ media: "screen" });
      await page.getByRole("link", { name: "Back to the proof" }).click();
      await page.getByRole("heading", { level: 1, name: "Proof" }).waitFor();
      assertKept(visit, site.url);
    }
  });

  setting.test("verify: a pin of another network raises no alarm about this gateway's log", async () => {
    const { exhibits } = setting;
    await setting.site.publish("so that there is a log");
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    await zone(page, HOME).setInputFiles(exhibits.home);
    await page.getByText("Your file home.public.json").first().waitFor();
    await page.getByRole("link", { name: "Check the log" }).click();
    await page.getByText("You pinned the configuration of another network").waitFor();
    await glance(page, "log-other-network");
    await page.getByRole("link", { name: "Explore", exact: true }).click();
    await page.getByText("Your pin is for another network").waitFor();
    await settled(page);
    await glance(page, "explore-other-network");
    await page.getByRole("link", { name: "Stamp", exact: true }).click();
    const paths = ["here 1", "here 2"].map((name) => setting.site.write(name, name));
    await fileControl(page).setInputFiles(await Promise.all(paths));
    await page.getByText("Your pin is of network net.example/home.").nth(1).waitFor();
    await glance(page, "stamp-other-network");
    await page.getByRole("button", { name: "Save 2 proofs" }).click();
    await page.getByText(/^They were not verified here, because your pin is of network/).waitFor();
    await look(page, "stamp-other-network-saved");
    assert.equal(await page.getByRole("alert").count(), 0);
  });
}
