/**
 * The script of the page that `browser_test.ts` opens: loads the modules from the page's own site,
 * computes with what loaded, and posts what came out to `/report`.
 *
 * @module
 */

import { BLS_SIGNATURE_DST } from "../../src/proof/crypto/domains.ts";
import { loadServedBls, loadServedKernels } from "../../src/proof/crypto/served_wasm.ts";
import type { CryptoSuite } from "../../src/proof/crypto/crypto_suite.ts";
import { bestVerify } from "../../src/proof/crypto/ed25519.ts";
import { portableBls } from "../../src/proof/crypto/portable_bls.ts";
import { portableKernels } from "../../src/proof/crypto/portable_kernels.ts";
import { type Results, resultsOf } from "./browser_results.ts";
import { generateKey } from "../../src/proof/crypto/bls_key_gen.ts";

/** Milliseconds by name, each without and with what loaded. */
export type Timings = Readonly<Record<string, readonly [portable: number, loaded: number]>>;

/** What the page posts. */
export interface Report {
  /** The stack of whatever kept the page from its end. */
  readonly error?: string;
  /** The file of each module that is in use, or `portable`. */
  readonly builds: readonly [hashing: string, bls: string];
  readonly results: Results;
  /** What the browser kept the page from doing, as directive and object. */
  readonly violations: readonly string[];
  /** Where everything came from that the page loaded. */
  readonly origins: readonly string[];
  /** Only of a page that is opened with `?timed`. */
  readonly timings?: Timings;
}

const violations: string[] = [];
addEventListener("securitypolicyviolation", (event) => {
  const { effectiveDirective, blockedURI } = event as SecurityPolicyViolationEvent;
  violations.push(`${effectiveDirective} ${blockedURI}`);
});

/** What `load` answers, and the file that it is from: the last one that it asked for. */
async function loaded<T>(
  load: (open: (file: string) => Promise<Response>) => Promise<T | undefined>,
): Promise<[build: string, module: T | undefined]> {
  let last = "";
  const module = await load((file) => {
    last = file;
    return fetch(`/${file}`);
  });
  return [module === undefined ? "portable" : last, module];
}

/** The shortest of several runs of `operation`, in milliseconds, by a clock of 0.1 ms. */
function shortest(operation: () => void): number {
  const [runs, atLeastMs, warmUpMs] = [12, 20, 300];
  let [count, elapsed] = [0, 0];
  for (const start = performance.now(); elapsed < warmUpMs; count++) {
    operation();
    elapsed = performance.now() - start;
  }
  const repeat = Math.ceil(count * atLeastMs / warmUpMs);
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    for (let i = 0; i < repeat; i++) operation();
    return (performance.now() - start) / repeat;
  });
  return Math.min(...times);
}

function timingsOf(...cryptos: [portable: CryptoSuite, loaded: CryptoSuite]): Timings {
  const nodes = crypto.getRandomValues(new Uint8Array(32_768 * 2));
  const level = Uint8Array.from({ length: 4_096 * 32 }, (_, i) => nodes[i % nodes.length]!);
  const secret = generateKey(nodes.subarray(0, 32));
  const key = cryptos[0].bls.skToPk(secret);
  const message = nodes.subarray(0, 100);
  const signature = cryptos[0].bls.sign(secret, message, BLS_SIGNATURE_DST);
  const [first, second] = cryptos;
  const both = (operation: (crypto: CryptoSuite) => void) =>
    [shortest(() => operation(first)), shortest(() => operation(second))] as const;
  return {
    "2,048 nodes": both(({ kernels }) => kernels.treeLevel(level)),
    "bls verify": both(({ bls }) => bls.verify(key, message, signature, BLS_SIGNATURE_DST)),
  };
}

async function makeReport(): Promise<Report> {
  const exhibits = await (await fetch("/exhibits.json")).json();
  const [hashing, kernels] = await loaded(loadServedKernels);
  const [scheme, bls] = await loaded(loadServedBls);
  const portable = { kernels: portableKernels, ed25519: await bestVerify(), bls: portableBls };
  const crypto = { ...portable, ...(kernels && { kernels }), ...(bls && { bls }) };
  const results = await resultsOf(crypto, exhibits);
  const resources = performance.getEntriesByType("resource").map(({ name }) =>
    new URL(name).origin
  );
  return {
    builds: [hashing, scheme],
    results,
    violations,
    origins: [...new Set(resources)],
    ...(location.search === "?timed" && { timings: timingsOf(portable, crypto) }),
  };
}

const report = await makeReport().catch((error) => ({ error: String(error?.stack ?? error) }));
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
