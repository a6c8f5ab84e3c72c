/**
 * The page's script: creates the services and renders the page.
 *
 * @module
 */

import { render } from "hono/jsx/dom";
import { systemClock } from "../clock.ts";
import { GatewayClient } from "../client/gateway_client.ts";
import { App } from "./app.tsx";
import { cryptoLoader, parseAssetNames } from "./assets.ts";
import { browserWatch } from "./browser_watch.ts";
import { onStorageChange, pageStorage } from "./browser_storage.ts";
import { applyStoredTheme } from "./components/theme_switch.tsx";
import { ServicesContext } from "./services.ts";
import { EventWake } from "./stamp/event_wake.ts";
import { StampQueue } from "./stamp/stamp_queue.ts";
import { TRUST_ENTRY } from "./trust.ts";
import { TrustStore } from "./trust_store.ts";

applyStoredTheme(pageStorage);

const base = document.baseURI;
const names = document.querySelector<HTMLMetaElement>("meta[name=countersign-assets]");
const assets = parseAssetNames(names?.content ?? "", base);
const crypto = cryptoLoader(assets);
const trust = new TrustStore(pageStorage, crypto);
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
// A page that is online again need not wait for the next poll.
addEventListener("online", () => wake.wake());
const stamps = new StampQueue({
  api: parts.api,
  startWorker: () => new Worker(assets("hash_worker.js")),
  wait: (ms, signal) => wake.wait(ms, signal),
  random: Math.random,
});
const services = { ...parts, stamps, watch: browserWatch({ ...parts, stamps }) };
render(
  <ServicesContext.Provider value={services}>
    <App />
  </ServicesContext.Provider>,
  document.getElementById("app")!,
);
