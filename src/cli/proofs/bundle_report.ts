/**
 * The report of a bundle: one sentence, then its layers.
 *
 * @module
 */

import type { Attestation } from "../../proof/format/attestation.ts";
import type { Distrust } from "../../proof/verify/followed_network.ts";
import type { TimeBracket } from "../../proof/verify/time_bracket.ts";
import type { Level, Verdict } from "../../proof/verify/verdict.ts";
import { anchorLines, anchorsJson, type ShownAnchors } from "../anchor_report.ts";
import type { CommandContext } from "../command_context.ts";
import { describeMemory, type HeadMemory } from "../head_memory.ts";
import { hashContent } from "../input_file.ts";
import type { Line, Output } from "../output.ts";
import type { PolicyVerdict } from "../../proof/verify/witnessed_policy.ts";
import { type ShownSource, sourceJson, sourceText } from "../trusted_network.ts";
import {
  attestationJson,
  attestationLines,
  briefClosing,
  closingLines,
  describeCount,
  faultLines,
  headline,
  layerLines,
  overdueText,
  timeLines,
} from "../verdict_report.ts";
import type { BundleFindings, MirrorFinding } from "./bundle_check.ts";
import {
  areListedAccepted,
  checkListedFiles,
  listedHeadline,
  listedLines,
  type ListFindings,
} from "./listed_files.ts";
import type { FoundProof, HashedFile } from "./saved_proofs.ts";
import { statementText } from "./statement.ts";
import { type ShownToken, tokenLines, tokenStatement } from "./timestamp_proof.ts";

/** Parts of a report besides the findings. */
export interface BundleSubject {
  /** The file with the bundle. */
  readonly proof?: string | undefined;
  /** The file that the bundle was compared with. */
  readonly content?: HashedFile | undefined;
  /** A file that `content`, a checksum list, contains. */
  readonly listed?:
    | HashedFile & {
      /** The list has this digest. */
      readonly matches: boolean;
    }
    | undefined;
  /** Findings about all files that `content` lists, if it is a checksum list. */
  readonly list?: ListFindings | undefined;
  /** The time-stamp token that carries the bundle. */
  readonly token?: ShownToken | undefined;
}

/**
 * Hashes the files that a found proof is about. If `content` is a checksum list and no listed file was
 * asked for, all files that it lists are compared, unless `looksAtListed` is false. `file_failed`.
 */
export async function subjectOf(
  context: CommandContext,
  { proof, content, listed }: Partial<FoundProof>,
  {
    looksAtListed = true,
    hashOf = (file) => hashContent(context, file),
    attestedHashOf = hashOf,
  }: {
    readonly looksAtListed?: boolean;
    readonly hashOf?: (file: string) => Promise<string>;
    /** Of what a token is about. Checksum lists have SHA-256, whatever hash function it has. */
    readonly attestedHashOf?: (file: string) => Promise<string>;
  } = {},
): Promise<BundleSubject> {
  if (content === undefined) return { proof };
  const subject = { proof, content: { file: content, hash: await attestedHashOf(content) } };
  if (listed === undefined) {
    if (!looksAtListed) return subject;
    return { ...subject, list: await checkListedFiles(context, content, hashOf) };
  }
  const { file } = listed;
  const hash = await hashOf(file);
  return { ...subject, listed: { file, hash, matches: hash === listed.hash } };
}

/** True if the proof is valid and is about the listed file or files, if there are any. */
export function isAccepted(
  { verdict }: BundleFindings,
  { listed, list, token }: BundleSubject,
): boolean {
  return verdict.valid && listed?.matches !== false && areListedAccepted(list) &&
    token?.valid !== false;
}

const MIRROR_TEXTS: Readonly<Record<MirrorFinding["relation"], string>> = {
  inclusion: "shows that the hash is in the log, which the bundle did not",
  extends: "extends the bundle's tree head",
  smaller: "smaller than the bundle's tree head, not compared",
};

