/**
 * The member `anchors` of `network.json`: the external anchor services of a gateway.
 *
 * @module
 */

import type {
  AnchorContext,
  AnchorMode,
  AnchorProvider,
  ConfiguredAnchor,
} from "../gateway/anchors/ports.ts";
import { ANCHOR_PROVIDERS } from "../gateway/anchors/providers.ts";
import { isServiceName } from "../proof/format/names.ts";
import { type Members, object, type OfMembers, Schema, TEXT } from "../proof/format/schema.ts";
import { atMost, choice, integer } from "./settings.ts";
import { invalid } from "./validation.ts";

/** One entry. */
export interface AnchorServiceEntry {
  readonly name: string;
  readonly mode: AnchorMode;
  /** URLs and (unresolved) file names in the entry; none in mode `off`. */
  readonly reach: { readonly urls: readonly string[]; readonly files: readonly string[] };
  /** Creates the service, except in mode `off`; `invalid_configuration`, `file_failed`. */
  readonly configure: (context: AnchorContext) => Promise<ConfiguredAnchor>;
}

const NO_REACH: AnchorProvider["reach"] = { urls: [], files: [] };

/** Every bundle may carry an anchor of each service. */
const MAX_SERVICES = 8;
const DEFAULT_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 86_400;
const MAX_DELAY_SECONDS = 365 * 86_400;

/** The member `anchors` of `network.json`. */
export const ANCHORS = anchorsOf(ANCHOR_PROVIDERS);

/** Entries for `providers`. */
export function anchorsOf(
  providers: readonly AnchorProvider[],
): Schema<readonly AnchorServiceEntry[]> {
  const entries = new Map(providers.map((provider) => [provider.name, entryOf(provider)]));
  const kind = object({ provider: choice([...entries.keys()], "Kind of the service.") }, "ignored");
  const entry = new Schema(
    (value, path, context) =>
      entries.get(kind.read(value, path, context).provider)!.read(value, path, context),
    (components) => ({
      anyOf: Array.from(entries.values(), (schema) => schema.describe(components)),
    }),
  );
  return atMost(MAX_SERVICES, entry, "External anchor services (operating.md).").convert(
    (services, where) => {
      if (new Set(services.map(({ name }) => name)).size === services.length) return services;
      throw invalid(where, "two services have the same name; set the member name of one");
    },
  );
}

/** Members of each entry for `provider`, which has more. */
function commonMembers(provider: AnchorProvider) {
  const { name, defaultMaxDelaySeconds, defaultIntervalSeconds } = provider;
  return {
    provider: TEXT.with({ const: name, description: "Kind of the service." }),
    mode: choice<AnchorMode>(
      ["off", "best_effort", "required"],
      "Whether to use it, and whether /ready needs it.",
    ),
    name: TEXT.convert((name, where) => {
      if (isServiceName(name)) return name;
      throw invalid(where, "it must be at most 40 characters of A-Za-z0-9._-");
    }).with({ description: "Distinguishes several services of one provider." }).withDefault(name),
    interval_seconds: integer(
      0,
      MAX_INTERVAL_SECONDS,
      "Minimum time between two anchors; 0 anchors each batch.",
    ).withDefault(defaultIntervalSeconds ?? DEFAULT_INTERVAL_SECONDS),
    max_delay_seconds: integer(
      1,
      MAX_DELAY_SECONDS,
      "Time without an anchor after which /ready fails, if required; longer than the interval. " +
        `Without it, ${defaultMaxDelaySeconds}, or twice the interval if that is longer.`,
    ).optional(),
  };
}

function entryOf(provider: AnchorProvider): Schema<AnchorServiceEntry> {
  const common = commonMembers(provider);
  const { provider: kind, mode, name, ...times } = common;
  const entry = object<Members>({ provider: kind, mode, name, ...provider.members, ...times });
  return entry.convert((members, where) => {
    const { name, mode, ...given } = members as OfMembers<typeof common>;
    const intervalSeconds = given.interval_seconds;
    const standard = Math.max(provider.defaultMaxDelaySeconds, 2 * intervalSeconds);
    const maxDelaySeconds = given.max_delay_seconds ?? standard;
    // A batch may wait for an interval before it is anchored.
    if (maxDelaySeconds <= intervalSeconds || maxDelaySeconds > MAX_DELAY_SECONDS) {
      throw invalid(
        where,
        `max_delay_seconds ${maxDelaySeconds} is not above its interval of ${intervalSeconds} ` +
          `and at most ${MAX_DELAY_SECONDS}`,
      );
    }
    const anchor = { name, provider, mode, intervalSeconds, maxDelaySeconds };
    const configure = async (context: AnchorContext): Promise<ConfiguredAnchor> =>
      Object.freeze({
        ...anchor,
        ...(mode !== "off" && { service: await provider.configure(members, context) }),
      });
    const { urls, files } = mode === "off" ? NO_REACH : provider.reach;
    const reach = { urls: textsIn(members, urls), files: textsIn(members, files) };
    return Object.freeze({ name, mode, reach, configure });
  });
}

/** The strings in members `names`, also of lists. */
function textsIn(members: OfMembers<Members>, names: readonly string[]): string[] {
  return names.flatMap((name) => members[name]).filter((value) => typeof value === "string");
}

/** The services of `entries`. */
export function configureAnchors(
  entries: readonly AnchorServiceEntry[],
  context: AnchorContext,
): Promise<ConfiguredAnchor[]> {
  return Promise.all(entries.map((entry) => entry.configure(context)));
}
