/**
 * `witness-network`: prints what a log's operator sends to a public witness network, and reads the
 * network's lists of witnesses.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { CountersignError } from "../base/errors.ts";
import { witnessesIn } from "../proof/format/witness_list.ts";
import type { CommandContext } from "./command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "./define_command.ts";
import { textAt } from "./input_file.ts";
import { count, defaulted, FILE, repeatedPositional, required, textValue } from "./options.ts";
import { readNetworkFile } from "./trusted_network.ts";

const SECONDS_PER_DAY = 86_400;

const requestOptions = {
  networkConfig: required(
    "--network-config",
    FILE,
    "The network.json or network.public.json of the log.",
  ),
  contact: required(
    "--contact",
    textValue("TEXT"),
    "How witness operators reach you: a mail address or a page.",
  ),
  every: defaulted(
    "--every",
    count("SECONDS", 1),
    10,
    "Seconds between two requests: interval_seconds of the member witnessing in network.json.",
  ),
  list: defaulted("--list", textValue("NAME"), "testing", "The list that the log should be in."),
};

const witnessesOptions = {
  places: repeatedPositional(
    FILE,
    "Policies (c2sp.org/tlog-policy) or pages about witnesses: files, - or https URLs.",
  ),
};

const request = defineSubcommand("witness-network request", {
  brief: "Print the facts about a log that a witness network needs",
  description:
    "Send the output to the operators of the witness network; it contains no secret. The gateway keeps to the rate: it sends one checkpoint in --every seconds, and one more request after each start.",
  options: requestOptions,
  run: printRequest,
});

const witnesses = defineSubcommand("witness-network witnesses", {
  brief: "Read lists of witnesses, and print the member witnessing.witnesses for network.json",
  description:
    "Lists are not signed: compare the keys with the operators of the witnesses. Exits 1 if there is no witness.",
  options: witnessesOptions,
  run: printWitnesses,
});

export const witnessNetwork = namedCommand("witness-network", or(request, witnesses));

async function printRequest(
  { networkConfig, contact, every, list }: ValuesOf<typeof requestOptions>,
  context: CommandContext,
): Promise<number> {
  const { id: origin, log_vkey: vkey } = await readNetworkFile(context, networkConfig);
  if (vkey === undefined) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot request witnesses: ${networkConfig} has no log_vkey`,
    );
  }
  if (/[\n\r]/.test(contact + list)) {
    throw new CountersignError("usage", "Cannot request witnesses: give each value on one line");
  }
  const request: WitnessRequest = {
    origin,
    vkey,
    seconds_between_requests: every,
    queries_per_day: Math.ceil(SECONDS_PER_DAY / every),
    list,
    contact,
  };
  context.output.result(request, requestText);
  return 0;
}

interface WitnessRequest {
  readonly origin: string;
  readonly vkey: string;
  readonly seconds_between_requests: number;
  readonly queries_per_day: number;
  readonly list: string;
  readonly contact: string;
}

function requestText(request: WitnessRequest): string[] {
  const { origin, vkey, seconds_between_requests: every, queries_per_day: queries } = request;
  return [
    `Origin line: ${origin}`,
    `Public key: ${vkey}`,
    `add-checkpoint rate: every ${every} seconds while the log grows, at most ${queries} a day`,
    `Log list: ${request.list}`,
    `Contact: ${request.contact}`,
    "",
    "As an entry of a log list:",
    "",
    `vkey ${vkey}`,
    "origin none",
    "bastion none",
    `qpd ${queries}`,
    `contact ${request.contact}`,
  ];
}

async function printWitnesses(
  { places }: ValuesOf<typeof witnessesOptions>,
  context: CommandContext,
): Promise<number> {
  const found = new Map<string, { readonly vkey: string; readonly url?: string }>();
  for (const place of places) {
    const text = await textAt(context, place, "Cannot get list of witnesses");
    for (const witness of witnessesIn(text)) found.set(witness.vkey, witness);
  }
  const witnesses = [...found.values()];
  context.output.result(
    { witnesses },
    ({ witnesses }) =>
      witnesses.length === 0
        ? ["No witness found: the text has no verifier key of type 0x04 or 0x06"]
        : `"witnesses": ${JSON.stringify(witnesses, undefined, 2)}`.split("\n"),
  );
  const unreachable = witnesses.filter(({ url }) => url === undefined).length;
  if (unreachable > 0) {
    context.output.note(
      `Witnesses without a URL: ${unreachable}. Ask their operators and add "url", or leave them out`,
    );
  }
  return witnesses.length === 0 ? 1 : 0;
}
