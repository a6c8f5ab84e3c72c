/**
 * The commands, their options and what help says of them. Parsing only: nothing of a command is
 * loaded to parse or to complete a line.
 *
 * @module
 */

import { group, merge, object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import { EVENT_TYPES } from "../gateway/event_ports.ts";
import { fileValue, folderValue, hashValue, namedFileValue } from "./option_values.ts";
import { operatorCommands } from "./operator_commands.ts";
import { tokenCommands } from "./token_commands.ts";

/** Seconds that `stamp` waits. */
const STAMP_TIMEOUT_SECONDS = 120;

const size = integer({ metavar: "SIZE", min: 0, max: Number.MAX_SAFE_INTEGER });
const hash = argument(hashValue, { description: message`SHA-256 in 64 hexadecimal digits.` });
const networkConfig = optional(option("--network-config", fileValue, {
  description: message`Configuration to verify against, instead of a pinned one.`,
}));
const online = option("--online", {
  description:
    message`Ask the gateway, which is trusted for the configuration where none is given.`,
});
const verify = option("--verify", {
  description: message`Check it against the pinned configuration and against what was asked for.`,
});

const stamp = command(
  "stamp",
  object({
    command: constant("stamp"),
    files: multiple(
      argument(fileValue, { description: message`Content, or - for standard input.` }),
    ),
    hashes: multiple(option("--hash", hashValue, {
      description: message`A SHA-256 in place of content. May be repeated.`,
    })),
    noWait: option("--no-wait", { description: message`Return once the gateway has accepted.` }),
    waitBatched: option("--wait-batched", {
      description: message`Wait until the attestation is in the log.`,
    }),
    save: option("--save", {
      description: message`Write the proof bundle to FILE.countersign.json.`,
    }),
    timeoutSeconds: withDefault(
      option("--timeout", integer({ metavar: "SECONDS", min: 1, max: 86_400 }), {
        description: message`How long to wait (default: 120).`,
      }),
      STAMP_TIMEOUT_SECONDS,
    ),
  }),
  {
    brief: message`Hash contents and have the hashes attested`,
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
    bundle: optional(option("--bundle", fileValue, {
      description: message`Proof bundle as JSON, or - for standard input.`,
    })),
    hash: optional(option("--hash", hashValue, {
      description: message`The hash that the bundle has to be about; without --bundle, fetch it.`,
    })),
    file: optional(option("--file", fileValue, {
      description: message`The content that the bundle has to be about.`,
    })),
    networkConfig,
    peerConfigs: multiple(option("--peer-config", fileValue, {
      description: message`Configuration of a peer network. May be repeated.`,
    })),
    online,
    anchors: option("--anchors", {
      description: message`Verify the external anchors as well, beside the level.`,
    }),
    anchorRoots: multiple(option("--anchor-root", namedFileValue, {
      description: message`What anchors of provider NAME are held against. May be repeated.`,
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
    save: optional(option("--save", folderValue, {
      description: message`Write files for the tools of each provider into this folder.`,
    })),
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
    pin: option("--pin", { description: message`Trust this configuration from now on.` }),
    force: option("--force", { description: message`Replace a different pin.` }),
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
        treeSize: optional(argument(size, { description: message`The latest when absent.` })),
        verify,
        networkConfig,
      }),
      { brief: message`Show a signed tree head` },
    ),
    command(
      "consistency",
      object({
        command: constant("log consistency"),
        first: argument(integer({ metavar: "FIRST", min: 1, max: Number.MAX_SAFE_INTEGER })),
        second: argument(integer({ metavar: "SECOND", min: 1, max: Number.MAX_SAFE_INTEGER })),
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
        treeSize: optional(option("--tree-size", size, {
          description: message`A published size; the latest when absent.`,
        })),
        verify,
        networkConfig,
      }),
      { brief: message`Show that the attestation of a hash is in the log` },
    ),
    command(
      "contradictions",
      object({
        command: constant("log contradictions"),
        file: optional(option("--file", fileValue, {
          description: message`Evidence as JSON, or -, in place of what the gateway shows.`,
        })),
        networkConfig: optional(option("--network-config", fileValue, {
          description: message`Configuration of the accused network, instead of a pinned one.`,
        })),
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
    hash: optional(option("--hash", hashValue, {
      description: message`Only events about this hash.`,
    })),
    after: optional(option("--after", string({ metavar: "CURSOR" }), {
      description: message`Go on where an earlier run ended; from now on when absent.`,
    })),
  }),
  {
    brief: message`Follow what happens to the log`,
    description: message`Prints one event a line until it is stopped, and then where to go on.`,
  },
);

const globalOptions = object({
  output: withDefault(
    option("--output", choice(["text", "json"], { metavar: "FORMAT" }), {
      description: message`text (default) or json.`,
    }),
    "text",
  ),
  gateway: optional(option("--gateway", string({ metavar: "URL" }), {
    description: message`Default: COUNTERSIGN_GATEWAY, or http://127.0.0.1:8080.`,
  })),
});

/** Every command line. Global options may stand before or after the command. */
export const commandTree = merge(
  or(
    or(stamp, status, verifyAttestation, verifyProof, bundle, proof, anchors),
    or(config, network, log, watch, operatorCommands, tokenCommands),
  ),
  group("Global options", globalOptions),
);
