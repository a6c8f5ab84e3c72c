/**
 * The commands of operators: what serves, and what makes configurations.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, integer, port, string } from "@optique/core/valueparser";
import { logOptions } from "./log_options.ts";
import { fileValue, folderValue, schemeValue } from "./option_values.ts";

const serve = command(
  "serve",
  object({
    command: constant("serve"),
    config: optional(option("--config", fileValue, {
      description: message`The operator's network.json. Without one a trial network is created.`,
    })),
    data: optional(option("--data", folderValue, {
      description:
        message`Folder of the store (default: countersign-data, or data beside the configuration).`,
    })),
    host: optional(option("--host", string({ metavar: "HOST" }), {
      description: message`Address to listen on (default: 127.0.0.1).`,
    })),
    port: optional(option("--port", port({ min: 0 }), {
      description: message`Port to listen on, 0 for any (default: 8080).`,
    })),
    operatorPort: optional(option("--operator-port", port({ min: 0 }), {
      description:
        message`Port for operators and peers, 0 for any (default: that of the configuration, or none).`,
    })),
    eventSocketsPort: optional(option("--event-sockets-port", port({ min: 0 }), {
      description:
        message`Port for WebSockets at /ws/events, 0 for any (default: that of the configuration, or none).`,
    })),
    scheme: optional(option("--scheme", schemeValue, {
      description: message`Signature scheme of the trial network: ed25519 (default) or bls.`,
    })),
    insecure: option("--insecure", {
      description: message`Allow http: to witnesses beyond this machine.`,
    }),
    moved: option("--moved", {
      description:
        message`Accept that the store was moved or restored; its original is stopped for good.`,
    }),
    acceptBeforeWitnesses: option("--accept-before-witnesses", {
      description:
        message`Accept hashes before the witnesses have agreed with the store: if it is an old copy, they are lost.`,
    }),
    batchMaxAgeMs: optional(option("--batch-max-age-ms", integer({ metavar: "MS", min: 1 }), {
      description: message`Longest wait of an attestation for its batch (default: 1000).`,
    })),
    batchMaxLeaves: optional(
      option("--batch-max-leaves", integer({ metavar: "COUNT", min: 1, max: 16_384 }), {
        description: message`Attestations that close a batch at once (default: 16384).`,
      }),
    ),
    ...logOptions,
  }),
  { brief: message`Run a gateway` },
);

const witnessRelease = command(
  "release",
  object({
    command: constant("witness release"),
    config: argument(fileValue, { description: message`The node's witness.json.` }),
    origin: option("--origin", string({ metavar: "ORIGIN" }), {
      description: message`The network whose sequences are released.`,
    }),
    from: option("--from", integer({ metavar: "SEQUENCE", min: 0, max: Number.MAX_SAFE_INTEGER }), {
      description: message`The first sequence to release.`,
    }),
    yes: option("--yes", { description: message`Release without asking.` }),
  }),
  {
    brief: message`Free sequences that a stopped witness signed beyond its tree head`,
    description:
      message`After two copies of a store had rounds signed for the same sequences, lets the witness sign another hash for each of them. Attestations made from its earlier signatures may then be contradicted.`,
  },
);

const witness = command(
  "witness",
  or(
    witnessRelease,
    object({
      command: constant("witness"),
      config: argument(fileValue, { description: message`The node's witness.json.` }),
      adopt: option("--adopt", {
        description: message`Create a lost state from the last tree head that anyone can show.`,
      }),
      size: optional(option("--size", string({ metavar: "SIZE" }), {
        description: message`Tree size of the head to adopt.`,
      })),
      root: optional(option("--root", string({ metavar: "HASH" }), {
        description: message`Root hash of the head to adopt.`,
      })),
      ...logOptions,
    }),
  ),
  { brief: message`Run a witness node` },
);

const top = command(
  "top",
  object({
    command: constant("top"),
    operator: optional(option("--operator", string({ metavar: "URL" }), {
      description: message`Operator listener; the gateway's public status when absent.`,
    })),
    tokenFile: optional(option("--token-file", fileValue, {
      description: message`The operator's token.`,
    })),
    intervalSeconds: withDefault(
      option("--interval", integer({ metavar: "SECONDS", min: 1, max: 3_600 }), {
        description: message`How long each view is about (default: 2).`,
      }),
      2,
    ),
    once: option("--once", { description: message`Show one and end.` }),
  }),
  { brief: message`Watch a running gateway at work` },
);

const init = command(
  "init",
  object({
    command: constant("init"),
    witnesses: optional(option("--witnesses", integer({ metavar: "COUNT", min: 1 }), {
      description: message`How many witnesses (default: 3).`,
    })),
    threshold: optional(option("--threshold", integer({ metavar: "COUNT", min: 1 }), {
      description: message`How many have to sign (default: the smallest majority).`,
    })),
    scheme: optional(option("--scheme", schemeValue, {
      description: message`Signature scheme of the witnesses: ed25519 (default) or bls.`,
    })),
    id: optional(option("--id", string({ metavar: "ID" }), {
      description: message`Network id (default: a generated one).`,
    })),
    basePort: optional(option("--base-port", port(), {
      description: message`Port of the first witness (default: 8091).`,
    })),
    beacon: multiple(option("--beacon", string({ metavar: "URL" }), {
      description:
        message`Relay of drand quicknet, whose beacons show that rounds are not older; repeatable.`,
    })),
    out: optional(option("--out", folderValue, {
      description: message`Folder to make (default: countersign-network).`,
    })),
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
    kind: withDefault(
      option("--kind", choice(["witness", "log"], { metavar: "KIND" }), {
        description: message`witness (default) or log.`,
      }),
      "witness",
    ),
    scheme: withDefault(
      option("--scheme", schemeValue, {
        description: message`Signature scheme of a witness: ed25519 (default) or bls.`,
      }),
      "ed25519",
    ),
    out: option("--out", fileValue, { description: message`Key file to make.` }),
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
    gatewayUrl: optional(option("--gateway-url", string({ metavar: "URL" }), {
      description: message`The peer's public gateway.`,
    })),
    federationUrl: optional(option("--federation-url", string({ metavar: "URL" }), {
      description: message`The peer's operator listener, to which our tree heads are sent.`,
    })),
    tokenFile: optional(option("--token-file", fileValue, {
      description: message`The token to show there, from the peer's operator.`,
    })),
    minWitnesses: optional(option("--min-witnesses", integer({ metavar: "COUNT", min: 1 }), {
      description: message`Signatures that a cross-anchor needs (default: the peer's threshold).`,
    })),
    threshold: optional(option("--cross-anchor-threshold", integer({ metavar: "COUNT", min: 1 }), {
      description: message`Peers that level Federated needs (default: as it is, at least 1).`,
    })),
    witnesses: multiple(option("--witness", fileValue, {
      description: message`A witness.json of ours to enter the peer's log into; repeatable.`,
    })),
    rotateToken: option("--rotate-token", {
      description: message`Make another token for the peer to show.`,
    }),
    overlapHours: optional(option("--overlap-hours", integer({ metavar: "HOURS", min: 0 }), {
      description: message`How long the present token holds after that (default: 24).`,
    })),
    insecure: option("--insecure", {
      description: message`Allow http: URLs beyond this machine.`,
    }),
  }),
  {
    brief: message`Add a peer network, or change one`,
    description:
      message`Pins the peer's configuration, makes the token that its gateway shows us, and enters both into network.json. Run again to change what is there.`,
  },
);

const fsck = command(
  "fsck",
  object({
    command: constant("fsck"),
    data: optional(option("--data", folderValue, {
      description:
        message`The data folder of a gateway that is stopped (default: as serve has it).`,
    })),
    config: optional(option("--config", fileValue, {
      description: message`The operator's network.json (default: that of the trial network).`,
    })),
    networkConfig: optional(option("--network-config", fileValue, {
      description: message`Configuration to verify against, operator's or public.`,
    })),
    online: option("--online", {
      description: message`Trust the gateway for the configuration where none is pinned.`,
    }),
  }),
  {
    brief: message`Check a whole log`,
    description:
      message`Rereads the log in a store, or with --gateway that of a running gateway, recomputes every hash, verifies every signature, and reports each fault. Exits 1 when there is one.`,
  },
);

export const operatorCommands = or(serve, witness, top, init, keygen, federate, fsck);
