/**
 * Defects of `src/gateway` and of the storage of a log.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const GATEWAY_DEFECTS: readonly Defect[] = [
  {
    name: "acknowledged-before-the-commit",
    file: "src/gateway/intake/committer.ts",
    text: `    const { end } = waiter;
    if (end <= this.#durable) return waiter.done();`,
    replacement: `    const { end } = waiter;
    if (end <= this.#index.end) return waiter.done();`,
    harm: "A crash loses a hash whose client got a 2xx.",
    tests: ["tests/gateway/committer_test.ts"],
  },
  {
    name: "token-spent-twice",
    file: "src/gateway/intake/assigner.ts",
    text: "if (needed.has(id) || this.#spent.index.probeUnsealed(idWords, i) !== ABSENT) {",
    replacement: "if (needed.has(id)) {",
    harm: "One token pays for any number of hashes.",
    tests: ["tests/gateway/spending_test.ts"],
  },
  {
    name: "events-skipped-after-reconnect",
    file: "src/gateway/events/event_feed.ts",
    text: "if (isAtMost(after, emittedUpTo)) return { position: after, hasGap: false };",
    replacement:
      "if (isAtMost(after, emittedUpTo)) return { position: emittedUpTo, hasGap: false };",
    harm: "A follower that reconnects never learns what happened meanwhile.",
    tests: ["tests/gateway/event_feed_property_test.ts"],
  },
  {
    name: "lease-from-the-answer-on",
    file: "src/gateway/held_lease.ts",
    text: "this.#endsMs = isHeld ? endOf(askedMs) : -Infinity;",
    replacement: "this.#endsMs = isHeld ? endOf(clock.elapsedMs()) : -Infinity;",
    harm: "A gateway answers after its lease has ended at the database.",
    tests: ["tests/gateway/held_lease_test.ts"],
  },
  {
    name: "proof-to-another-root",
    file: "src/gateway/proving/published_log.ts",
    text: "if (!equalBytes(await this.#context.tiles.root(head.size), head.root)) {",
    replacement: "if (head.root.length === 0) {",
    harm: "A gateway serves proofs that do not lead to the head that the witnesses signed.",
    tests: ["tests/gateway/proving_test.ts"],
  },
  {
    name: "time-stamp-of-another-digest",
    file: "src/proof/timestamp/verify.ts",
    text: "if (expected.imprint !== undefined && !isSameImprint(imprint, expected.imprint)) {",
    replacement: "if (expected.imprint === null) {",
    harm: "A time-stamp of something else is shown as one of the log.",
    tests: ["tests/proof/timestamp/token_test.ts"],
  },
  {
    name: "token-before-its-attestation",
    file: "src/http/gateway/timestamp_routes.ts",
    text: "  if (terminal) return await proofs.attested(hash);",
    replacement:
      "  if (terminal !== undefined) return { timestamp: 1_795_262_400, sequence: 0, bundle: `{}` };",
    harm: "The authority signs a time that no witness attested.",
    tests: ["tests/http/timestamp_routes_test.ts"],
  },
  {
    name: "block-of-another-digest",
    file: "src/gateway/anchors/opentimestamps/verify.ts",
    text: "if (equalBytes(block.merkleRoot, message)) {",
    replacement: "if (block.merkleRoot.length === message.length) {",
    harm: "Any Bitcoin block dates the log.",
    tests: ["tests/gateway/anchors/opentimestamps/verify_test.ts"],
  },
  {
    name: "fence-unchecked",
    file: "src/storage/log/kv_fence.ts",
    text: "return commit.check({ key: logKeys.fence(), versionstamp: this.#versionstamp });",
    replacement: "return commit;",
    harm: "Two gateways write to one store.",
    tests: ["tests/storage/log_store_test.ts"],
  },
];
