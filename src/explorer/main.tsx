/**
 * The page's script: composes what the pages are given, and shows the one of the address.
 *
 * @module
 */

import { render } from "hono/jsx/dom";
import { systemClock } from "../clock.ts";
import { GatewayClient } from "../client/gateway_client.ts";
import { parseAssetNames } from "./asset_names.ts";
import { App } from "./app.tsx";
import { browserWatch } from "./browser_watch.ts";
import { onStorageChange, pageStorage } from "./browser_storage.ts";
import { EventWake } from "./stamp/event_wake.ts";
import { StampDesk } from "./stamp/stamp_desk.ts";
import { applyTheme, readTheme } from "./theme.ts";
import { TRUST_ENTRY } from "./trust.ts";
import { TrustKeeper } from "./trust_keeper.ts";
import { cryptoLoader } from "./verifier.ts";

applyTheme(document.documentElement, readTheme(pageStorage));

const base = document.baseURI;
const names = document.querySelector<HTMLMetaElement>("meta[name=countersign-assets]");
const assets = parseAssetNames(names?.content ?? "", base);
const crypto = cryptoLoader(assets);
const trust = new TrustKeeper(pageStorage, crypto);
void trust.load();
onStorageChange(TRUST_ENTRY, () => void trust.load());

const parts = {
  api: new GatewayClient({ url: new URL(base), blsFor: crypto.blsFor }),
  assets,
  crypto,
  storage: pageStorage,
  trust,
  clock: systemClock,
};
const wake = new EventWake({ url: parts.api.url, clock: systemClock, random: Math.random });
// Whoever comes back to the page, or gets a network again, need not wait for the next look.
addEventListener("online", () => wake.wake());
const stamps = new StampDesk({
  api: parts.api,
  startWorker: () => new Worker(assets("hash_worker.js")),
  wait: (ms, signal) => wake.wait(ms, signal),
  random: Math.random,
});
const services = { ...parts, stamps, watch: browserWatch({ ...parts, stamps }) };
render(<App services={services} />, document.getElementById("app")!);
