import assert from "node:assert/strict";
import { publicNetwork } from "../../src/proof/format/public_network.ts";
import { eachScheme } from "../schemes.ts";
import type { ProofBundle } from "../../src/proof/format/bundle.ts";
import type { SignatureScheme } from "../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import {
  closeLink,
  propose,
  signSuccession,
  threeEpochs,
} from "../proof/verify/test_succession.ts";
import { assertFailed, withClient } from "./client_run.ts";

function made(scheme: SignatureScheme) {
  const { log, epochs, links } = threeEpochs(scheme);
  const bundleOf = (sequence: number, epoch: number, size: number, places?: number[]) => {
    const sth = epochs[epoch]!.signHead(log.head(size, 1_766_279_000), places);
    return { ...log.bundle(sequence, log.batchInclusion(sequence, sth)), succession: [...links] };
  };
  return { log, epochs, links, bundleOf, id: epochs[0].id };
}

eachScheme.test("--distrust shows what stands without a witness", async (scheme) => {
  const { epochs, bundleOf, id } = made(scheme);
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(epochs[0].configuration));
    const verify = async (bundle: ProofBundle, ...distrust: string[]) => {
      await client.write("bundle.json", bundle);
      const { json } = await client.runJson([
        "verify-proof",
        "--bundle",
        "bundle.json",
        "--network-config",
        "pin.json",
        ...distrust.flatMap((one) => ["--distrust", `${id}/${one}`]),
      ]);
      return { valid: json.valid, stands: json.stands, layers: json.layers };
    };
    // Rounds are signed by the first witnesses: a and b, then b and c, then c, d and e.
    const whole = bundleOf(3, 0, 7);
    assert.equal((await verify(whole)).valid, true);
    const nobody = await verify(whole, "a");
    assert.deepEqual([nobody.valid, nobody.stands], [false, []]);
    assert.equal(nobody.layers.attestation.reason, "threshold_not_met");
    assert.deepEqual(nobody.layers.attestation.signatures.distrusted, [`${id}/a`]);
    const head = await verify(bundleOf(3, 0, 7, [1, 2]), "a");
    assert.deepEqual([head.valid, head.stands], [false, ["tree head"]]);
    assert.equal((await verify(whole, "c")).valid, true);
    // With the cosignature that came late, the head stands without any one of them.
    const late = bundleOf(3, 0, 7, [0, 1, 2]);
    for (const one of ["a", "b"]) assert.deepEqual((await verify(late, one)).stands, ["tree head"]);
    assert.equal((await verify(late, "c")).valid, true);
    assert.deepEqual((await verify(late, "b", "c")).stands, []);

    // The boundary: a leaf of index 3 and a head of size 7.
    assert.deepEqual((await verify(whole, "a@3")).stands, []);
    assert.deepEqual((await verify(whole, "a@4")).stands, ["attestation"]);
    assert.deepEqual((await verify(whole, "a@7")).stands, ["attestation", "tree head"]);

    // The succession needs a and b, so nothing later stands without one of them.
    const later = bundleOf(20, 2, 24);
    assert.equal((await verify(later)).valid, true);
    assert.equal((await verify(later, "a")).valid, false);
    assert.equal((await verify(later, "a@8")).valid, true);
    assert.equal((await verify(later, "g")).valid, true);
    assert.equal((await verify(later, "c@16")).valid, false);
  });
});

Deno.test("--distrust refuses an unknown witness", async () => {
  const { log, epochs: [zero], links } = made("ed25519");
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("b.json", { ...log.bundle(3, null), succession: links });
    const run = (name: string) =>
      client.runJson([
        "verify-proof",
        "--bundle",
        "b.json",
        "--network-config",
        "pin.json",
        "--distrust",
        `${zero.id}/${name}`,
      ]);
    assertFailed(await run("typo"), "usage", 2);
    // Of a later epoch, which the bundle's chain leads to.
    assert.equal((await run("g")).json.valid, true);
    assert.equal((await run("a")).json.valid, false);
  });
});

Deno.test("--distrust wants a witness and a size", async () => {
  await withClient(async (client) => {
    for (const wrong of ["", "@5", "a@", "a@-1", "a b", "a@5@6"]) {
      const run = await client.runJson(["verify-proof", "x.json", "--distrust", wrong]);
      assertFailed(run, "usage", 2);
    }
  });
});

