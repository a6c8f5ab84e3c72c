/**
 * The member `witnessing` of `network.json`: C2SP witnesses outside the network that cosign its checkpoints.
 *
 * @module
 */

import { hexOf, utf8 } from "../base/bytes.ts";
import { type LogPolicy, parseLogPolicy, WITNESS_TYPES } from "../proof/format/log_policy.ts";
import type { NetworkConfiguration } from "../proof/format/network.ts";
import { mlDsaKeysOf, publicKeysOf } from "../proof/format/network_check.ts";
import { MAX_SIGNATURES } from "../proof/format/note.ts";
import { encodeVkey, parseVkey } from "../proof/format/note_key.ts";
import { list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl } from "../proof/format/service_url.ts";
import { MAX_RECORD_BYTES, recordBytes } from "../gateway/witnessing/cosigned_lines.ts";
import { integer, settings, url } from "./settings.ts";
import { invalid } from "./validation.ts";

/** A witness that the gateway sends checkpoints to. All its keys are under one URL. */
export interface AskedWitness {
  /** Name of its first key. */
  readonly name: string;
  /** The submission prefix. */
  readonly url: string;
  /** The URL that `/v1/status` shows; `url` when absent. */
  readonly publicUrl?: string;
  readonly vkeys: readonly string[];
  /** Minimum time between two checkpoints that are sent to it. 0: it gets every one that is sent at all. */
  readonly intervalSeconds: number;
}

export interface WitnessingSettings {
  /** The text of a tlog-policy. */
  readonly policy: string;
  readonly intervalSeconds: number;
  readonly witnesses: readonly AskedWitness[];
}

/** Bounds the size of checkpoints and bundles, and how many requests a gateway sends. */
const MAX_WITNESSES = 32;
/** `large` is for networks with ML-DSA-44 keys, whose records are large. */
const DEFAULT_INTERVAL_SECONDS = { small: 10, large: 60 } as const;
const MAX_INTERVAL_SECONDS = 86_400;
const NO_POLICY = "quorum none";
const WHAT = "witnessing";

/** An entry of `witnesses`: a witness that the policy does not count, or settings of a witness in the policy. */
const WITNESS = settings({
  vkey: TEXT.convert((vkey, where) => parseVkey(vkey, WITNESS_TYPES, where)).with({
    title: "C2SP verifier key",
    description: "Key of the witness.",
  }),
  url: url("Its submission prefix; without it, that in the policy.").optional(),
  public_url: url("Public URL of the witness; `/v1/status` shows it.").optional(),
  interval_seconds: integer(
    0,
    MAX_INTERVAL_SECONDS,
    "Minimum time between two checkpoints that are sent to it.",
  ).withDefault(0),
}).convert(({ vkey: key, ...witness }) => ({ key, ...witness }));

type WitnessEntry = Of<typeof WITNESS>;

/** The member `witnessing` of `network.json`. */
export const WITNESSING = settings({
  policy: list(TEXT).with({
    description: "Lines of a tlog-policy: witnesses with their URLs, groups, and the quorum.",
  }).withDefault([NO_POLICY]),
  interval_seconds: integer(
    0,
    MAX_INTERVAL_SECONDS,
    "Minimum time between two checkpoints that are sent, and whose ML-DSA-44 lines are stored; " +
      "0 takes each. Without it, 10, or 60 with ML-DSA-44 keys.",
  ).optional(),
  witnesses: list(WITNESS).with({
    maxItems: MAX_WITNESSES,
    description:
      "Further witnesses that the policy does not count, and settings of witnesses in the policy.",
  }).withDefault([]),
});

const WITHOUT_MEMBER = WITNESSING.parse({}, { where: WHAT, code: "malformed_configuration" });

/**
 * The settings of `member`. Without `member`, the defaults if `network` has ML-DSA-44 keys, and
 * `undefined` if it has none. `invalid_configuration`, `invalid_key`.
 */
