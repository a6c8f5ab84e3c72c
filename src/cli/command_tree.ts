/**
 * The client commands and their options. Parsing or completing a line loads no command.
 *
 * @module
 */

import { group, merge, object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, string } from "@optique/core/valueparser";
import { EVENT_TYPES } from "../gateway/events/event_ports.ts";
import { operatorCommands } from "./operator_commands.ts";
import {
  count,
  defaultedValue,
  fileValue,
  flag,
  folderValue,
  hashArgument as hash,
  hashValue,
  namedFileValue,
  optionalValue,
  urlValue,
} from "./option_values.ts";
import { serverCommands } from "./server_commands.ts";

const networkConfig = optionalValue("--network-config", fileValue, {
  help: message`Configuration to verify against, instead of a pinned one.`,
});
const online = flag("--online", {
  help:
    message`Fetch the configuration from the gateway, and trust it, if none is given or pinned.`,
});
const verify = flag("--verify", {
  help: message`Verify the answer against the pinned configuration and the request.`,
});

const stamp = command(
  "stamp",
  object({
    command: constant("stamp"),
    files: multiple(
      argument(fileValue, { description: message`File to hash, or - for standard input.` }),
    ),
    hashes: multiple(option("--hash", hashValue, {
      description: message`A SHA-256 instead of a file. May be repeated.`,
    })),
    noWait: flag("--no-wait", {
      help: message`Return once the gateway has accepted the hashes.`,
    }),
    waitBatched: flag("--wait-batched", {
      help: message`Wait until the attestations are in the log.`,
    }),
    save: flag("--save", {
      help: message`Write the proof bundle to FILE.countersign.json.`,
    }),
    timeoutSeconds: defaultedValue("--timeout", count("SECONDS", 1, 86_400), {
      standard: 120,
      help: message`How long to wait (default: 120).`,
    }),
  }),
  {
    brief: message`Hash files and have the hashes attested`,
    description:
      message`Hashes files on this machine, submits the hashes and waits until they are attested.`,
  },
);

const status = command("status", object({ command: constant("status"), hash }), {
  brief: message`Show the job of a hash`,
});

const verifyAttestation = command(
  "verify",
  object({
    command: constant("verify"),
    file: argument(fileValue, {
      description: message`Signed attestation as JSON, or - for standard input.`,
    }),
    networkConfig,
    online,
  }),
  { brief: message`Verify a signed attestation offline` },
);

const verifyProof = command(
  "verify-proof",
  object({
    command: constant("verify-proof"),
    bundle: optionalValue("--bundle", fileValue, {
      help: message`Proof bundle as JSON, or - for standard input.`,
    }),
    hash: optionalValue("--hash", hashValue, {
      help: message`The hash that the bundle must be about. Without --bundle, fetch its bundle.`,
    }),
    file: optionalValue("--file", fileValue, {
      help: message`The file that the bundle must be about.`,
    }),
    networkConfig,
    peerConfigs: multiple(option("--peer-config", fileValue, {
      description: message`Configuration of a peer network. May be repeated.`,
    })),
    online,
    anchors: flag("--anchors", {
      help: message`Also verify the external anchors. The level is unaffected.`,
    }),
    anchorRoots: multiple(option("--anchor-root", namedFileValue, {
      description: message`Trust root for anchors of provider NAME. May be repeated.`,
    })),
    requiredAnchors: multiple(option("--require-anchor", string({ metavar: "NAME" }), {
      description: message`Exit 1 without a verified anchor of provider NAME. May be repeated.`,
    })),
  }),
  { brief: message`Verify a proof bundle, layer by layer` },
);

const bundle = command("bundle", object({ command: constant("bundle"), hash }), {
  brief: message`Print the proof bundle of a hash`,
});
const proof = command("proof", object({ command: constant("proof"), hash }), {
  brief: message`Print the Merkle proof of a hash`,
});
const anchors = command(
  "anchors",
  object({
    command: constant("anchors"),
    hash,
    save: optionalValue("--save", folderValue, {
      help: message`Write files for the providers' own tools into this folder.`,
    }),
  }),
  { brief: message`List the external anchors of a hash` },
);
const config = command("config", object({ command: constant("config") }), {
  brief: message`Show the gateway's short configuration`,
});

