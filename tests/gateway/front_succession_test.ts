import assert from "node:assert/strict";
import { parseBundle } from "../../src/proof/format/bundle.ts";
import type { Gateway } from "../../src/gateway/gateway.ts";
import { verifyBundle } from "../../src/proof/verify/bundle.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { nativeCrypto } from "../schemes.ts";
import { CeremonySite } from "./ceremony_site.ts";
import type { LinkedFront } from "./front_site.ts";
import { MortalProcess } from "./mortal_process.ts";

/** How a front that saw nothing since before the switch gets to know it. */
const RETURNS: Readonly<Record<string, (front: LinkedFront) => void>> = {
  "catches up": () => {},
  "has lost all updates": ({ link }) => link.lap(),
};

/** The answers over all of the log that name or follow from an epoch. */
async function answersOf(site: CeremonySite, service: Gateway | LinkedFront["front"]) {
  const bundles = [];
  for (const hash of site.acknowledged.keys()) bundles.push(await service.proofs.bundle(hash));
  const { network, log } = service;
  return { bundles, network, latest: log.latest(), checkpoint: log.checkpoint() };
}

for (const [how, comeBack] of Object.entries(RETURNS)) {
  Deno.test(`a front that is frozen while the epoch ends and ${how} answers as the gateway`, async () => {
    const site = (await CeremonySite.begin()).with({});
    let late: LinkedFront | undefined;
    let epochSeen: number | undefined;
    const gateway = await site.live(new MortalProcess(), async (started) => {
      late = await site.join(started);
      epochSeen = late.front.network.epoch ?? 0;
    });
    assert.equal(epochSeen, 0, "it joined before the switch");
    assert.equal(gateway!.network.epoch, 1);
    await site.grow(gateway!);
    const { front } = late!;
    comeBack(late!);
    const answers = await answersOf(site, gateway!);
    assert.deepEqual(await answersOf(site, front), answers);
    assert.equal(front.network.epoch, 1);
    const { network } = await followSuccession(
      nativeCrypto,
      site.pinned,
      JSON.parse(gateway!.epochs.chainJson),
    );
    for (const text of answers.bundles) {
      const verdict = await verifyBundle(
        nativeCrypto,
        { network, peers: [] },
        parseBundle(text),
        {},
      );
      assert.deepEqual([verdict.valid, verdict.level], [true, "batched"]);
    }
    late!.end();
    await gateway!.stop();
  });
}