export function bundleStatement(findings: BundleFindings, subject: BundleSubject): string {
  const { bundle, trusted: { network }, verdict } = findings;
  const { attestation, batch, federation } = verdict.layers;
  const { token } = subject;
  const { hash } = bundle.signed_attestation.attestation;
  // A mismatch says nothing about the file if the token and its own bundle differ.
  const isOfOther = attestation.reason === "hash_mismatch" && token?.attested_hash !== hash;
  if (token?.valid === false && (verdict.valid || isOfOther)) {
    return tokenStatement(token, subject.content?.file ?? subject.proof!);
  }
  if (verdict.valid && subject.listed?.matches === false) {
    return `${subject.listed.file} has changed: ${subject.content?.file} lists another digest`;
  }
  return statementText({
    attestation: bundle.signed_attestation.attestation,
    network,
    valid: verdict.valid,
    reason: attestation.reason,
    field: attestation.field,
    witness: attestation.witness,
    signatures: attestation.signatures?.verified ?? 0,
    unknown: attestation.signatures?.unknown ?? [],
    time: verdict.time,
    batch: batch.status,
    peers: verdict.level === "federated" ? federation.counted : undefined,
    file: subject.content?.file,
    listed: subject.listed?.file,
    digest: token && [token.hash_algorithm, token.digest],
    refreshed: token && subject.proof,
  });
}

export function reportBundle(
  output: Output,
  findings: BundleFindings,
  subject: BundleSubject,
  detail: ReportDetail,
): void {
  const accepted = isAccepted(findings, subject);
  output.result(
    {
      valid: accepted,
      // A checksum list is proved even if files that it lists have changed.
      proved: findings.verdict.valid && subject.listed?.matches !== false &&
        subject.token?.valid !== false,
      level: accepted ? findings.verdict.level : "invalid",
      statement: bundleStatement(findings, subject),
      ...bundleJson(findings, subject),
    },
    (shown) => reportLines(shown, detail),
  );
}

/** The layers that stay verified without the signatures of distrusted witnesses. */
function standingOf({ verdict: { layers } }: BundleFindings): string[] {
  return [
    ...(layers.attestation.status === "verified" ? ["attestation"] : []),
    ...(layers.batch.status === "verified" ? ["tree head"] : []),
    ...layers.cross_anchors.flatMap(({ status, network }) =>
      status === "verified" ? [`cross-anchor of ${network}`] : []
    ),
    ...layers.external_anchors.anchors.flatMap(({ bound, provider, service = provider }) =>
      bound ? [`external anchor of ${service}`] : []
    ),
  ];
}

/** The report of a bundle, as JSON. */
interface ShownBundle extends Attestation, Partial<ShownAnchors> {
  readonly valid: boolean;
  readonly proved: boolean;
  readonly level: Level;
  readonly statement: string;
  readonly proof?: string | undefined;
  readonly content?: HashedFile | undefined;
  readonly listed?: HashedFile | undefined;
  readonly listed_files?: ListFindings | undefined;
  readonly configuration: ShownSource;
  readonly layers: Verdict["layers"];
  readonly distrusted?: readonly Distrust[] | undefined;
  readonly stands?: readonly string[] | undefined;
  readonly witness_policy?: PolicyVerdict | undefined;
  readonly time: TimeBracket;
  readonly batch_overdue_since?: number | undefined;
  readonly mirror?: {
    readonly place: string;
    readonly tree_size: number;
    readonly relation: MirrorFinding["relation"];
  };
  readonly remembered_head?: HeadMemory | undefined;
  readonly unauthenticated: readonly string[];
  readonly token?: ShownToken | undefined;
}

interface ReportDetail {
  /** False: a report says only who signed, what is wrong, and what was not compared. */
  readonly verbose: boolean;
  /** The layers of an invalid bundle. */
  readonly layers: "all" | "first failure";
}

function reportLines(shown: ShownBundle, detail: ReportDetail): Line[] {
  const { valid, proved, level, statement, content, listed_files: list } = shown;
  const head = headline(valid ? level : "invalid");
  const aboutList = proved && list !== undefined ? listedHeadline(content!.file, list) : "";
  let lines: Line[];
  if (!proved) lines = invalidLines(shown, detail);
  else lines = detail.verbose ? validLines(shown) : briefLines(shown);
  return [
    { ...head, text: `${head.text}${aboutList}` },
    statement,
    ...(proved && list !== undefined ? listedLines(list, detail.verbose) : []),
    ...distrustLines(shown),
    ...(shown.token === undefined ? [] : tokenLines(shown.token)),
    ...lines,
  ];
}

function distrustLines({ distrusted = [], stands = [] }: ShownBundle): string[] {
  if (distrusted.length === 0) return [];
  const names = distrusted.map(({ witness, size }) => `${witness} from tree size ${size}`);
  return [
    `not counted: ${names.join(", ")}`,
    `still stands: ${stands.join(", ") || "nothing"}`,
  ];
}

