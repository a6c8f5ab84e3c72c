/**
 * The configuration of a monitor, `monitor.json`. Paths are relative to the file. Unknown members are
 * refused.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { HASH_LENGTH } from "../base/bytes.ts";
import { Fields } from "../proof/format/fields.ts";
import { isOrigin } from "../proof/format/log_checkpoint.ts";
import { quoted } from "../proof/format/strict_json.ts";
import { parseServiceUrl, urlOf } from "../proof/format/service_url.ts";
import { requireSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import { LISTENER_MEMBERS, type ListenerAddress, readListenerAddress } from "./listeners.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { deepFreeze, invalid, naming, namingFile, optionalIntegerIn } from "./validation.ts";

const VIEW_KINDS = ["log", "witness", "peer"] as const;

/** A place that shows a log. */
export interface ViewNode {
  readonly name: string;
  readonly kind: typeof VIEW_KINDS[number];
  /** A URL that ends in a slash, or the absolute path of a folder. */
  readonly place: { readonly url: string } | { readonly folder: string };
}

export interface MonitoredLogNode {
  readonly origin: string;
  /** Absolute paths: of a policy, or of a network's public configuration. */
  readonly trust: { readonly policyFile: string } | { readonly networkFile: string };
  readonly views: readonly ViewNode[];
  readonly maxAgeSeconds?: number;
  readonly bundlesPerPoll: number;
  readonly watch: readonly { readonly hash: string; readonly index?: number }[];
}

/** One monitor, checked and frozen. */
export interface MonitorNode {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly intervalSeconds: number;
  readonly graceSeconds: number;
  readonly webhook?: { readonly url: string; readonly secret: SecretSource };
  readonly metrics?: ListenerAddress;
  readonly logs: readonly MonitoredLogNode[];
}

const CODE = "malformed_configuration";
const LONGEST_SECONDS = 31_536_000;
const DEFAULTS = { intervalSeconds: 60, graceSeconds: 300, bundlesPerPoll: 4 } as const;
const MAX_BUNDLES = 1_024;

const VIEW_MEMBERS: Members = {
  name: required("text", "Name of the view in alerts."),
  kind: optional(
    "log, witness or peer",
    "The log or a copy of it, with tiles; the monitoring interface of a witness; or the gateway of a peer network.",
    { standard: "log" },
  ),
  url: optional("URL", "Where it is: the prefix of `checkpoint`, or of the witness or gateway."),
  folder: optional("path", "Instead of `url`: the folder of a copy."),
};

const WATCH_MEMBERS: Members = {
  hash: required(
    "64 hex digits",
    "Leaf hash or SHA-256 of an entry, or the digest that an attestation is about.",
  ),
  index: optional("number", "Index of the entry.", {
    standard: "found by reading the log",
  }),
};

const LOG_MEMBERS: Members = {
  origin: required("text", "First line of the log's checkpoints."),
  policy_file: optional("path", "Keys of the log and its witnesses, and the quorum (tlog-policy)."),
  network_config: optional(
    "path",
    "Instead of `policy_file`: the public configuration of a Countersign network.",
  ),
  views: required("list of objects", "Places that publish the log.", VIEW_MEMBERS),
  max_age_seconds: optional(
    `1 to ${LONGEST_SECONDS}`,
    "Largest age of a head, since the quorum cosigned it, or without a quorum since it changed.",
    { standard: "not judged" },
  ),
  bundles_per_poll: optional(
    `0 to ${MAX_BUNDLES}`,
    "Number of entry bundles that each poll reads again, in turn, from each view with tiles.",
    { standard: DEFAULTS.bundlesPerPoll },
  ),
  watch: optional("list of objects", "Entries that must stay in the log.", {
    members: WATCH_MEMBERS,
  }),
};

const WEBHOOK_MEMBERS: Members = {
  url: required("URL", "Receiver of alerts, posted as by `watch --webhook`."),
  ...secretMembers("secret", "the secret for signatures"),
};

/** Members of `monitor.json`. */
export const MONITOR_MEMBERS: Members = {
  state_folder: required("path", "Folder of its state and evidence; created if it is missing."),
  interval_seconds: optional(`1 to ${LONGEST_SECONDS}`, "Pause between two polls of a log.", {
    standard: DEFAULTS.intervalSeconds,
  }),
  grace_seconds: optional(
    `0 to ${LONGEST_SECONDS}`,
    "How long an outage or another condition lasts before it is alerted. Proofs of tampering are alerted at once.",
    { standard: DEFAULTS.graceSeconds },
  ),
  webhook: optional("object", "Where alerts are posted.", { members: WEBHOOK_MEMBERS }),
  metrics: optional("object", "Listener for `GET /metrics`.", { members: LISTENER_MEMBERS }),
  logs: required("list of objects", "Logs to follow.", LOG_MEMBERS),
};

/**
 * The configuration of JSON `text`, read from the file at absolute path `file`.
 * `malformed_configuration`, `invalid_configuration`.
 */
export function parseMonitorNode(text: string, file: string): MonitorNode {
  return namingFile(file, () => readNode(text, file));
}