const network = command(
  "network",
  object({
    command: constant("network"),
    pin: flag("--pin", { help: message`Trust this configuration from now on.` }),
    force: flag("--force", { help: message`Replace a different pin.` }),
  }),
  { brief: message`Show or pin the network's public configuration` },
);

const log = command(
  "log",
  or(
    command(
      "sth",
      object({
        command: constant("log sth"),
        treeSize: optional(
          argument(count("SIZE", 0), { description: message`Tree size (default: the latest).` }),
        ),
        verify,
        networkConfig,
      }),
      { brief: message`Show a signed tree head` },
    ),
    command(
      "consistency",
      object({
        command: constant("log consistency"),
        first: argument(count("FIRST", 1)),
        second: argument(count("SECOND", 1)),
        verify,
        networkConfig,
      }),
      { brief: message`Show that one tree is a prefix of another` },
    ),
    command(
      "proof",
      object({
        command: constant("log proof"),
        hash,
        treeSize: optionalValue("--tree-size", count("SIZE", 0), {
          help: message`A published size (default: the latest).`,
        }),
        verify,
        networkConfig,
      }),
      { brief: message`Show that the attestation of a hash is in the log` },
    ),
    command(
      "contradictions",
      object({
        command: constant("log contradictions"),
        file: optionalValue("--file", fileValue, {
          help: message`Evidence as JSON, or - for standard input, instead of the gateway's list.`,
        }),
        networkConfig: optionalValue("--network-config", fileValue, {
          help: message`Configuration of the accused network, instead of a pinned one.`,
        }),
      }),
      { brief: message`Verify evidence that a peer network signed two histories` },
    ),
  ),
  { brief: message`Read and verify the transparency log` },
);

const watch = command(
  "watch",
  object({
    command: constant("watch"),
    types: multiple(option("--type", choice(EVENT_TYPES, { metavar: "TYPE" }), {
      description: message`Only events of this type. May be repeated.`,
    })),
    hash: optionalValue("--hash", hashValue, {
      help: message`Only events about this hash.`,
    }),
    after: optionalValue(
      "--after",
      string({
        metavar: "CURSOR",
      }),
      {
        help:
          message`Resume after this cursor, which an earlier run printed (default: new events only).`,
      },
    ),
  }),
  {
    brief: message`Follow the events of the log`,
    description: message`Prints one event per line until stopped, then the cursor to resume from.`,
  },
);

const token = command(
  "token",
  object({
    command: constant("token"),
    count: defaultedValue("--count", count("COUNT", 1, 1_000), {
      standard: 10,
      help: message`How many to fetch (default: 10).`,
    }),
    issuer: optionalValue("--issuer", urlValue, {
      help: message`The issuer to use, instead of the first that the gateway names.`,
    }),
    apiKeyFile: optionalValue("--api-key-file", fileValue, {
      help: message`File with an API key of that issuer. Needs --issuer.`,
    }),
    list: flag("--list", {
      help: message`Only show how many tokens are stored. Sends nothing.`,
    }),
  }),
  {
    brief: message`Fetch tokens for a gateway that requires them`,
    description:
      message`Fetches Privacy Pass tokens and stores them, readable by you only, until stamp spends them.`,
  },
);

const globalOptions = object({
  output: defaultedValue(
    "--output",
    choice(["text", "json"], {
      metavar: "FORMAT",
    }),
    { standard: "text", help: message`text (default) or json.` },
  ),
  gateway: optionalValue("--gateway", urlValue, {
    help: message`Default: COUNTERSIGN_GATEWAY, or http://127.0.0.1:8080.`,
  }),
});

/** Every command line. Global options may precede or follow the command. */
export const commandTree = merge(
  or(
    or(stamp, status, verifyAttestation, verifyProof, bundle, proof, anchors),
    or(config, network, log, watch, token, serverCommands, operatorCommands),
  ),
  group("Global options", globalOptions),
);
