/**
 * The operators' commands other than servers, and their options.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, port, string } from "@optique/core/valueparser";
import {
  count,
  defaultedValue,
  fileValue,
  flag,
  folderValue,
  optionalValue,
  schemeValue,
  urlValue,
} from "./option_values.ts";

const top = command(
  "top",
  object({
    command: constant("top"),
    operator: optionalValue("--operator", urlValue, {
      help: message`Operator listener (default: the gateway's public status).`,
    }),
    tokenFile: optionalValue("--token-file", fileValue, {
      help: message`The operator's token.`,
    }),
    intervalSeconds: defaultedValue("--interval", count("SECONDS", 1, 3_600), {
      standard: 2,
      help: message`Seconds between two views (default: 2).`,
    }),
    once: flag("--once", { help: message`Show one view and exit.` }),
  }),
  { brief: message`Watch a running gateway` },
);

const init = command(
  "init",
  object({
    command: constant("init"),
    witnesses: defaultedValue("--witnesses", count("COUNT", 1), {
      standard: 3,
      help: message`Number of witnesses (default: 3).`,
    }),
    threshold: optionalValue("--threshold", count("COUNT", 1), {
      help: message`Signatures needed (default: the smallest majority).`,
    }),
    scheme: defaultedValue("--scheme", schemeValue, {
      standard: "ed25519",
      help: message`Signature scheme of the witnesses: ed25519 (default) or bls.`,
    }),
    id: optionalValue(
      "--id",
      string({
        metavar: "ID",
      }),
      { help: message`Network id (default: a generated one).` },
    ),
    basePort: defaultedValue("--base-port", port(), {
      standard: 8091,
      help: message`Port of the first witness (default: 8091).`,
    }),
    beacon: multiple(option("--beacon", urlValue, {
      description:
        message`Relay of drand quicknet, whose beacons bound the age of rounds. May be repeated.`,
    })),
    out: defaultedValue("--out", folderValue, {
      standard: "countersign-network",
      help: message`Folder to create (default: countersign-network).`,
    }),
  }),
  { brief: message`Create a network: keys and configurations` },
);

const keygen = command(
  "keygen",
  object({
    command: constant("keygen"),
    id: argument(string({ metavar: "ID" }), {
      description: message`A witness id, or a network id for a log.`,
    }),
    kind: defaultedValue(
      "--kind",
      choice(["witness", "log"], {
        metavar: "KIND",
      }),
      { standard: "witness", help: message`witness (default) or log.` },
    ),
    scheme: defaultedValue("--scheme", schemeValue, {
      standard: "ed25519",
      help: message`Signature scheme of a witness: ed25519 (default) or bls.`,
    }),
    out: option("--out", fileValue, { description: message`Key file to create.` }),
  }),
  { brief: message`Create one key` },
);

const federate = command(
  "federate",
  object({
    command: constant("federate"),
    config: option("--config", fileValue, { description: message`The operator's network.json.` }),
    peer: option("--peer", fileValue, {
      description: message`The peer's network.public.json, from its operator.`,
    }),
    gatewayUrl: optionalValue("--gateway-url", urlValue, {
      help: message`The peer's public gateway.`,
    }),
    federationUrl: optionalValue("--federation-url", urlValue, {
      help: message`The peer's operator listener, which receives our tree heads.`,
    }),
    tokenFile: optionalValue("--token-file", fileValue, {
      help: message`The token for that listener, from the peer's operator.`,
    }),
    minWitnesses: optionalValue("--min-witnesses", count("COUNT", 1), {
      help: message`Signatures that a cross-anchor needs (default: the peer's threshold).`,
    }),
    threshold: optionalValue("--cross-anchor-threshold", count("COUNT", 1), {
      help: message`Peers needed for level Federated (default: unchanged, at least 1).`,
    }),
    witnesses: multiple(option("--witness", fileValue, {
      description:
        message`One of our witness.json files, to add the peer's log to. May be repeated.`,
    })),
    rotateToken: flag("--rotate-token", { help: message`Create a new token for the peer.` }),
    overlapHours: defaultedValue("--overlap-hours", count("HOURS", 0), {
      standard: 24,
      help: message`How long the old token stays valid (default: 24).`,
    }),
    insecure: flag("--insecure", {
      help: message`Allow http: URLs beyond this machine.`,
    }),
  }),
  {
    brief: message`Add or change a peer network`,
    description:
      message`Pins the peer's configuration, creates the token for its gateway, and enters both into network.json. Run it again to change an entry.`,
  },
);

const fsck = command(
  "fsck",
  object({
    command: constant("fsck"),
    data: optionalValue("--data", folderValue, {
      help: message`The data folder of a stopped gateway (default: as for serve).`,
    }),
    config: optionalValue("--config", fileValue, {
      help: message`The operator's network.json (default: the trial network's).`,
    }),
    networkConfig: optionalValue("--network-config", fileValue, {
      help: message`Configuration to verify against, operator's or public.`,
    }),
    online: flag("--online", {
      help: message`Trust the gateway for the configuration if none is pinned.`,
    }),
  }),
  {
    brief: message`Check a whole log`,
    description:
      message`Rereads the log in a store, or with --gateway the log of a running gateway. Recomputes every hash, verifies every signature, and reports each fault. Exits 1 if there is one.`,
  },
);

export const operatorCommands = or(top, init, keygen, federate, fsck);