function readNode(text: string, file: string): MonitorNode {
  const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(MONITOR_MEMBERS));
  const pathOf = (path: string) => resolve(dirname(file), path);
  const logs = fields.objects("logs", ...namesOf(LOG_MEMBERS)).map((log) =>
    namingPart("log", log, "origin", () => readLog(log, pathOf))
  );
  if (logs.length === 0) throw invalid(file, "logs is empty");
  requireDistinct(file, "logs", logs.map(({ origin }) => origin));
  const webhook = fields.has("webhook")
    ? readWebhook(fields.object("webhook", ...namesOf(WEBHOOK_MEMBERS)), pathOf)
    : undefined;
  const seconds = (name: string, least: number) =>
    optionalIntegerIn(fields, name, least, LONGEST_SECONDS);
  return deepFreeze({
    folder: pathOf(fields.text("state_folder")),
    intervalSeconds: seconds("interval_seconds", 1) ?? DEFAULTS.intervalSeconds,
    graceSeconds: seconds("grace_seconds", 0) ?? DEFAULTS.graceSeconds,
    ...(webhook !== undefined && { webhook }),
    ...(fields.has("metrics") && {
      metrics: readListenerAddress(fields.object("metrics", ...namesOf(LISTENER_MEMBERS))),
    }),
    logs,
  });
}

/** Returns the result of `parse`; an error gets the name of the part, which is in `member`. */
function namingPart<T>(part: string, fields: Fields, member: string, parse: () => T): T {
  const name = fields.value(member);
  try {
    return parse();
  } catch (cause) {
    throw typeof name === "string" ? naming(`${part} ${quoted(name)}`, cause) : cause;
  }
}

function readLog(fields: Fields, pathOf: (path: string) => string): MonitoredLogNode {
  const origin = fields.text("origin");
  if (!isOrigin(origin)) throw invalid(fields.where, "origin is not that of a log");
  if (fields.has("policy_file") === fields.has("network_config")) {
    throw invalid(fields.where, "it needs either policy_file or network_config");
  }
  const trust = fields.has("policy_file")
    ? { policyFile: pathOf(fields.text("policy_file")) }
    : { networkFile: pathOf(fields.text("network_config")) };
  const views = fields.objects("views", ...namesOf(VIEW_MEMBERS)).map((view) =>
    namingPart("view", view, "name", () => readView(view, pathOf))
  );
  requireDistinct(fields.where, "views", views.map(({ name }) => name));
  if (!views.some(({ kind }) => kind === "log")) {
    throw invalid(
      fields.where,
      "views needs one of kind log, whose tiles the others are compared with",
    );
  }
  if ("policyFile" in trust && views.some(({ kind }) => kind === "peer")) {
    throw invalid(fields.where, "a view of kind peer needs network_config");
  }
  const bundlesPerPoll = optionalIntegerIn(fields, "bundles_per_poll", 0, MAX_BUNDLES) ??
    DEFAULTS.bundlesPerPoll;
  const watch = fields.has("watch")
    ? fields.objects("watch", ...namesOf(WATCH_MEMBERS)).map(readWatched)
    : [];
  requireDistinct(fields.where, "watch", watch.map(({ hash }) => hash));
  if (bundlesPerPoll === 0 && watch.some(({ index }) => index === undefined)) {
    throw invalid(fields.where, "with bundles_per_poll 0, each entry of watch needs its index");
  }
  const maxAgeSeconds = optionalIntegerIn(fields, "max_age_seconds", 1, LONGEST_SECONDS);
  return {
    origin,
    trust,
    views,
    bundlesPerPoll,
    watch,
    ...(maxAgeSeconds !== undefined && { maxAgeSeconds }),
  };
}

function readView(fields: Fields, pathOf: (path: string) => string): ViewNode {
  const name = fields.text("name");
  if (name === "") throw invalid(fields.where, "name is empty");
  const named = fields.has("kind") ? fields.text("kind") : "log";
  const kind = VIEW_KINDS.find((one) => one === named);
  if (kind === undefined) throw invalid(fields.where, `kind is not ${VIEW_KINDS.join(", ")}`);
  if (fields.has("url") === fields.has("folder") || (fields.has("folder") && kind !== "log")) {
    throw invalid(fields.where, "it needs either url, or for kind log a folder");
  }
  // `http:` is allowed: requests contain no secrets, and answers are verified.
  const place = fields.has("url")
    ? { url: parseServiceUrl(fields.text("url"), { insecure: true }).href }
    : { folder: pathOf(fields.text("folder")) };
  return { name, kind, place };
}

function readWatched(fields: Fields) {
  const hash = fields.hex("hash", HASH_LENGTH);
  return { hash, ...(fields.has("index") && { index: fields.integer("index") }) };
}

function readWebhook(
  fields: Fields,
  pathOf: (path: string) => string,
): Required<MonitorNode>["webhook"] {
  const url = fields.text("url");
  if (!/^https?:$/.test(urlOf(url)?.protocol ?? "")) {
    throw invalid(fields.where, "url is not an http: or https: URL");
  }
  return { url, secret: requireSecretSource(fields, "secret", pathOf) };
}

function requireDistinct(where: string, list: string, names: readonly string[]): void {
  if (new Set(names).size !== names.length) throw invalid(where, `${list} has one entry twice`);
}
