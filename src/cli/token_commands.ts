/**
 * The commands around tokens: who issues them, and who fetches them.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { command, constant, option } from "@optique/core/primitives";
import { integer, port, string } from "@optique/core/valueparser";
import { logOptions } from "./log_options.ts";
import { fileValue, folderValue } from "./option_values.ts";

/** Tokens of one run: a supply for a while, and no more than an issuer cares to sign. */
const TOKENS_DEFAULT = 10;
const TOKENS_MAX = 1_000;

const token = command(
  "token",
  object({
    command: constant("token"),
    count: withDefault(
      option("--count", integer({ metavar: "COUNT", min: 1, max: TOKENS_MAX }), {
        description: message`How many to fetch (default: 10).`,
      }),
      TOKENS_DEFAULT,
    ),
    issuer: optional(option("--issuer", string({ metavar: "URL" }), {
      description: message`The issuer to ask, instead of the first that the gateway names.`,
    })),
    apiKeyFile: optional(option("--api-key-file", fileValue, {
      description: message`File with an API key of that issuer. Needs --issuer.`,
    })),
    list: option("--list", {
      description: message`Only show how many there are; nobody is asked.`,
    }),
  }),
  {
    brief: message`Fetch tokens for a gateway that wants them`,
    description:
      message`Fetches Privacy Pass tokens and keeps them, readable for you alone, until stamp spends them.`,
  },
);

const issuer = command(
  "issuer",
  object({
    command: constant("issuer"),
    ...logOptions,
    data: optional(option("--data", folderValue, {
      description: message`Folder of configuration and keys (default: countersign-issuer).`,
    })),
    host: optional(option("--host", string({ metavar: "HOST" }), {
      description: message`Address to listen on (default: 127.0.0.1).`,
    })),
    port: optional(option("--port", port({ min: 0 }), {
      description: message`Port to listen on, 0 for any (default: 8070).`,
    })),
    name: optional(option("--name", string({ metavar: "NAME" }), {
      description: message`Name of an issuer that is made (default: a generated one).`,
    })),
    rotate: option("--rotate", {
      description: message`Publish the next keys now; they sign once the overlap has passed.`,
    }),
    printAdmission: option("--print-admission", {
      description: message`Print what a gateway's network.json has to say of this issuer.`,
    }),
    newApiKey: optional(option("--new-api-key", string({ metavar: "NAME" }), {
      description: message`Make an API key, print it once and keep its hash.`,
    })),
    perDay: optional(option("--per-day", integer({ metavar: "COUNT", min: 1 }), {
      description: message`Tokens that the new key is good for in a day (default: any number).`,
    })),
  }),
  {
    brief: message`Run an issuer of tokens`,
    description:
      message`Gives Privacy Pass tokens for API keys or proofs of work. Makes its configuration and keys where there are none.`,
  },
);

export const tokenCommands = or(token, issuer);
