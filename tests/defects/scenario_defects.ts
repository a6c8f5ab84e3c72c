/**
 * Defects that scenarios and system tests catch: those that show when whole processes run, end and come
 * back.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const SCENARIO_DEFECTS: readonly Defect[] = [
  {
    name: "peer-believed",
    file: "src/gateway/federation/cross_anchor_check.ts",
    text:
      "const { verified, reason } = await verifyThreshold(crypto, network, message, signatures);",
    replacement: `const counted = await verifyThreshold(crypto, network, message, signatures);
  const { verified, reason } = { ...counted, verified: Infinity, ...{ reason: undefined } };`,
    harm: "A gateway stores and serves cross-anchors that a peer has made up.",
    tests: ["tests/scenarios/federation_test.ts"],
  },
  {
    name: "unsigned-at-a-crash",
    file: "src/gateway/recovery.ts",
    text: "if (formed <= accepted) return { accepted, signed, gaps, formed };",
    replacement: "if (formed <= accepted) return { accepted, signed, gaps, formed: accepted };",
    harm: "Hashes that were accepted before a crash are never attested.",
    tests: ["tests/scenarios/crash_test.ts"],
  },
  {
    name: "bundle-without-its-chain",
    file: "src/gateway/proving/proofs.ts",
    text: 'return links.length === 0 ? "" : `,"succession":${chainJson}`;',
    replacement: 'return links.length === 0 || chainJson !== "" ? "" : ",";',
    harm: "Proofs of the next epoch do not verify for those who pinned the network before.",
    tests: ["tests/scenarios/succession_test.ts"],
  },
  {
    name: "fork-goes-on",
    file: "src/gateway/sequencing/rollback_evidence.ts",
    text: "if (first - size >= REMEMBERED_SEQUENCES) return;",
    replacement: "if (first >= 0) return;",
    harm: "A copy of a gateway accepts hashes that no witness will sign for it.",
    tests: ["tests/scenarios/fork_test.ts"],
  },
  {
    name: "hash-with-two-sequences",
    file: "src/gateway/intake/assigner.ts",
    text: "const sequence = this.#index.take(words, i);",
    replacement: "const sequence = this.#index.append(words, i);",
    harm: "One hash has two attestations with two times.",
    tests: ["tests/scenarios/fronts_test.ts"],
  },
  {
    name: "rollback-unnoticed",
    file: "src/gateway/sequencing/rollback_evidence.ts",
    text: "if (!this.#isEnough(witnessIndexes.length)) return undefined;",
    replacement: "if (witnessIndexes.length >= 0) return undefined;",
    harm: "A gateway accepts hashes over an old copy of its store.",
    tests: ["tests/scenarios/rollback_test.ts"],
  },
  {
    name: "job-of-another-hash",
    file: "src/cli/stamp/stamp_results.ts",
    text: "    if (signed.attestation.hash !== job.hash) {",
    replacement: '    if (signed.attestation.hash === "") {',
    harm: "stamp says that a file is attested when the gateway attested another one.",
    tests: ["tests/lying_gateway/lying_gateway_test.ts"],
  },
  {
    name: "epoch-open-after-a-kill",
    file: "src/gateway/succession/succession_driver.ts",
    text: "if (!endAt(boundary, succession.successor === null)) return;",
    replacement: "if (endAt === undefined) return;",
    harm: "After a crash, retired witnesses are asked to sign beyond the end of their epoch.",
    tests: ["tests/gateway/ceremony_crash_test.ts"],
  },
  {
    name: "active-gateway-unnamed",
    file: "src/server/gateway/standby.ts",
    text: 'const where = holder.url === undefined ? "" : `: use ${holder.url}`;',
    replacement: 'const where = holder.url === undefined ? "" : ": use another one";',
    harm: "A client of a standby does not learn which gateway takes its hash.",
    tests: ["tests/system/failover_test.ts"],
  },
  {
    name: "fence-without-the-lease",
    file: "src/storage/postgres/postgres_fence.ts",
    text: "OR EXISTS (SELECT FROM ${SCHEMA}.lease WHERE epoch = $4)) RETURNING 1)",
    replacement: "OR EXISTS (SELECT FROM ${SCHEMA}.lease WHERE epoch >= $4)) RETURNING 1)",
    harm: "A gateway whose lease has ended writes to the log of its successor.",
    tests: ["tests/system/postgres_stores_test.ts"],
  },
  {
    name: "page-without-its-policy",
    file: "src/http/gateway/explorer_routes.ts",
    text: `    "Content-Security-Policy": policy,\n`,
    replacement:
      `    "Content-Security-Policy": policy.replace("default-src 'none'", "default-src *"),\n`,
    harm: "A script that gets into the page sends API keys anywhere.",
    tests: ["tests/system/explorer_test.ts"],
  },
  {
    name: "hex-of-new-engines-alone",
    file: "src/base/bytes.ts",
    text: "return bytesToHex(bytes);",
    replacement: "return bytes.toHex();",
    harm: "The package fails on Node 20.",
    tests: ["tests/system/npm_package_test.ts"],
  },
];
