/**
 * Schemas of what a gateway shows of its peers: heads that it has seen, and those that contradict
 * one another.
 *
 * @module
 */

import { z } from "@hono/zod-openapi";
import { SIGNATURE_LENGTH } from "../../format/signature_set.ts";
import { CONTRADICTION, SEEN_TREE_HEAD } from "./examples.ts";
import { HashPath, hex, NetworkId, time } from "./primitives.ts";
import { SignedTreeHead } from "./signed.ts";

const LOGGED_HEAD_MEMBERS = {
  sth: SignedTreeHead,
  log_signature: hex(
    SIGNATURE_LENGTH.ed25519,
    "The log key's Ed25519 signature over the checkpoint body",
  ),
};

const LoggedTreeHead = z.strictObject(LOGGED_HEAD_MEMBERS).openapi("LoggedTreeHead", {
  description: "A tree head signed by the threshold of its network and by its log's key",
  example: CONTRADICTION.first,
});

export const SeenTreeHeads = z.array(
  z.strictObject({
    origin: NetworkId,
    seen_at: time("When it was accepted"),
    ...LOGGED_HEAD_MEMBERS,
  }).openapi("SeenTreeHead", {
    description: "The head of a peer's log that was last accepted here",
    example: SEEN_TREE_HEAD,
  }),
).openapi({ example: [SEEN_TREE_HEAD] });

export const Contradictions = z.array(
  z.strictObject({
    origin: NetworkId,
    found_at: time("When it was found; nothing signed says so"),
    first: LoggedTreeHead,
    second: LoggedTreeHead,
    consistency_path: HashPath,
  }).openapi("Contradiction", {
    description:
      "Two heads of one log that cannot both be. Of one size they have two roots and an " +
      "empty path; of two, the path leads from another root than the first's to the second's. " +
      "Where the first's size is a power of two, that root stands in front of the path.",
    example: CONTRADICTION,
  }),
).openapi({ example: [CONTRADICTION] });
