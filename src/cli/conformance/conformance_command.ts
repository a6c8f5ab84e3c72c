/**
 * `conformance`: tests any witness, log, mirror or verifier against the C2SP documents.
 *
 * @module
 */

import { or } from "@optique/core/constructs";
import { readSigner } from "../../config/key_file.ts";
import { type LogSigner, SuiteLog } from "../../logs/conformance/suite_log.ts";
import {
  type SuiteOptions,
  testLog,
  testMirror,
  testWitness,
} from "../../logs/conformance/suite.ts";
import { CountersignError } from "../../base/errors.ts";
import { NOTE_TYPE, type NoteKey, parseVkey } from "../../proof/format/note_key.ts";
import { argumentValue, type CommandContext, typedUrl } from "../command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "../define_command.ts";
import {
  FILE,
  optional,
  positional,
  repeated,
  required,
  SERVICE_URL,
  textValue,
} from "../options.ts";
import { finish, htmlOption } from "./finish.ts";
import { conformanceAccept, conformanceVerifier } from "./verifier_command.ts";

const logKeyOption = required(
  "--log-key",
  FILE,
  "Key of the suite's log, made by keygen --kind log.",
);
const monitoringOption = optional(
  "--monitoring",
  SERVICE_URL,
  "The monitoring prefix (default: the submission prefix).",
);

/** Options of the targets that are configured with the suite's log. */
function cosignerOptions(kind: string) {
  return {
    url: positional(SERVICE_URL, "The submission prefix."),
    logKey: logKeyOption,
    monitoring: monitoringOption,
    vkeys: repeated(
      "--vkey",
      textValue("VKEY"),
      `A key of the ${kind}, of type 0x04 or 0x06, to verify its cosignatures.`,
    ),
    html: htmlOption,
  };
}

type CosignerValues = ValuesOf<ReturnType<typeof cosignerOptions>>;

async function cosignerOf(
  { url: typed, logKey, monitoring, vkeys }: CosignerValues,
  context: CommandContext,
) {
  const url = typedUrl(typed, { insecure: true });
  return {
    url,
    monitoring: monitoring === undefined ? url : typedUrl(monitoring, { insecure: true }),
    keys: keysOf(vkeys, [NOTE_TYPE.cosignature, NOTE_TYPE.mlDsaCosignature]),
    signer: await suiteSigner(logKey, context),
  };
}

const CONFIGURE =
  "with the origin and the vkey of the suite's log, which the command prints. For all clauses use a new key.";

const witness = defineSubcommand("conformance witness", {
  brief: "Test a witness against tlog-witness",
  description: `Configure the witness ${CONFIGURE}`,
  options: cosignerOptions("witness"),
  async run(values, context) {
    const report = await testWitness(await cosignerOf(values, context), suiteOptions(context));
    return await finish(report, values.html, context);
  },
});

const mirror = defineSubcommand("conformance mirror", {
  brief: "Test a mirror against tlog-mirror and tlog-tiles",
  description: `Configure the mirror ${CONFIGURE}`,
  options: cosignerOptions("mirror"),
  async run(values, context) {
    const report = await testMirror(await cosignerOf(values, context), suiteOptions(context));
    return await finish(report, values.html, context);
  },
});

const log = defineSubcommand("conformance log", {
  brief: "Test a log against tlog-tiles",
  options: {
    url: positional(SERVICE_URL, "The log's prefix; its checkpoint is at /checkpoint."),
    vkeys: repeated("--vkey", textValue("VKEY"), "A key of the log, to verify its signatures."),
    html: htmlOption,
  },
  async run({ url: typed, vkeys, html }, context) {
    const url = typedUrl(typed, { insecure: true });
    const types = [NOTE_TYPE.ed25519, NOTE_TYPE.mlDsaCosignature];
    const target = { url, keys: keysOf(vkeys, types) };
    return await finish(await testLog(target, suiteOptions(context)), html, context);
  },
});

/** Exits 1 if a MUST is broken. */
export const conformance = namedCommand(
  "conformance",
  or(witness, log, mirror, conformanceVerifier, conformanceAccept),
);

function suiteOptions({ crypto, process: { clock } }: CommandContext): SuiteOptions {
  return { crypto, clock };
}

function keysOf(vkeys: readonly string[], types: readonly number[]): NoteKey[] {
  return vkeys.map((vkey) => argumentValue(() => parseVkey(vkey, types)));
}

/** The key of the suite's log. Says how to configure it, before the first request. */
async function suiteSigner(
  file: string,
  { io, output, crypto }: CommandContext,
): Promise<LogSigner> {
  const { kind, name, signer } = await readSigner(io.resolvePath(file), {
    bls: crypto.bls,
    env: (variable) => io.env(variable),
    report: () => {},
  });
  if (kind !== "log") {
    throw new CountersignError(
      "invalid_key",
      `Cannot use key file "${file}": it is not a log key (make one with keygen --kind log)`,
    );
  }
  const log = {
    name,
    publicKey: signer.publicKey,
    sign: (message: Uint8Array) => signer.sign(message),
  };
  const { origin, vkey } = new SuiteLog(log, crypto.kernels);
  output.note(`the suite's log has the origin ${origin} and the vkey ${vkey}`);
  return log;
}
