/**
 * Successions: documents, chains, and what a verifier follows.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { JsonValue } from "../../src/format/strict_json.ts";
import { parseSuccession, parseSuccessionChain } from "../../src/format/succession.ts";
import { parseEvidence } from "../../src/format/federation.ts";
import { followSuccession } from "../../src/verify/followed_network.ts";
import { VERIFY_REASONS } from "../../src/verify/reasons.ts";
import { verifyAnyContradiction } from "../../src/verify/succession_conflict.ts";
import { nativeCrypto, SCHEMES } from "../schemes.ts";
import { closeLink, propose, signSuccession, threeEpochs } from "../verify/test_succession.ts";
import { ofText, type Target } from "./engine.ts";
import { plain } from "./format_targets.ts";

/** The documents, and what a pin of the middle epoch follows. */
export const SUCCESSION_TARGETS: readonly Target[] = SCHEMES.flatMap((scheme): Target[] => {
  const { log, epochs, links } = threeEpochs(scheme, `fuzz.example/${scheme}`);
  const pinned = epochs[1].configuration;
  const { end: _, ...document } = links[0];
  const rival = propose(epochs[1], null, { treeSize: 15, nonce: "rival" });
  const second = closeLink(log, signSuccession(rival, epochs[1], null), epochs[1]);
  return [
    {
      name: `parseSuccession ${scheme}`,
      covers: ["format/succession.ts#parseSuccession"],
      codes: ["malformed_configuration"],
      seeds: [JSON.stringify(document)],
      read: ofText((text) => {
        const value = parseSuccession(text);
        assert.deepEqual(plain(value as unknown as JsonValue), JSON.parse(text));
      }),
    },
    {
      name: `parseEvidence ${scheme}`,
      covers: [
        "format/federation.ts#parseEvidence",
        "verify/succession_conflict.ts#verifyAnyContradiction",
        "verify/succession_conflict.ts#verifyConflict",
      ],
      codes: ["malformed_bundle"],
      seeds: [JSON.stringify({ origin: pinned.id, found_at: 1, first: links[1], second })],
      share: scheme === "bls" ? 0.1 : 0.5,
      read: ofText(async (text) => {
        const read = parseEvidence(text, "malformed_bundle");
        const { valid, reason } = await verifyAnyContradiction(nativeCrypto, pinned, read);
        assert.equal(valid, reason === undefined);
        if (!valid) return false;
        assert.deepEqual([read.first, read.second], [links[1], second]);
        return true;
      }),
    },
    {
      name: `followSuccession ${scheme}`,
      covers: [
        "format/succession.ts#parseSuccessionChain",
        "verify/succession_link.ts#verifyLink",
        "verify/succession_link.ts#verifySuccession",
      ],
      codes: ["malformed_configuration"],
      seeds: [JSON.stringify(links), JSON.stringify(links.slice(0, 1))],
      share: scheme === "bls" ? 0.1 : 0.5,
      read: ofText(async (text) => {
        const chain = parseSuccessionChain(text);
        const { network, failure } = await followSuccession(nativeCrypto, pinned, chain);
        if (failure !== undefined) {
          assert.ok(failure.reason in VERIFY_REASONS);
          assert.equal(network, pinned);
          return false;
        }
        assert.deepEqual(chain, links.slice(0, chain.length));
        return true;
      }),
    },
  ];
});