function validLines(shown: ShownBundle): Line[] {
  const { content, proof, external_anchors, missing_anchors = [], witness_policy } = shown;
  const { batch_overdue_since: due, remembered_head: memory, mirror } = shown;
  const anchors = external_anchors && anchorLines({ external_anchors, missing_anchors });
  const head = memory && describeMemory(memory);
  return [
    ...attestationLines(shown),
    ...(content === undefined ? [] : [`content: ${content.file} has this ${hashName(shown)}`]),
    ...(proof === undefined ? [] : [`proof: ${proof}`]),
    `configuration: ${sourceText(shown.configuration)}`,
    ...layerLines(shown, anchors),
    ...(witness_policy === undefined ? [] : [policyLine(witness_policy)]),
    ...timeLines(shown.time),
    ...(due === undefined ? [] : [overdueText(due)]),
    ...(head === undefined ? [] : [`tree head: ${head}`]),
    ...(mirror === undefined
      ? []
      : [`mirror: size ${mirror.tree_size}, ${MIRROR_TEXTS[mirror.relation]}`]),
    ...closingLines(shown.unauthenticated),
  ];
}

/** A report without faults: signatures, files, and what remains to be said. */
function briefLines(shown: ShownBundle): Line[] {
  const { proof, batch_overdue_since: due, remembered_head: memory } = shown;
  const { signatures } = shown.layers.attestation;
  return [
    ...(signatures === undefined ? [] : [describeCount(signatures)]),
    ...(proof === undefined ? [] : [`proof: ${proof}`]),
    `configuration: ${sourceText(shown.configuration)}`,
    ...faultLines(shown),
    ...(due === undefined ? [] : [overdueText(due)]),
    ...(memory?.relation === "unlinked"
      ? [
        `tree head: not compared with the remembered one of size ${memory.known_size} ` +
        "(--online compares them)",
      ]
      : []),
    briefClosing,
  ];
}

function policyLine({ met, cosigners }: PolicyVerdict): Line {
  const names = cosigners.join(", ") || "none";
  const text = `foreign witnesses: ${names}; the policy is ${met ? "" : "not "}met`;
  return met ? text : { text, accent: "red" };
}

/** An invalid proof: its unverified values are not shown, in particular no time. */
function invalidLines(shown: ShownBundle, { verbose, layers }: ReportDetail): Line[] {
  const { content, listed, hash, proof, layers: { attestation } } = shown;
  let shownLayers: Line[] = [];
  if (layers === "all") shownLayers = layerLines(shown);
  // The lines with the two hashes show a mismatch already.
  else if (attestation.status === "failed" && attestation.reason !== "hash_mismatch") {
    shownLayers = layerLines(shown).slice(0, 1);
  }
  return [
    ...(content === undefined ? [] : [`${hashName(shown)} of ${content.file}: ${content.hash}`]),
    ...(listed === undefined ? [] : [`hash of ${listed.file}: ${listed.hash}`]),
    `hash in the proof: ${hash}`,
    ...(proof === undefined ? [] : [`proof: ${proof}`]),
    `configuration: ${sourceText(shown.configuration)}`,
    ...shownLayers,
    ...(verbose ? closingLines() : [briefClosing]),
  ];
}

/** For a token of a longer hash function, what is attested of a file is not its SHA-256. */
function hashName({ token }: ShownBundle): string {
  return token === undefined || token.hash_algorithm === "SHA-256" ? "hash" : "attested hash";
}

function bundleJson(
  findings: BundleFindings,
  { proof, content, listed, list, token }: BundleSubject,
) {
  const { bundle, trusted, verdict, anchors, memory, due, mirror } = findings;
  const { hash } = bundle.signed_attestation.attestation;
  return {
    ...attestationJson(bundle.signed_attestation),
    ...(proof !== undefined && { proof }),
    ...(content !== undefined && {
      content: { ...content, matches: content.hash === hash },
    }),
    ...(listed !== undefined && { listed }),
    ...(list !== undefined && { listed_files: list }),
    configuration: sourceJson(trusted),
    layers: verdict.layers,
    ...(findings.distrust.length > 0 &&
      { distrusted: findings.distrust, stands: standingOf(findings) }),
    ...(anchors !== undefined && anchorsJson(anchors)),
    witness_policy: findings.witnesses,
    signers: verdict.signers,
    time: verdict.time,
    ...(due !== undefined && { batch_overdue_since: due }),
    ...(mirror !== undefined && {
      mirror: { place: mirror.name, tree_size: mirror.size, relation: mirror.relation },
    }),
    ...(memory !== undefined && { remembered_head: memory }),
    unauthenticated: verdict.unauthenticated,
    ...(token !== undefined && { token }),
    not_proven: verdict.notProven,
  };
}
