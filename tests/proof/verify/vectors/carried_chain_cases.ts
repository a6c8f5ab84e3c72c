/**
 * Configurations that carry their chain (`succession` in `network.public.json`): proofs of every epoch
 * under the file of every epoch, and chains that do not lead to or from the configuration.
 *
 * @module
 */

import { publicNetwork } from "../../../../src/proof/format/public_network.ts";
import type { SignatureScheme } from "../../../../src/proof/format/signature_set.ts";
import type { SuccessionLink } from "../../../../src/proof/format/succession.ts";
import { twoSuccessions } from "../test_succession.ts";
import { frozenLog, garbage, retiredBundle } from "./kept_chain_cases.ts";
import { bundleOf, epochLogs } from "./succession_cases.ts";
import type { Vector } from "./vector.ts";

/** A sequence and a tree size of each epoch. */
const PLACES = [[3, 7], [12, 16], [20, 24]] as const;

export function carriedChainCases(scheme: SignatureScheme): Vector[] {
  return [0, 1, 2].flatMap((pin) => [...proofs(scheme, pin), ...chains(scheme, pin)]);
}

function proofs(scheme: SignatureScheme, pin: number): Vector[] {
  const { epochs, links: [first, second], log } = epochLogs[scheme];
  const whole = [first, second];
  const make = (kind: "bundle" | "tree_head", name: string, input: unknown): Vector => ({
    name: `${scheme}: the file of epoch ${pin} with its chain: ${name}`,
    kind,
    network: `${scheme} epoch ${pin} with its chain`,
    input: JSON.stringify(input),
  });
  const shown = (name: string, succession: readonly SuccessionLink[]) =>
    make("bundle", name, { ...bundleOf(scheme, 20, 24), succession });
  return [
    ...PLACES.map(([sequence, size], epoch) =>
      make("bundle", `a proof of epoch ${epoch}`, bundleOf(scheme, sequence, size))
    ),
    ...PLACES.map(([, size], epoch) =>
      make(
        "tree_head",
        `a head of epoch ${epoch}`,
        epochs[epoch]!.signHead(log.head(size, 1_766_278_000)),
      )
    ),
    make("bundle", "a leaf of epoch 2 by the retired keys", retiredBundle(scheme)),
    make("bundle", "the same with links that nobody signed", {
      ...retiredBundle(scheme),
      succession: garbage([...whole, first]),
    }),
    shown("a proof with the same chain", whole),
    shown("a proof with a prefix of the chain", [first]),
    shown("a proof with a rival", [twoSuccessions(scheme, epochs[0].id).second]),
  ];
}

/** The pinned configuration with other chains: `malformed`, unless the chain leads to it or from it. */
function chains(scheme: SignatureScheme, pin: number): Vector[] {
  const { epochs, links: [first, second] } = epochLogs[scheme];
  const { ended } = frozenLog(scheme);
  const make = (name: string, succession: unknown): Vector => ({
    name: `${scheme}: the file of epoch ${pin} with ${name}`,
    kind: "configuration",
    input: JSON.stringify({ ...publicNetwork(epochs[pin]!.configuration), succession }),
  });
  const without = (link: SuccessionLink, part: "predecessor" | "successor") => ({
    ...link,
    signatures: { ...link.signatures, [part]: link.signatures[part].slice(1) },
  });
  const elsewhere = epochLogs[scheme === "bls" ? "ed25519" : "bls"].links;
  return [
    make("its chain", [first, second]),
    make("a chain of one link", [first]),
    make("a chain without its first link", [second]),
    make("the links in the wrong order", [second, first]),
    make("the first link twice", [first, first, second]),
    make("no link", []),
    make("a null chain", null),
    make("a link with a further member", [{ ...first, more: 1 }, second]),
    make("links over other texts", garbage([first, second])),
    make("a last link over another text", [first, ...garbage([second])]),
    make("too few signatures of the predecessor", [without(first, "predecessor"), second]),
    make("a successor's signature missing", [first, without(second, "successor")]),
    make("an end that nobody signed", [
      first,
      { ...second, end: { ...second.end, signatures: [] } },
    ]),
    make("an end of another root", [
      { ...first, end: { ...first.end, root_hash: second.end.root_hash } },
      second,
    ]),
    make("a link after the end of the log", [ended, second]),
    make("the end of the log", [ended]),
    make("the chain of another network", elsewhere),
  ];
}
