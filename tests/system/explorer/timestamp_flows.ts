/**
 * Verify, with time-stamp tokens in place of proofs.
 *
 * @module
 */

import assert from "node:assert/strict";
import { hexOf, utf8 } from "../../../src/base/bytes.ts";
import { withAttachedProof } from "../../../src/proof/timestamp/attached_proof.ts";
import { encodeGranted } from "../../../src/proof/timestamp/reply.ts";
import {
  AttestedNetwork,
  authorityOf,
  digestBy,
  identityOf,
  imprintOfContent,
  requestOf,
  tokenFor,
} from "../../gateway/timestamping/fixture.ts";
import * as der from "../../proof/timestamp/der.ts";
import { TestAuthority } from "../../proof/timestamp/test_authority.ts";
import { pemOf } from "../../proof/timestamp/test_certificates.ts";
import { walkByKeyboard } from "./keyboard.ts";
import { glance, look, settled } from "./looks.ts";
import type { Setting } from "./setting.ts";
import { TrialSite } from "./trial_site.ts";

const CONTENT = utf8("a stamped report");
/** More than the parts that a file is read in. */
const LARGE = new Uint8Array(9 * 1024 * 1024).fill(7);

/** Paths of files: tokens, what they are about, and what they are verified with. */
async function writeTokens(site: TrialSite) {
  const authority = await TestAuthority.create();
  const home = new AttestedNetwork("stamps.example/ed25519");
  const stamp = async (content: typeof CONTENT, hash: "SHA-256" | "SHA-512") => {
    const request = requestOf(await imprintOfContent(content, hash));
    return encodeGranted(
      await tokenFor(authorityOf(identityOf(authority)), request, (hash) => home.attest(hash)),
    );
  };
  const digest = await digestBy(CONTENT, "SHA-256");
  const { bundle, sequence } = home.attest(hexOf(digest));
  const earlier = await authority.token(digest, {
    info: {
      serial: der.integer(BigInt(sequence) << 64n | 7n),
      genTime: der.generalizedTime("20200101000000Z"),
      accuracy: der.sequence(der.integer(60)),
    },
  });
  const genuine = await stamp(CONTENT, "SHA-256");
  return {
    content: await site.write("stamped.txt", CONTENT),
    large: await site.write("large.bin", LARGE),
    other: await site.write("unstamped.txt", "another report"),
    genuine: await site.write("stamped.txt.tsr", genuine),
    long: await site.write("large.bin.tsr", await stamp(LARGE, "SHA-512")),
    forged: await site.write("earlier.tsr", withAttachedProof(earlier, bundle)),
    unattested: await site.write("unattested.tsr", await authority.token(digest)),
    damaged: await site.write("damaged.tsr", genuine.subarray(0, -1)),
    network: await site.write("stamps.public.json", JSON.stringify(home.network.configuration)),
    root: await site.write("root.pem", pemOf(authority.root)),
  };
}

