/**
 * `verify-proof --anchors`: verifies the external anchors of a bundle. They never change its level
 * (protocol.md "Levels").
 *
 * @module
 */

import {
  ANCHOR_PROVIDERS,
  type AnchorFinding,
  providerNamed,
  verifyAnchors,
} from "../gateway/anchors/providers.ts";
import type { Bytes } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import type { ProofBundle } from "../proof/format/bundle.ts";
import { withTimeBounds } from "../proof/verify/time_bracket.ts";
import type { Verdict } from "../proof/verify/verdict.ts";
import type { CommandContext } from "./command_context.ts";
import { contentOf } from "./input_file.ts";
import type { ValuesOf } from "./define_command.ts";
import { flag, NAMED_FILE, repeated, textValue } from "./options.ts";
import { type Line, timeText } from "./output.ts";

/** All block headers of Bitcoin, about a million, take 80 MB. */
const MAX_ROOTS_BYTES = 256 * 1024 * 1024;

export const anchorOptions = {
  anchors: flag("--anchors", "Also verify the external anchors. The level is unaffected."),
  anchorRoots: repeated("--anchor-root", NAMED_FILE, "Trust root for anchors of provider NAME."),
  requiredAnchors: repeated(
    "--require-anchor",
    textValue("NAME"),
    "Exit 1 without a verified anchor of provider NAME.",
  ),
};

export interface AnchorVerification {
  /** By provider, in the order of the command line. */
  readonly roots: ReadonlyMap<string, readonly Bytes[]>;
  readonly required: readonly string[];
}

/** Anchors are compared with their proofs, which needs no roots. */
export const WITHOUT_ROOTS: AnchorVerification = { roots: new Map(), required: [] };

export interface AnchorReport {
  readonly findings: readonly AnchorFinding[];
  /** Required providers without a verified anchor. */
  readonly missing: readonly string[];
  /** Providers with supplied roots. */
  readonly rooted: ReadonlySet<string>;
}

/**
 * Reads the files of `options`; `undefined` if anchors are not verified. `usage` for an unknown
 * provider, `file_failed`.
 */
export async function anchorVerification(
  context: CommandContext,
  { anchors, anchorRoots, requiredAnchors }: ValuesOf<typeof anchorOptions>,
): Promise<AnchorVerification | undefined> {
  if (!anchors && anchorRoots.length === 0 && requiredAnchors.length === 0) return undefined;
  for (const name of requiredAnchors) requireProvider(name, "--require-anchor");
  const roots = new Map<string, Bytes[]>();
  for (const { name, file } of anchorRoots) {
    requireProvider(name, "--anchor-root");
    const read = roots.get(name) ?? [];
    read.push(await contentOf(context, file, MAX_ROOTS_BYTES));
    roots.set(name, read);
  }
  return { roots, required: [...new Set(requiredAnchors)] };
}

/** Verifies the anchors of `bundle`; `verdict` has their bindings. */
export async function anchorReport(
  verification: AnchorVerification | undefined,
  bundle: ProofBundle,
  verdict: Verdict,
): Promise<AnchorReport | undefined> {
  if (verification === undefined) return undefined;
  const { roots, required } = verification;
  const bindings = verdict.layers.external_anchors.anchors;
  const findings = await verifyAnchors(bundle.external_anchors, bindings, roots);
  const missing = required.filter((name) =>
    !findings.some(({ provider, status }) => provider === name && status === "verified")
  );
  return { findings, missing, rooted: new Set(roots.keys()) };
}

/**
 * `verdict` with the times of verified anchors as upper bounds, and without their fields among the
 * unauthenticated ones. `timestamp` stays: only some providers sign it.
 */
export function withVerifiedAnchors(verdict: Verdict, report: AnchorReport | undefined): Verdict {
  const findings = report?.findings ?? [];
  const covered = new Set(
    findings.flatMap(({ status }, i) =>
      status === "verified"
        ? ["provider", "status", "proof"].map((name) => `external_anchors[${i}].${name}`)
        : []
    ),
  );
  const not_after = findings.flatMap((finding) =>
    finding.status !== "verified" || finding.notAfter === undefined ? [] : [{
      time: finding.notAfter,
      source: finding.source,
      word: `the roots supplied for ${finding.provider}`,
    }]
  );
  return {
    ...verdict,
    time: withTimeBounds(verdict.time, { not_after }),
    unauthenticated: verdict.unauthenticated.filter((path) => !covered.has(path)),
  };
}

/** The anchors of a report, as JSON. */
export interface ShownAnchors {
  readonly external_anchors: readonly ShownAnchor[];
  readonly missing_anchors: readonly string[];
}

interface ShownAnchor {
  readonly provider: string;
  readonly service?: string | undefined;
  readonly tree_size: number;
  readonly bound: boolean;
  readonly status: AnchorFinding["status"];
  readonly not_after?: number | undefined;
  readonly source?: string | undefined;
  readonly reason?: string | undefined;
  /** The option that verifies it. */
  readonly help?: string | undefined;
}

/** A summary, and one line for each anchor. */
export function anchorLines({ external_anchors: anchors, missing_anchors }: ShownAnchors): Line[] {
  const present = anchors.filter(({ bound }) => bound).length;
  const verified = anchors.filter(({ status }) => status === "verified").length;
  return [
    `external anchors: ${present === 0 ? "absent" : `${present} present, ${verified} verified`}`,
    ...anchors.map(anchorLine),
    ...missing_anchors.map((name): Line => ({
      text: `required external anchor of ${name}: none is verified`,
      accent: "red",
    })),
  ];
}

export function anchorsJson({ findings, missing, rooted }: AnchorReport): ShownAnchors {
  return {
    external_anchors: findings.map((finding) => ({
      provider: finding.provider,
      service: finding.service,
      tree_size: finding.treeSize,
      bound: finding.bound,
      status: finding.status,
      ...(finding.status === "verified"
        ? { not_after: finding.notAfter, source: finding.source }
        : { reason: finding.reason }),
      ...rootsHelp(finding, rooted),
    })),
    missing_anchors: missing,
  };
}

function anchorLine(anchor: ShownAnchor): Line {
  const { provider, service, tree_size, status, reason, help } = anchor;
  const named = service === undefined ? provider : `${provider} (service ${service})`;
  const name = `external anchor of ${named}, tree size ${tree_size}:`;
  switch (status) {
    case "verified": {
      const time = anchor.not_after === undefined
        ? ""
        : `, not after ${timeText(anchor.not_after)}`;
      return `${name} verified${time} (${anchor.source})`;
    }
    case "failed":
      return { text: `${name} failed: ${reason}`, accent: "red" };
    case "not_checked":
      return `${name} not checked: ${reason}${help === undefined ? "" : ` (${help})`}`;
  }
}

function rootsHelp(
  { provider, bound, status }: AnchorFinding,
  rooted: ReadonlySet<string>,
): Pick<ShownAnchor, "help"> {
  const known = providerNamed(provider);
  if (status !== "not_checked" || !bound || known === undefined || rooted.has(provider)) return {};
  return { help: `--anchor-root ${known.name}=FILE: ${known.rootsHelp}` };
}

function requireProvider(name: string, option: string): void {
  if (providerNamed(name) !== undefined) return;
  const known = ANCHOR_PROVIDERS.map((provider) => `${provider.name} (${provider.rootsHelp})`);
  throw new CountersignError(
    "usage",
    `Unknown provider ${JSON.stringify(name)} in ${option}; the known providers are ${
      known.join("; ")
    }`,
  );
}
