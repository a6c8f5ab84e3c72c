/**
 * Schemas of the seen tree heads and the contradicting tree heads of peer networks.
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
  description: "A tree head with the signatures of its threshold and of its log key",
  example: CONTRADICTION.first,
});

export const SeenTreeHeads = z.array(
  z.strictObject({
    origin: NetworkId,
    seen_at: time("When this gateway accepted the head"),
    ...LOGGED_HEAD_MEMBERS,
  }).openapi("SeenTreeHead", {
    description: "The latest tree head of a peer that this gateway accepted",
    example: SEEN_TREE_HEAD,
  }),
).openapi({ example: [SEEN_TREE_HEAD] });

export const Contradictions = z.array(
  z.strictObject({
    origin: NetworkId,
    found_at: time("When this gateway found it; not signed"),
    first: LoggedTreeHead,
    second: LoggedTreeHead,
    consistency_path: HashPath,
  }).openapi("Contradiction", {
    description:
      "Two signed tree heads of one log that no append-only log can have both. At equal sizes " +
      "the roots differ and the path is empty. At different sizes the path proves that the " +
      "second root extends a root other than the first's. If the first size is a power of two, " +
      "the path begins with that other root.",
    example: CONTRADICTION,
  }),
).openapi({ example: [CONTRADICTION] });
