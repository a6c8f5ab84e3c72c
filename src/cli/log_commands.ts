/**
 * `log sth`, `log consistency` and `log proof`: print resources of the log, and with `--verify` check
 * them against a trusted configuration and the remembered tree head.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { CountersignError } from "../base/errors.ts";
import type { SignedAttestation } from "../proof/format/bundle.ts";
import type { SignedTreeHead } from "../proof/format/tree_head.ts";
import { verifyConsistencyProof, verifyInclusionProof } from "../proof/verify/log_proofs.ts";
import type { Outcome } from "../proof/verify/reasons.ts";
import type { SignatureCount } from "../proof/verify/threshold.ts";
import { verifySignedTreeHead } from "../proof/verify/tree_head.ts";
import { NOT_PROVEN } from "../proof/verify/verdict.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "./define_command.ts";
import {
  count,
  flag,
  hashArgument,
  networkConfigOption,
  optional,
  optionalPositional,
  positional,
} from "./options.ts";
import { mirrorOption, type OpenedMirror, trustedMirror } from "./mirror/opened_mirror.ts";
import { logContradictions } from "./log_contradictions_command.ts";
import { timeText } from "./output.ts";
import { describeMemory, rememberHead } from "./head_memory.ts";
import {
  followedFurther,
  sourceJson,
  sourceText,
  type TrustedNetwork,
  trustedNetwork,
} from "./trusted_network.ts";
import { closingLines, describeCount, describeFailure } from "./verdict_report.ts";

const verifyOptions = {
  verify: flag("--verify", "Verify the answer against the pinned configuration and the request."),
  networkConfig: networkConfigOption,
};

/** Options of proofs from a mirror's checkpoint and entries. A mirror has one signed head. */
const mirrorOptions = { ...verifyOptions, mirror: mirrorOption };

/** A resource of the log, and how to verify it. */
interface LogResource<M> {
  /** The gateway's answer, printed without `--verify`. */
  readonly text: string;
  /** The resource under its name in a JSON report. */
  readonly member: M;
  readonly lines: (member: M) => readonly string[];
  /** The (later) tree head, which is compared with the remembered one. */
  readonly head: SignedTreeHead;
  /** Path of the head's size if the latest was requested: it must not precede the remembered one. */
  readonly latest?: string | undefined;
  /** The mirror that the resource is from. */
  readonly mirror?: OpenedMirror | undefined;
  /** Returns the result, and the signatures of `head`. */
  readonly verify: (trusted: TrustedNetwork) => Promise<[Outcome, SignatureCount]>;
}

/** `log sth`. Verifies signatures, the requested size and growth from the remembered head. */
const logSth = defineSubcommand("log sth", {
  brief: "Show a signed tree head",
  options: {
    treeSize: optionalPositional(count("SIZE", 0), "Tree size (default: the latest)."),
    ...mirrorOptions,
  },
  async run(options, context) {
    const { treeSize } = options;
    const mirror = await trustedMirror(context, options);
    const { text, value: sth } = mirror === undefined
      ? await context.gateway.sth(treeSize)
      : documentOf(headOf(mirror, treeSize));
    return await showResource(options, context, {
      text,
      member: { sth },
      lines: ({ sth }) => headLines(sth),
      head: sth,
      mirror,
      latest: treeSize === undefined ? "tree_head.tree_size" : undefined,
      async verify({ network }) {
        const outcome = await verifySignedTreeHead(context.crypto, network, sth);
        const isOtherSize = treeSize !== undefined && sth.tree_head.tree_size !== treeSize;
        if (!outcome.valid || !isOtherSize) return [outcome, outcome];
        const field = "tree_head.tree_size";
        return [{ valid: false, reason: "tree_size_mismatch", field }, outcome];
      },
    });
  },
});

/** `log consistency`. Verifies both heads and the proof between the requested sizes. */
const logConsistency = defineSubcommand("log consistency", {
  brief: "Show that one tree is a prefix of another",
  options: {
    first: positional(count("FIRST", 1), "Size of the smaller tree."),
    second: positional(count("SECOND", 1), "Size of the larger tree."),
    ...mirrorOptions,
  },
  async run(options, context) {
    const { first, second } = options;
    const mirror = await trustedMirror(context, options);
    const { text, value: proof } = mirror === undefined
      ? await context.gateway.consistency(first, second)
      : documentOf(await mirrorConsistency(context, mirror, first, second));
    return await showResource(options, context, {
      text,
      member: { consistency_proof: proof },
      lines: ({ consistency_proof: { first_sth, second_sth, consistency_path } }) => [
        ...headLines(first_sth).map((line) => `first ${line}`),
        ...headLines(second_sth).map((line) => `second ${line}`),
        ...consistency_path.map((node, i) => `consistency path ${i}: ${node}`),
      ],
      head: proof.second_sth,
      mirror,
      async verify({ network }) {
        const sizes = { first, second };
        const outcome = await verifyConsistencyProof(context.crypto, network, proof, sizes);
        return [outcome, outcome.second];
      },
    });
  },
});

