/**
 * Successions: documents, chains, and what a verifier follows.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { JsonValue } from "../../src/proof/format/strict_json.ts";
import { parseSuccession, parseSuccessionChain } from "../../src/proof/format/succession.ts";
import { parseEvidence } from "../../src/proof/format/federation.ts";
import { followSuccession } from "../../src/proof/verify/followed_network.ts";
import { VERIFY_REASONS } from "../../src/proof/verify/reasons.ts";
import { verifyAnyContradiction } from "../../src/proof/verify/succession_conflict.ts";
import { nativeCrypto, SCHEMES } from "../schemes.ts";
import {
  closeLink,
  propose,
  signSuccession,
  threeEpochs,
} from "../proof/verify/test_succession.ts";
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
      covers: ["proof/format/succession.ts#parseSuccession"],
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
        "proof/format/federation.ts#parseEvidence",
        "proof/verify/succession_conflict.ts#verifyAnyContradiction",
        "proof/verify/succession_conflict.ts#verifyConflict",
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
        "proof/format/succession.ts#parseSuccessionChain",
        "proof/verify/succession_link.ts#verifyLink",
        "proof/verify/succession_link.ts#verifySuccession",
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
