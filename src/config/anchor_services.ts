/**
 * The member `anchors` of `network.json`: the external anchor services of a gateway.
 *
 *     "anchors": [{"provider", "name"?, "mode": "off" | "best_effort" | "required",
 *                  "interval_seconds"?, "max_delay_seconds"?, ... the provider's own members}]
 *
 * @module
 */

import type {
  AnchorContext,
  AnchorMode,
  AnchorProvider,
  ConfiguredAnchor,
} from "../gateway/anchors/ports.ts";
import { ANCHOR_PROVIDERS, providerNamed } from "../gateway/anchors/providers.ts";
import { Fields } from "../proof/format/fields.ts";
import { isServiceName } from "../proof/format/names.ts";
import type { JsonValue } from "../proof/format/strict_json.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { invalid } from "./validation.ts";

/** One entry. The provider reads its own members in `configure`. */
export interface AnchorServiceEntry {
  readonly name: string;
  readonly mode: AnchorMode;
  /** URLs and (unresolved) file names in the entry; none in mode `off`. */
  readonly reach: { readonly urls: readonly string[]; readonly files: readonly string[] };
  /**
   * Creates the service, except in mode `off`, where only member names are checked.
   * `malformed_configuration`, `invalid_configuration`, `file_failed`.
   */
  readonly configure: (context: AnchorContext) => Promise<ConfiguredAnchor>;
}

const ANCHOR_MODES: readonly AnchorMode[] = ["off", "best_effort", "required"];
const NO_REACH: AnchorProvider["reach"] = { urls: [], files: [] };

/** Every bundle may carry an anchor of each service. */
const MAX_SERVICES = 8;
const DEFAULT_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 86_400;
const MAX_DELAY_SECONDS = 365 * 86_400;

/** Members of each object in `anchors` of `network.json`; the provider has more. */
export const ANCHOR_MEMBERS: Members = {
  provider: required(namesOfProviders(ANCHOR_PROVIDERS), "Kind of the service."),
  mode: required(ANCHOR_MODES.join(", "), "Whether to use it, and whether /ready needs it."),
  name: optional("text", "Distinguishes several services of one provider.", {
    standard: "the provider's",
  }),
  interval_seconds: optional(
    `0 to ${MAX_INTERVAL_SECONDS}`,
    "Minimum time between two anchors; 0 anchors each batch.",
    { standard: "60; 300 for rekor, 600 for opentimestamps" },
  ),
  max_delay_seconds: optional(
    `interval_seconds to ${MAX_DELAY_SECONDS}`,
    "Time without an anchor after which /ready fails, if required.",
    { standard: "depends on the provider" },
  ),
};

/**
 * The entries of member `anchors`; none if it is absent.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function readAnchorServices(
  network: Fields,
  providers: readonly AnchorProvider[] = ANCHOR_PROVIDERS,
): readonly AnchorServiceEntry[] {
  if (!network.has("anchors")) return [];
  const entries = network.list("anchors").map((value, i) =>
    readEntry(network, value, { where: `anchors[${i}]`, providers })
  );
  if (entries.length > MAX_SERVICES) {
    throw invalid("anchors", `it has more than ${MAX_SERVICES} entries`);
  }
  if (new Set(entries.map(({ name }) => name)).size !== entries.length) {
    throw invalid("anchors", "two services have the same name; set the member name of one");
  }
  return entries;
}

/** The services of `entries`. */
export function configureAnchors(
  entries: readonly AnchorServiceEntry[],
  context: AnchorContext,
): Promise<ConfiguredAnchor[]> {
  return Promise.all(entries.map((entry) => entry.configure(context)));
}

function readEntry(
  network: Fields,
  value: JsonValue,
  { where, providers }: { readonly where: string; readonly providers: readonly AnchorProvider[] },
): AnchorServiceEntry {
  const kind = network.within(value, where, ["provider"], { ignoreUnknown: true });
  const provider = providerNamed(kind.text("provider"), providers);
  if (provider === undefined) {
    throw invalid(where, `provider must be one of ${namesOfProviders(providers)}`);
  }
  const [needed, rules] = namesOf(ANCHOR_MEMBERS);
  const fields = network.within(value, where, [...needed, ...provider.members.required], {
    optional: [...rules.optional, ...provider.members.optional],
  });
  const name = fields.has("name") ? fields.text("name") : provider.name;
  if (!isServiceName(name)) {
    throw invalid(where, "name must be at most 40 characters of A-Za-z0-9._-");
  }
  const mode = ANCHOR_MODES.find((known) => known === fields.value("mode"));
  if (mode === undefined) {
    throw invalid(`anchor ${name}`, `mode must be one of ${ANCHOR_MODES.join(", ")}`);
  }
  const times = readTimes(fields, name, provider);
  const configure = async (context: AnchorContext): Promise<ConfiguredAnchor> =>
    Object.freeze({
      name,
      provider,
      mode,
      ...times,
      ...(mode !== "off" && { service: await provider.configure(fields, context) }),
    });
  const { urls, files } = mode === "off" ? NO_REACH : provider.reach;
  const reach = { urls: textsIn(fields, urls), files: textsIn(fields, files) };
  return Object.freeze({ name, mode, reach, configure });
}

/** The strings in members `names`, also of lists. */
function textsIn(fields: Fields, names: readonly string[]): string[] {
  return names.filter((name) => fields.has(name)).flatMap((name) => fields.value(name))
    .filter((value) => typeof value === "string");
}

function readTimes(
  fields: Fields,
  name: string,
  provider: AnchorProvider,
): Pick<ConfiguredAnchor, "intervalSeconds" | "maxDelaySeconds"> {
  const intervalSeconds = fields.has("interval_seconds")
    ? fields.integer("interval_seconds")
    : provider.defaultIntervalSeconds ?? DEFAULT_INTERVAL_SECONDS;
  if (intervalSeconds > MAX_INTERVAL_SECONDS) {
    throw invalid(
      `anchor ${name}`,
      `interval_seconds ${intervalSeconds} is not from 0 to ${MAX_INTERVAL_SECONDS}`,
    );
  }
  const maxDelaySeconds = fields.has("max_delay_seconds")
    ? fields.integer("max_delay_seconds")
    : Math.max(provider.defaultMaxDelaySeconds, 2 * intervalSeconds);
  // A batch may wait for an interval before it is anchored.
  if (maxDelaySeconds <= intervalSeconds || maxDelaySeconds > MAX_DELAY_SECONDS) {
    throw invalid(
      `anchor ${name}`,
      `max_delay_seconds ${maxDelaySeconds} is not above its interval of ${intervalSeconds} ` +
        `and at most ${MAX_DELAY_SECONDS}`,
    );
  }
  return { intervalSeconds, maxDelaySeconds };
}

function namesOfProviders(providers: readonly AnchorProvider[]): string {
  return providers.map(({ name }) => name).join(", ");
}
