/**
 * Lies about signed tree heads: what they say, who signed them, and which one is shown.
 *
 * @module
 */

import type { SignedTreeHead } from "../../src/proof/format/tree_head.ts";
import {
  type Edit,
  editing,
  forwarded,
  fromImpostor,
  heads,
  otherHex,
  refusing,
} from "./changes.ts";
import { each, FORK, headed, OTHER_NETWORK } from "./expected_reports.ts";
import type { Lie } from "./lie.ts";
import type { Route } from "./lying_server.ts";
import { HASH, roundMessage, SIZES, type World } from "./world.ts";

const UNSIGNED = "malformed_bundle: member signatures is missing";

const BOTH = ["ed25519", "bls"] as const;
const [FIRST, SECOND, THIRD] = SIZES;

function headLie(
  name: string,
  edit: Edit<SignedTreeHead>,
  says: Lie["says"],
  schemes: Lie["schemes"] = ["ed25519"],
): Lie {
  return { name, changes: heads(edit), says, schemes };
}

function withHead(change: (head: SignedTreeHead["tree_head"]) => object): Edit<SignedTreeHead> {
  return (sth) => ({ ...sth, tree_head: { ...sth.tree_head, ...change(sth.tree_head) } });
}

const signedHeads: readonly Lie[] = [
  headLie(
    "heads with another root",
    withHead(({ root_hash }) => ({
      root_hash: otherHex(root_hash),
    })),
    headed("signature_invalid"),
    BOTH,
  ),
  headLie("heads of another size", withHead(({ tree_size }) => ({ tree_size: tree_size + 1 })), {
    ...headed("signature_invalid"),
    ...each("1 gateway_refused 404 tree_size_not_published", "log proof", "log proof verify"),
    "check of growth": "nothing: 404",
  }),
  headLie("heads of no leaves", withHead(() => ({ tree_size: 0 })), {
    ...headed("empty_root_wrong", "tree_head.root_hash"),
    ...each("1 gateway_refused 404 tree_size_not_published", "log proof", "log proof verify"),
    "check of growth": "nothing: 400",
  }),
  headLie(
    "heads at another time",
    withHead(({ timestamp }) => ({
      timestamp: timestamp + 86_400,
    })),
    headed("signature_invalid"),
  ),
  headLie(
    "heads of another network",
    withHead(() => ({ network_id: "evil.example/log" })),
    {
      ...headed("network_mismatch", "tree_head.network_id"),
      ...each(
        `1 ${OTHER_NETWORK}`,
        "sth verify",
        "sth of a size",
        "consistency verify",
        "log proof verify",
        "log proof of a size",
      ),
    },
  ),
  headLie(
    "heads that nobody signed",
    ({ tree_head }, { keys }) => (
      keys.configuration.signature_scheme === "bls"
        ? { tree_head, signature: "00".repeat(48), signers: [] }
        : { tree_head, signatures: [] }
    ),
    headed("threshold_not_met"),
    BOTH,
  ),
  headLie("heads without signatures", ({ tree_head }) => ({ tree_head }), {
    ...each(
      `1 ${UNSIGNED}`,
      "stamp save",
      "bundle",
      "verify-proof",
      "verify-proof at first",
      "sth",
      "sth verify",
      "sth of a size",
      "consistency",
      "consistency verify",
      "log proof",
      "log proof verify",
      "log proof of a size",
    ),
    "stamp at first": `1 ${UNSIGNED}`,
    ...each(
      "malformed_bundle",
      "check of the bundle",
      "check of the head",
      "check of growth",
      "check of the consistency",
      "check of the inclusion",
      "check of the proof",
    ),
  }),
  headLie(
    "heads that one witness signed",
    ({ tree_head }, { keys }) => keys.signHead(tree_head, [2]),
    headed("threshold_not_met"),
    BOTH,
  ),
  headLie(
    "heads that other keys signed",
    ({ tree_head }, { twinKeys }) => twinKeys.signHead(tree_head),
    headed("signature_invalid"),
    BOTH,
  ),
  headLie("heads with signatures of a round", async ({ tree_head }, world) => {
    const { signed_attestation } = await world.honest.bundle(HASH);
    return { tree_head, ...world.keys.sign(roundMessage(signed_attestation)) };
  }, headed("signature_invalid")),
];

