/**
 * The configuration of a monitor, `monitor.json`. Paths are relative to the file. Unknown members are
 * refused.
 *
 * @module
 */

import { HASH_LENGTH } from "../base/bytes.ts";
import { count, hex, list, type Of, TEXT } from "../proof/format/schema.ts";
import { parseServiceUrl, urlOf } from "../proof/format/service_url.ts";
import { origin } from "./followed_logs.ts";
import { LISTENER } from "./listeners.ts";
import { choice, inPart, integer, parseFile, path, secret, settings, words } from "./settings.ts";
import { invalid, namingFile } from "./validation.ts";

const LONGEST_SECONDS = 31_536_000;
const MAX_BUNDLES = 1_024;

/** A place that shows a log: a URL that ends in a slash, or a folder. */
const VIEW = inPart(
  "view",
  "name",
  settings({
    name: words("Name of the view in alerts."),
    kind: choice(
      ["log", "witness", "peer"],
      "The log or a copy of it, with tiles; the monitoring interface of a witness; or the gateway of a peer network.",
    ).withDefault("log"),
    // `http:` is allowed: requests contain no secrets, and answers are verified.
    url: TEXT.convert((text, where) =>
      namingFile(where, () => parseServiceUrl(text, { insecure: true }).href)
    ).with({
      format: "uri",
      description: "Where it is: the prefix of `checkpoint`, or of the witness or gateway.",
    }).optional(),
    folder: path("Instead of `url`: the folder of a copy.").optional(),
  }).convert(({ name, kind, url, folder }, where) => {
    if (url !== undefined && folder === undefined) return { name, kind, place: { url } };
    if (url === undefined && folder !== undefined && kind === "log") {
      return { name, kind, place: { folder } };
    }
    throw invalid(where, "it needs either url, or for kind log a folder");
  }),
);

const WATCHED_ENTRY = settings({
  hash: hex(
    HASH_LENGTH,
    "Leaf hash or SHA-256 of an entry, or the digest that an attestation is about.",
  ),
  index: count("Index of the entry; without it, the log is searched.").optional(),
});

const LOG = inPart(
  "log",
  "origin",
  settings({
    origin: origin("First line of the log's checkpoints."),
    policy_file: path("Keys of the log and its witnesses, and the quorum (tlog-policy).")
      .optional(),
    network_config: path(
      "Instead of `policy_file`: the public configuration of a Countersign network.",
    ).optional(),
    views: list(VIEW).with({ description: "Places that publish the log." }),
    max_age_seconds: integer(
      1,
      LONGEST_SECONDS,
      "Largest age of a head, since the quorum cosigned it, or without a quorum since it changed. Without it, the age is not judged.",
    ).optional(),
    bundles_per_poll: integer(
      0,
      MAX_BUNDLES,
      "Number of entry bundles that each poll reads again, in turn, from each view with tiles.",
    ).withDefault(4),
    watch: list(WATCHED_ENTRY).with({ description: "Entries that must stay in the log." })
      .withDefault([]),
  }).convert(({ policyFile, networkConfig, ...log }, where) => {
    requireDistinct(`${where}.views`, log.views.map(({ name }) => name));
    requireDistinct(`${where}.watch`, log.watch.map(({ hash }) => hash));
    if (!log.views.some(({ kind }) => kind === "log")) {
      throw invalid(
        where,
        "views needs one of kind log, whose tiles the others are compared with",
      );
    }
    if (log.bundlesPerPoll === 0 && log.watch.some(({ index }) => index === undefined)) {
      throw invalid(where, "with bundles_per_poll 0, each entry of watch needs its index");
    }
    if (networkConfig !== undefined && policyFile === undefined) {
      return { ...log, trust: { networkFile: networkConfig } };
    }
    if (policyFile === undefined || networkConfig !== undefined) {
      throw invalid(where, "it needs either policy_file or network_config");
    }
    if (log.views.some(({ kind }) => kind === "peer")) {
      throw invalid(where, "a view of kind peer needs network_config");
    }
    return { ...log, trust: { policyFile } };
  }),
);

/** `monitor.json`. */
export const MONITOR = settings({
  state_folder: path("Folder of its state and evidence; created if it is missing."),
  interval_seconds: integer(1, LONGEST_SECONDS, "Pause between two polls of a log.")
    .withDefault(60),
  grace_seconds: integer(
    0,
    LONGEST_SECONDS,
    "How long an outage or another condition lasts before it is alerted. Proofs of tampering are alerted at once.",
  ).withDefault(300),
  webhook: settings({
    url: TEXT.convert((text, where) => {
      if (/^https?:$/.test(urlOf(text)?.protocol ?? "")) return text;
      throw invalid(where, "it is not an http: or https: URL");
    }).with({
      format: "uri",
      description: "Receiver of alerts, posted as by `watch --webhook`.",
    }),
    secret: secret("the secret for signatures"),
  }).with({ description: "Where alerts are posted." }).optional(),
  metrics: LISTENER.with({ description: "Listener for `GET /metrics`." }).optional(),
  logs: list(LOG).convert((logs, where) => {
    if (logs.length === 0) throw invalid(where, "it is empty");
    requireDistinct(where, logs.map(({ origin }) => origin));
    return logs;
  }).with({ description: "Logs to follow." }),
});

/** One monitor, checked and frozen. */
export type MonitorNode = Of<typeof MONITOR>;
export type MonitoredLogNode = Of<typeof LOG>;
export type ViewNode = Of<typeof VIEW>;

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function parseMonitorNode(text: string, file: string): MonitorNode {
  return parseFile(MONITOR, text, file);
}

function requireDistinct(where: string, names: readonly string[]): void {
  if (new Set(names).size !== names.length) throw invalid(where, "it has one entry twice");
}
