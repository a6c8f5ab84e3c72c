/**
 * The commands that run a server, and their options.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { argument, command, constant, option } from "@optique/core/primitives";
import { port, string } from "@optique/core/valueparser";
import { ISSUER_DEFAULTS } from "../server/issuer_options.ts";
import { SERVE_DEFAULTS } from "../server/gateway_options.ts";
import {
  count,
  defaultedValue,
  fileValue,
  flag,
  folderValue,
  logOptions,
  optionalValue,
  schemeValue,
} from "./option_values.ts";

const anyPort = port({ min: 0 });
const hostValue = string({ metavar: "HOST" });

const serve = command(
  "serve",
  object({
    command: constant("serve"),
    config: optionalValue("--config", fileValue, {
      help: message`The operator's network.json. Without it, a trial network is created.`,
    }),
    data: optionalValue("--data", folderValue, {
      help:
        message`Folder of the store (default: countersign-data, or data next to the configuration).`,
    }),
    host: defaultedValue("--host", hostValue, {
      standard: SERVE_DEFAULTS.host,
      help: message`Address to listen on (default: 127.0.0.1).`,
    }),
    port: defaultedValue("--port", anyPort, {
      standard: SERVE_DEFAULTS.port,
      help: message`Port to listen on, 0 for any (default: 8080).`,
    }),
    operatorPort: optionalValue("--operator-port", anyPort, {
      help:
        message`Port for operators and peers, 0 for any (default: the configured one, or none).`,
    }),
    eventSocketsPort: optionalValue("--event-sockets-port", anyPort, {
      help:
        message`Port for WebSockets at /ws/events, 0 for any (default: the configured one, or none).`,
    }),
    scheme: optionalValue("--scheme", schemeValue, {
      help: message`Signature scheme of the trial network: ed25519 (default) or bls.`,
    }),
    insecure: flag("--insecure", {
      help: message`Allow http: to witnesses beyond this machine.`,
    }),
    moved: flag("--moved", {
      help: message`The store was moved or restored here, and its original is stopped for good.`,
    }),
    acceptBeforeWitnesses: flag("--accept-before-witnesses", {
      help:
        message`Accept hashes before the witnesses have confirmed the store. If it is an old copy, they are lost.`,
    }),
    batchMaxAgeMs: optionalValue("--batch-max-age-ms", count("MS", 1), {
      help: message`Longest wait of an attestation for its batch (default: 1000).`,
    }),
    batchMaxLeaves: optionalValue("--batch-max-leaves", count("COUNT", 1, 16_384), {
      help: message`Number of attestations that closes a batch at once (default: 16384).`,
    }),
    ...logOptions,
  }),
  { brief: message`Run a gateway` },
);

const witnessConfig = argument(fileValue, { description: message`The node's witness.json.` });

const witness = command(
  "witness",
  or(
    command(
      "release",
      object({
        command: constant("witness release"),
        config: witnessConfig,
        origin: option("--origin", string({ metavar: "ORIGIN" }), {
          description: message`The network whose sequences are released.`,
        }),
        from: option("--from", count("SEQUENCE", 0), {
          description: message`The first sequence to release.`,
        }),
        yes: flag("--yes", { help: message`Do not ask for confirmation.` }),
      }),
      {
        brief: message`Release sequences that a stopped witness signed beyond its tree head`,
        description:
          message`Needed after two copies of a store had rounds signed for the same sequences. The witness may then sign another hash for each of them, so attestations made from its earlier signatures may be contradicted.`,
      },
    ),
    object({
      command: constant("witness"),
      config: witnessConfig,
      adopt: flag("--adopt", {
        help: message`Recreate a lost state from the largest known tree head.`,
      }),
      size: optionalValue(
        "--size",
        string({
          metavar: "SIZE",
        }),
        { help: message`Tree size of the head to adopt.` },
      ),
      root: optionalValue(
        "--root",
        string({
          metavar: "HASH",
        }),
        { help: message`Root hash of the head to adopt.` },
      ),
      ...logOptions,
    }),
  ),
  { brief: message`Run a witness node` },
);

const issuer = command(
  "issuer",
  object({
    command: constant("issuer"),
    ...logOptions,
    data: defaultedValue("--data", folderValue, {
      standard: ISSUER_DEFAULTS.data,
      help: message`Folder of configuration and keys (default: countersign-issuer).`,
    }),
    host: defaultedValue("--host", hostValue, {
      standard: ISSUER_DEFAULTS.host,
      help: message`Address to listen on (default: 127.0.0.1).`,
    }),
    port: defaultedValue("--port", anyPort, {
      standard: ISSUER_DEFAULTS.port,
      help: message`Port to listen on, 0 for any (default: 8070).`,
    }),
    name: optionalValue(
      "--name",
      string({
        metavar: "NAME",
      }),
      { help: message`Name of a new issuer (default: a generated one).` },
    ),
    rotate: flag("--rotate", {
      help: message`Publish the next keys now. They sign once the overlap has passed.`,
    }),
    printAdmission: flag("--print-admission", {
      help: message`Print this issuer's entry for a gateway's network.json.`,
    }),
    newApiKey: optionalValue(
      "--new-api-key",
      string({
        metavar: "NAME",
      }),
      { help: message`Create an API key, print it once and store its hash.` },
    ),
    perDay: optionalValue("--per-day", count("COUNT", 1), {
      help: message`Tokens per day for the new key (default: unlimited).`,
    }),
  }),
  {
    brief: message`Run an issuer of tokens`,
    description:
      message`Issues Privacy Pass tokens for API keys or proofs of work. Creates its configuration and keys if there are none.`,
  },
);

export const serverCommands = or(serve, witness, issuer);