export function testTimestamps(setting: Setting): void {
  setting.test("verify: time-stamp tokens, genuine, forged, of another file and damaged", async () => {
    const { site } = setting;
    const files = await writeTokens(site);
    for (
      const [name, options] of [
        ["desktop", {}],
        ["phone-dark", { width: 390, height: 844, isDark: true }],
      ] as const
    ) {
      await using visit = await setting.visit("#/verify", options);
      const { page } = visit;
      const main = page.getByRole("main");
      const proof = page.getByLabel(/^Choose (a|another) proof/);
      const said = async (words: string | RegExp, role: "alert" | "status") => {
        await main.getByRole(role).filter({ hasText: words }).first().waitFor()
          .catch(async (cause) => {
            throw new Error(`not said: ${words}, but: ${await main.innerText()}`, { cause });
          });
        await settled(page);
      };
      // The token, then its file, as with a proof.
      await proof.setInputFiles(files.genuine);
      await said("The token is not verified yet", "status");
      await page.getByLabel("Choose the network's configuration").setInputFiles(files.network);
      await said("No file was compared yet", "status");
      await page.getByLabel(/^Compare with/).setInputFiles(files.content);
      await said(
        /^stamped\.txt existed by 2026-11-21 12:00:00 UTC; 2 of 3 witnesses of stamps\.example\/ed25519 signed it/,
        "status",
      );
      await said(/calls itself CN=Stamps\. This name was not checked against a root/, "status");
      assert.equal(await main.locator(".verdict .tone-good").count(), 1);
      const card = page.getByRole("region", { name: "What the token states" });
      await card.getByText("2026-11-21 12:00:00 UTC, accurate to 60 s").waitFor();
      await card.getByRole("link", { name: /^Position 7 in the log of stamps\.example/ }).waitFor();
      await look(page, `timestamp-valid-${name}`);
      if (name === "desktop") await walkByKeyboard(page);
      await page.getByLabel("Check the authority against a root").setInputFiles(files.root);
      await said(/^.*The authority CN=Stamps signed it too, under a root certificate/, "status");
      await page.getByText("Technical details", { exact: true }).click();
      await glance(page, `timestamp-root-${name}`);
      await page.getByLabel("Choose another root certificate").setInputFiles(files.other);
      await said("This file has no usable root certificate", "alert");

      // Both together, by a longer hash function.
      await proof.setInputFiles([files.long, files.large]);
      await said(/^large\.bin existed by /, "status");
      await card.getByText("SHA-512", { exact: true }).waitFor();
      await page.getByLabel(/^Compare with/).setInputFiles(files.other);
      await said("The token is genuine but belongs to another file: unstamped.txt", "alert");
      await glance(page, `timestamp-other-file-${name}`);

      await proof.setInputFiles([files.forged, files.content]);
      await said("The token is signed by the authority, but not by the witnesses.", "alert");
      await said("It states 2020-01-01 00:00:00 UTC, but the witnesses attested", "alert");
      assert.equal(await main.locator(".verdict .tone-good").count(), 0);
      await look(page, `timestamp-forged-${name}`);
      await proof.setInputFiles(files.unattested);
      await said("It carries no attestation", "alert");
      await glance(page, `timestamp-unattested-${name}`);
      await proof.setInputFiles(files.damaged);
      await said("Cannot verify damaged.tsr", "alert");
      await glance(page, `timestamp-damaged-${name}`);
      assert.deepEqual(visit.sent, []);
      visit.assertContained(site.url);
      assert.deepEqual(visit.faults, []);
    }
  });

  setting.test("verify: a token without the script that reads it can be tried again", async () => {
    const files = await writeTokens(setting.site);
    await using visit = await setting.visit("#/verify");
    const { page } = visit;
    const proof = page.getByLabel(/^Choose (a|another) proof/);
    await page.route(/\/assets\/timestamps\./, (route) => route.abort());
    await proof.setInputFiles([files.genuine, files.content]);
    await page.getByText("A part of this page was not loaded.", { exact: true }).waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("The token is not verified yet").waitFor();
    await page.getByText("stamped.txt", { exact: true }).waitFor();
  });

  setting.test("verify: a token chosen in an outage is read when the gateway is back", async () => {
    await using site = await TrialSite.start();
    const files = await writeTokens(site);
    await using visit = await setting.browser.visit(`${site.url}/#/verify`);
    const { page } = visit;
    await page.getByText("I have none: ask this gateway").waitFor();
    await site.kill();
    await page.getByText("The gateway does not answer", { exact: true }).waitFor();
    await page.getByLabel("Choose a proof").setInputFiles([files.genuine, files.content]);
    await page.getByText("A part of this page was not loaded.", { exact: true }).waitFor();
    await site.start();
    await page.getByText("The token is not verified yet").waitFor();
    await page.getByText("stamped.txt", { exact: true }).waitFor();
  });
}