Deno.test("log contradictions reports two successions of one epoch", async () => {
  const { log, epochs: [zero, one], links: [first] } = made("ed25519");
  const rival = new TestNetwork(zero.id, { epoch: 1, witnessIds: ["x", "y", "z"] });
  const terms = propose(zero, rival, { treeSize: 7, nonce: "rival" });
  const second = closeLink(log, signSuccession(terms, zero, rival), zero);
  const evidence = { origin: zero.id, found_at: 1, first, second };
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("other.json", publicNetwork(one.configuration));
    await client.write("evidence.json", evidence);
    await client.write("same.json", { ...evidence, second: first });
    const run = (file: string, config: string) =>
      client.runJson(["log", "contradictions", "--file", file, "--network-config", config]);
    const proved = await run("evidence.json", "pin.json");
    assert.equal(proved.code, 1);
    assert.equal(proved.json.proved, 1, proved.stdout);
    assert.deepEqual(proved.json.successions[0].signed_both, [`${zero.id}/a`, `${zero.id}/b`]);
    assert.equal((await run("same.json", "pin.json")).json.proved, 0);
    assert.equal((await run("evidence.json", "other.json")).json.proved, 0);
  });
});

/** A proof of leaf `sequence`, signed by `signer` alone, of a log of `size` leaves that is not the network's. */
function forgedBy(signer: TestNetwork, sequence: number, size: number): ProofBundle {
  const forged = new TestLog(signer);
  for (let place = 0; place < size; place++) {
    forged.addRound([digestOf(`forged ${place}`)], { timestamp: 1_766_290_000 + place });
  }
  return forged.bundle(sequence, forged.batchInclusion(sequence, forged.sth(size, 1_766_299_000)));
}

/** Links that nobody signed, which end each epoch of `links` and further ones. */
function garbage(links: readonly SuccessionLink[], count: number): SuccessionLink[] {
  return Array.from({ length: count }, (_, i) => ({
    ...links[i % links.length]!,
    nonce: digestOf(`garbage ${i}`),
  }));
}

eachScheme.test("--distrust gives no epoch back to its retired keys", async (scheme) => {
  const { epochs, links, id, bundleOf } = made(scheme);
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(epochs[0].configuration));
    await client.write("chain.json", links);
    const pin = ["network", "--pin", "pin.json", "--chain", "chain.json"];
    assert.equal((await client.runJson(pin)).code, 0);
    const codeOf = async (bundle: ProofBundle, ...distrust: string[]) => {
      await client.write("bundle.json", bundle);
      const named = distrust.flatMap((one) => ["--distrust", `${id}/${one}`]);
      const run = await client.runJson(["verify-proof", "--bundle", "bundle.json", ...named]);
      return [run.code, run.json.valid];
    };
    const forged = forgedBy(epochs[0], 20, 24);
    const chains = [undefined, links, garbage(links, 2), garbage(links, 3), [...links, links[1]]];
    for (const succession of chains) {
      const bundle = { ...forged, ...(succession && { succession: [...succession] }) };
      for (const distrust of [[], ["g"], ["a"], ["a", "b", "c"], ["g@30"], ["c@16", "a@8"]]) {
        assert.deepEqual(await codeOf(bundle, ...distrust), [1, false], `${distrust}`);
      }
    }
    assert.deepEqual(await codeOf(bundleOf(20, 2, 24), "g"), [0, true]);
  });
});

eachScheme.test("--distrust reopens no log that ended", async (scheme) => {
  const { log, epochs: [zero], links } = made(scheme);
  const frozen = signSuccession(propose(zero, null, { treeSize: 7 }), zero, null);
  const link = closeLink(log, frozen, zero);
  await withClient(async (client) => {
    await client.write("pin.json", publicNetwork(zero.configuration));
    await client.write("chain.json", [link]);
    const pin = ["network", "--pin", "pin.json", "--chain", "chain.json"];
    assert.equal((await client.runJson(pin)).code, 0);
    const forged = forgedBy(zero, 30, 32);
    const chains = [
      [undefined, "log_ended"],
      [[link], "log_ended"],
      [garbage(links, 3), "succession_conflict"],
      [[link, ...links], "succession_unrelated"],
    ] as const;
    for (const [succession, reason] of chains) {
      await client.write("bundle.json", { ...forged, ...(succession && { succession }) });
      for (const names of [[], [`${zero.id}/c`], [`${zero.id}/a`]]) {
        const distrust = names.flatMap((one) => ["--distrust", one]);
        const run = await client.runJson(["verify-proof", "--bundle", "bundle.json", ...distrust]);
        assert.deepEqual([run.code, run.json.valid], [1, false], run.stdout);
        assert.equal(run.json.layers.attestation.reason, reason);
      }
    }
  });
});