/** A head of the first size that two witnesses sign, over unknown leaves. */
function inventedHead({ tree_head }: SignedTreeHead, { keys }: World): SignedTreeHead {
  return keys.signHead({ ...tree_head, root_hash: otherHex(tree_head.root_hash) });
}

const LOG_ROUTES = [
  "latest sth",
  "sth",
  "consistency",
  "inclusion",
] as const satisfies readonly Route[];

const forks: readonly Lie[] = [
  {
    name: "an old head as the latest",
    changes: forwarded(["latest sth"], () => `/v1/log/sth/${FIRST}`),
    says: {
      "sth": "0 shown",
      "sth verify": "1 invalid head_outdated tree_head.tree_size",
      ...each("1 gateway_refused 400 malformed_parameter", "log proof", "log proof verify"),
      "check of growth": "older valid",
    },
    schemes: BOTH,
  },
  {
    name: "the remembered head for ever",
    changes: forwarded(["latest sth"], () => `/v1/log/sth/${SECOND}`),
    says: {
      // Only the growth itself shows that a log has grown.
      ...each("0 shown", "sth", "log proof"),
      ...each("0 valid", "sth verify", "log proof verify"),
      "check of growth": "same valid",
    },
  },
  {
    name: "a fork of the remembered size, which two witnesses sign",
    changes: [{
      routes: ["latest sth"],
      answer: ({ impostor }) => impostor("fork", `/v1/log/sth/${SECOND}`),
    }],
    says: {
      ...each("0 shown", "sth", "log proof"),
      "sth verify": FORK,
      // Its own head is the honest one of that size.
      "log proof verify": "0 valid",
      "check of growth": "fork invalid head_forked tree_head",
    },
    schemes: BOTH,
  },
  {
    name: "a fork that grew beyond the remembered size",
    changes: fromImpostor("fork", LOG_ROUTES),
    says: {
      ...each("0 shown", "sth", "consistency", "log proof"),
      ...each(FORK, "sth verify", "sth of a size", "consistency verify"),
      ...each("1 invalid field_mismatch leaf_index", "log proof verify", "log proof of a size"),
      "check of growth": "larger invalid consistency_invalid consistency_path",
      "check of the inclusion": "invalid field_mismatch leaf_index",
    },
    schemes: BOTH,
  },
  {
    name: "a fork whose smaller head was never a prefix",
    changes: [
      editing<SignedTreeHead>(["sth"], (sth, { world }) => inventedHead(sth, world)),
    ],
    says: { "sth of a size": FORK },
  },
  {
    name: "a fork that one witness signs",
    changes: [
      editing<SignedTreeHead>(["latest sth"], async (_, { world }) => {
        const { tree_head } = await world.fork.sth(THIRD);
        return world.keys.signHead(tree_head, [0]);
      }),
    ],
    says: {
      "sth": "0 shown",
      "sth verify": "1 invalid threshold_not_met",
      ...each("invalid threshold_not_met", "check of the head", "check of growth"),
    },
    schemes: BOTH,
  },
  {
    name: "a published size denied",
    changes: refusing(["consistency", "sth"], 404, "tree_size_not_published"),
    says: {
      ...each(
        "1 gateway_refused 404 tree_size_not_published",
        "sth verify",
        "log proof verify",
        "sth of a size",
        "consistency",
        "consistency verify",
      ),
      ...each("nothing: 404", "check of growth", "check of the consistency"),
    },
  },
  {
    name: "no proof of growth, today",
    changes: refusing(["consistency"], 503, "storage_failed"),
    says: {
      ...each(
        "1 gateway_refused 503 storage_failed",
        "sth verify",
        "sth of a size",
        "log proof verify",
        "consistency",
        "consistency verify",
      ),
      ...each("nothing: 503", "check of growth", "check of the consistency"),
    },
  },
  {
    name: "a head of another size than the one asked for",
    changes: forwarded(["sth"], () => `/v1/log/sth/${SECOND}`),
    says: { "sth of a size": "1 invalid tree_size_mismatch tree_head.tree_size" },
  },
];

export const headLies: readonly Lie[] = [...signedHeads, ...forks];
