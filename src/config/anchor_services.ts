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
} from "../anchors/ports.ts";
import { ANCHOR_PROVIDERS, providerNamed } from "../anchors/registry.ts";
import { CountersignError } from "../errors.ts";
import { Fields } from "../format/fields.ts";
import { isServiceName } from "../format/names.ts";
import type { JsonValue } from "../format/strict_json.ts";

/** One entry, whose own members its provider reads when the service is made. */
export interface AnchorEntry {
  readonly name: string;
  readonly mode: AnchorMode;
  /** What it asks and reads, as its members say; nothing in mode `off`. Paths are not resolved. */
  readonly reach: { readonly urls: readonly string[]; readonly files: readonly string[] };
  /**
   * The service, which in mode `off` is not made: nothing of it but the names of its members is
   * looked at. `malformed_configuration`, `invalid_configuration`, `file_failed`.
   */
  readonly configure: (context: AnchorContext) => Promise<ConfiguredAnchor>;
}

const MODES: readonly AnchorMode[] = ["off", "best_effort", "required"];
const NO_REACH: AnchorProvider["reach"] = { urls: [], files: [] };
const COMMON = ["name", "interval_seconds", "max_delay_seconds"] as const;

/** Every bundle may carry an anchor of each. */
const MAX_SERVICES = 8;
const DEFAULT_INTERVAL_SECONDS = 60;
const MAX_INTERVAL_SECONDS = 86_400;
const MAX_DELAY_SECONDS = 365 * 86_400;

/**
 * The entries of member `anchors` of `network`, none where there is no such member.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function readAnchorServices(
  network: Fields,
  providers: readonly AnchorProvider[] = ANCHOR_PROVIDERS,
): readonly AnchorEntry[] {
  if (!network.has("anchors")) return [];
  const entries = network.list("anchors").map((value, i) =>
    readEntry(network, value, { place: `anchors[${i}]`, providers })
  );
  if (entries.length > MAX_SERVICES) {
    throw invalid(`at most ${MAX_SERVICES} services`, String(entries.length));
  }
  if (new Set(entries.map(({ name }) => name)).size !== entries.length) {
    throw invalid("a name for each service alone", "one twice");
  }
  return entries;
}

/** The services of `entries`. */
export function configureAnchors(
  entries: readonly AnchorEntry[],
  context: AnchorContext,
): Promise<ConfiguredAnchor[]> {
  return Promise.all(entries.map((entry) => entry.configure(context)));
}

function readEntry(
  network: Fields,
  value: JsonValue,
  { place, providers }: { readonly place: string; readonly providers: readonly AnchorProvider[] },
): AnchorEntry {
  const kind = network.within(value, place, ["provider"], { ignoreUnknown: true });
  const provider = providerNamed(kind.text("provider"), providers);
  if (provider === undefined) {
    throw invalid(`a provider of ${namesOf(providers)} in ${place}`, "another");
  }
  const { required, optional } = provider.members;
  const fields = network.within(value, place, ["provider", "mode", ...required], {
    optional: [...COMMON, ...optional],
  });
  const name = fields.has("name") ? fields.text("name") : provider.name;
  if (!isServiceName(name)) {
    throw invalid(`up to 40 of A-Za-z0-9._- as the name of ${place}`, "others");
  }
  const mode = MODES.find((known) => known === fields.value("mode"));
  if (mode === undefined) throw invalid(`mode ${MODES.join(" or ")} of ${name}`, "another");
  const times = readTimes(fields, name, provider);
  const configure = async (context: AnchorContext): Promise<ConfiguredAnchor> =>
    Object.freeze({
      ...{ name, provider, mode, ...times },
      ...(mode !== "off" && { service: await provider.configure(fields, context) }),
    });
  const { urls, files } = mode === "off" ? NO_REACH : provider.reach;
  const reach = { urls: textsIn(fields, urls), files: textsIn(fields, files) };
  return Object.freeze({ name, mode, reach, configure });
}

/** The texts in members `names`, and in those that are lists. */
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
    ? fields.count("interval_seconds")
    : provider.defaultIntervalSeconds ?? DEFAULT_INTERVAL_SECONDS;
  if (intervalSeconds > MAX_INTERVAL_SECONDS) {
    throw invalid(
      `interval_seconds of ${name} up to ${MAX_INTERVAL_SECONDS}`,
      String(intervalSeconds),
    );
  }
  const maxDelaySeconds = fields.has("max_delay_seconds")
    ? fields.count("max_delay_seconds")
    : Math.max(provider.defaultMaxDelaySeconds, 2 * intervalSeconds);
  // A batch may wait for an interval before anything is done about it.
  if (maxDelaySeconds <= intervalSeconds || maxDelaySeconds > MAX_DELAY_SECONDS) {
    throw invalid(
      `max_delay_seconds of ${name} above its interval of ${intervalSeconds} and up to ` +
        `${MAX_DELAY_SECONDS}`,
      String(maxDelaySeconds),
    );
  }
  return { intervalSeconds, maxDelaySeconds };
}

function namesOf(providers: readonly AnchorProvider[]): string {
  return providers.map(({ name }) => name).join(", ");
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use anchors: ${required} required, found ${found}`,
  );
}
