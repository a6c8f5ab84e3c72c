/**
 * Successions: documents, chains, and what a verifier follows.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { JsonValue } from "../../src/format/strict_json.ts";
import { parseSuccession, parseSuccessionChain } from "../../src/format/succession.ts";
import { followSuccession } from "../../src/verify/followed_network.ts";
import { VERIFY_REASONS } from "../../src/verify/reasons.ts";
import { SCHEMES } from "../schemes.ts";
import { nativeCrypto } from "../schemes.ts";
import { threeEpochs } from "../verify/test_succession.ts";
import { ofText, type Target } from "./engine.ts";
import { plain } from "./format_targets.ts";

/** The documents, and what a pin of the middle epoch follows. */
export const SUCCESSION_TARGETS: readonly Target[] = SCHEMES.flatMap((scheme): Target[] => {
  const { epochs, links } = threeEpochs(scheme, `fuzz.example/${scheme}`);
  const pinned = epochs[1].configuration;
  const { end: _, ...document } = links[0];
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