/** `log proof`. Verifies the head, the attestation, and that the leaf rebuilt from it is included. */
const logProof = defineSubcommand("log proof", {
  brief: "Show that the attestation of a hash is in the log",
  options: {
    hash: hashArgument,
    treeSize: optional("--tree-size", count("SIZE", 0), "A published size (default: the latest)."),
    ...mirrorOptions,
  },
  async run(options, context) {
    const { hash } = options;
    const mirror = await trustedMirror(context, options);
    const { text, value: proof } = mirror === undefined
      ? await askInclusion(context, hash, options.treeSize)
      : documentOf(await mirrorInclusion(mirror, hash, options.treeSize));
    const treeSize = options.treeSize ?? proof.tree_size;
    return await showResource(options, context, {
      text,
      member: { inclusion_proof: proof },
      lines: ({ inclusion_proof: { hash, leaf_hash, leaf_index, inclusion_path, sth } }) => [
        `hash: ${hash}`,
        `leaf hash: ${leaf_hash}`,
        `leaf index: ${leaf_index}`,
        ...inclusion_path.map((node, i) => `inclusion path ${i}: ${node}`),
        ...headLines(sth),
      ],
      head: proof.sth,
      mirror,
      latest: options.treeSize === undefined ? "sth.tree_head.tree_size" : undefined,
      async verify({ network }) {
        // A proof names only a leaf hash: the attestation shows that the leaf is about this hash. The
        // leaf hash of a mirror's proof was computed from the attestation in its entry.
        const expected = mirror === undefined
          ? { hash, treeSize, signedAttestation: await attestationOf(context, hash) }
          : { hash, treeSize };
        const outcome = await verifyInclusionProof(context.crypto, network, proof, expected);
        return [outcome, outcome];
      },
    });
  },
});

async function askInclusion({ gateway }: CommandContext, hash: string, treeSize?: number) {
  const size = treeSize ?? (await gateway.sth(undefined)).value.tree_head.tree_size;
  return await gateway.inclusion(hash, size);
}

async function mirrorInclusion(opened: OpenedMirror, hash: string, treeSize?: number) {
  const sth = headOf(opened, treeSize);
  return await opened.mirror.inclusion(await opened.mirror.find(hash), sth);
}

/** The proof from the remembered head to the mirror's, which has no other signed heads. */
async function mirrorConsistency(
  { trust }: CommandContext,
  opened: OpenedMirror,
  first: number,
  second: number,
) {
  const { mirror, trusted: { network } } = opened;
  const known = await trust.head(network.id);
  const isKnown = known?.tree_head.tree_size === first && first <= second;
  return await mirror.consistency(isKnown ? known : headOf(opened, first), headOf(opened, second));
}

/** The mirror's head, if it has size `treeSize`. */
function headOf({ name, mirror, sth }: OpenedMirror, treeSize = mirror.size): SignedTreeHead {
  if (treeSize === mirror.size) return sth;
  throw new CountersignError(
    "tree_size_not_published",
    `No tree head of size ${treeSize}: mirror ${name} has only that of size ${mirror.size}`,
  );
}

function documentOf<T>(value: T): { readonly text: string; readonly value: T } {
  return { text: JSON.stringify(value, undefined, 2), value };
}

async function attestationOf(
  { gateway }: CommandContext,
  hash: string,
): Promise<SignedAttestation> {
  const { value: job } = await gateway.job(hash, 0);
  if (job.signed_attestation !== undefined) return job.signed_attestation;
  throw new CountersignError(
    "not_confirmed",
    `Cannot verify the proof of ${hash}: ${
      job.status === "failed"
        ? "the gateway could not have the hash signed"
        : "the hash is accepted, but not yet signed. Try again later"
    }`,
  );
}

function headLines({ tree_head: head }: SignedTreeHead): string[] {
  return [
    `network: ${head.network_id}`,
    `tree size: ${head.tree_size}`,
    `root hash: ${head.root_hash}`,
    `time: ${timeText(head.timestamp)}`,
  ];
}

async function showResource<M extends object>(
  { verify, networkConfig }: ValuesOf<typeof verifyOptions>,
  context: CommandContext,
  resource: LogResource<M>,
): Promise<number> {
  const { output } = context;
  const { text, lines, member, head, mirror } = resource;
  if (!verify) {
    const hint = "Not verified. To verify it, add --verify.";
    output.document(text, member, (shown) => [...lines(shown), hint]);
    return 0;
  }
  const trust = { networkConfig, online: false, isAnswer: true };
  let trusted = mirror?.trusted ??
    await trustedNetwork(context, trust, head.tree_head.network_id);
  let [verified, count] = await resource.verify(trusted);
  const further = verified.valid || mirror !== undefined
    ? undefined
    : await followedFurther(context, trusted, context.gateway);
  if (further !== undefined) {
    trusted = further;
    [verified, count] = await resource.verify(trusted);
  }
  const memory = verified.valid
    ? await rememberHead(context, trusted, head, { mayAsk: true, mirror: mirror?.mirror })
    : undefined;
  // The gateway was restored from an old copy, or hides a head that it published.
  const isOutdated = resource.latest !== undefined && memory?.relation === "precedes";
  const outcome: Outcome = isOutdated
    ? { valid: false, reason: "head_outdated", field: resource.latest }
    : verified;
  const { valid, reason, field } = outcome;
  output.result({
    valid,
    reason,
    field,
    ...member,
    verified_signatures: count.verified,
    required_signatures: count.required,
    signers: count.signers,
    ...(count.epoch !== undefined && { epoch: count.epoch }),
    configuration: sourceJson(trusted),
    ...(memory !== undefined && { remembered_head: memory }),
    not_proven: NOT_PROVEN,
  }, (shown) => {
    const { valid, configuration, remembered_head } = shown;
    const { verified_signatures: verified, required_signatures: required } = shown;
    const sentence = remembered_head && describeMemory(remembered_head);
    return [
      valid
        ? { text: "VALID", accent: "green" }
        : { text: describeFailure(shown, "INVALID"), accent: "red" },
      ...lines(shown),
      `configuration: ${sourceText(configuration)}`,
      `tree head: ${describeCount({ ...shown, verified, required })}`,
      ...(sentence === undefined ? [] : [`tree head: ${sentence}`]),
      ...closingLines(),
    ];
  });
  return valid ? 0 : 1;
}

export const log = namedCommand("log", or(logSth, logConsistency, logProof, logContradictions));