export function witnessingOf(
  member: Of<typeof WITNESSING> | undefined,
  network: NetworkConfiguration,
  { insecure }: { readonly insecure: boolean },
): WitnessingSettings | undefined {
  const hasMlDsa = mlDsaKeysOf(network).length > 0;
  if (member === undefined && !hasMlDsa) return undefined;
  const { policy: lines, intervalSeconds, witnesses } = member ?? WITHOUT_MEMBER;
  const text = `${lines.join("\n")}\n`;
  const policy = parseLogPolicy(utf8(text));
  const { logs } = policy;
  if (logs.length > 0 && !logs.some(({ key }) => key.name === network.id)) {
    throw invalid(WHAT, `no log line of its policy names ${network.id}`);
  }
  const standard = DEFAULT_INTERVAL_SECONDS[hasMlDsa ? "large" : "small"];
  const settings = {
    policy: text,
    intervalSeconds: intervalSeconds ?? standard,
    witnesses: askedWitnesses(network, policy, witnesses),
  };
  for (const { url, publicUrl = url } of settings.witnesses) {
    parseServiceUrl(url, { insecure });
    parseServiceUrl(publicUrl, { insecure });
  }
  if (settings.witnesses.length > MAX_WITNESSES) {
    throw invalid(WHAT, `it has more than ${MAX_WITNESSES} witnesses`);
  }
  const keys = settings.witnesses.flatMap(({ vkeys }) =>
    vkeys.map((vkey) => parseVkey(vkey, WITNESS_TYPES))
  );
  if (recordBytes(keys) > MAX_RECORD_BYTES) {
    throw invalid(
      WHAT,
      `the cosignatures of one checkpoint would exceed ${MAX_RECORD_BYTES} bytes`,
    );
  }
  return settings;
}

/**
 * `invalid_configuration` if a checkpoint of `network` that every witness has cosigned would have more
 * signature lines than readers of notes accept. Its size in bytes needs no check: the number of ML-DSA-44
 * keys is bounded, and `witnessingOf()` bounds the lines of foreign witnesses.
 */
export function checkSignatureLines(
  network: NetworkConfiguration,
  witnessing: WitnessingSettings | undefined,
): void {
  const { witnesses, signature_scheme: scheme } = network;
  const keys = scheme === "bls" ? 1 : witnesses.length;
  const mlDsa = mlDsaKeysOf(network).length;
  const foreign = (witnessing?.witnesses ?? []).flatMap(({ vkeys }) => vkeys).length;
  const lines = 1 + keys + mlDsa + foreign;
  if (lines <= MAX_SIGNATURES) return;
  const parts =
    `1 of the log, ${keys} of its witnesses, ${mlDsa} with ML-DSA-44, ${foreign} of foreign witnesses`;
  throw invalid(
    "network configuration",
    `a checkpoint would have ${lines} signature lines (${parts}), and its readers accept at most ` +
      `${MAX_SIGNATURES}. Configure fewer witnesses or keys`,
  );
}

/** One witness for each URL: first those of the policy, then those that only `entries` has. */
function askedWitnesses(
  network: NetworkConfiguration,
  policy: LogPolicy,
  entries: readonly WitnessEntry[],
): readonly AskedWitness[] {
  const mlDsa = mlDsaKeysOf(network).map(({ publicKey }) => hexOf(publicKey));
  const own = new Set([...publicKeysOf(network), ...mlDsa]);
  const merged = new Map<string, WitnessEntry>();
  for (const { key, url } of policy.witnesses.values()) {
    merged.set(hexOf(key.publicKey), {
      key,
      intervalSeconds: 0,
      ...(url !== undefined && { url }),
    });
  }
  const named = new Set<string>();
  for (const entry of entries) {
    const publicKey = hexOf(entry.key.publicKey);
    const known = merged.get(publicKey);
    if (named.has(publicKey)) throw invalid(WHAT, `${entry.key.name} is named twice`);
    if (known !== undefined && encodeVkey(known.key) !== encodeVkey(entry.key)) {
      throw invalid(WHAT, `${entry.key.name} has another name in the policy`);
    }
    if (own.has(publicKey)) {
      throw invalid(
        WHAT,
        `${entry.key.name} has a key of this network, whose witnesses sign anyway`,
      );
    }
    named.add(publicKey);
    merged.set(publicKey, { ...known, ...entry });
  }
  const asked = new Map<string, AskedWitness>();
  for (const [publicKey, { key, url, publicUrl, intervalSeconds }] of merged) {
    // A policy may count witnesses of the network itself. They sign anyway and are not asked here.
    if (own.has(publicKey)) continue;
    if (url === undefined) {
      throw invalid(WHAT, `witness ${key.name} has no URL: add it to the policy or to witnesses`);
    }
    const known = asked.get(url);
    const shownUrl = known?.publicUrl ?? publicUrl;
    asked.set(url, {
      name: known?.name ?? key.name,
      url,
      ...(shownUrl !== undefined && { publicUrl: shownUrl }),
      vkeys: [...known?.vkeys ?? [], encodeVkey(key)],
      intervalSeconds: Math.max(intervalSeconds, known?.intervalSeconds ?? 0),
    });
  }
  const names = Array.from(asked.values(), ({ name }) => name);
  if (new Set(names).size !== names.length) {
    throw invalid(WHAT, "two witnesses have the same name and different URLs");
  }
  return [...asked.values()];
}
