/**
 * `conformance verifier` runs any verifier over the C2SP vectors; `conformance accept` runs ours with the
 * same interface.
 *
 * @module
 */

import { choice } from "@optique/core/valueparser";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accepts } from "../../logs/conformance/reference_verifier.ts";
import { testVerifier } from "../../logs/conformance/suite.ts";
import { ACCEPTED, REJECTED, type RunVerifier } from "../../logs/conformance/verifier_checks.ts";
import { VECTOR_FILES, VECTOR_INPUTS, type VectorKind } from "../../logs/conformance/vectors.ts";
import { CountersignError } from "../../base/errors.ts";
import { C2SP_VECTORS } from "../../base/program_files.ts";
import { deno } from "../../server/runtime.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand } from "../define_command.ts";
import { contentOf } from "../input_file.ts";
import { FILE, positional, repeatedPositional, textValue } from "../options.ts";
import { Progress } from "../progress.ts";
import { finish, htmlOption } from "./finish.ts";

/** As verifiers of files elsewhere. */
const MAX_INPUT_BYTES = 16 * 1024 * 1024;

export const conformanceVerifier = defineSubcommand("conformance verifier", {
  brief: "Test a verifier with the C2SP vectors",
  description:
    "Runs COMMAND KIND FILE... for each vector. KIND is vkey, note, policy, checkpoint or proof. Exit code 0 means accepted, 1 rejected, 3 not supported.",
  options: {
    command: positional(
      textValue("COMMAND"),
      "The program, with its first arguments after spaces.",
    ),
    html: htmlOption,
  },
  async run({ command, html }, context) {
    const vectors = await Promise.all(
      VECTOR_FILES.map(async (name) =>
        JSON.parse(await readFile(new URL(`${name}.json`, C2SP_VECTORS), "utf8"))
      ),
    );
    const folder = await mkdtemp(join(context.io.env("TMPDIR") ?? "/tmp", "conformance-"));
    const progress = await Progress.start(context, "vectors");
    try {
      const run = runIn(folder, command, context);
      const onProgress = (done: number, total: number) => progress.update(done, total);
      const { clock } = context.process;
      const report = await testVerifier(vectors.flat(), { command, run, onProgress }, { clock });
      progress.stop();
      return await finish(report, html, context);
    } finally {
      progress.stop();
      await rm(folder, { recursive: true });
    }
  },
});

export const conformanceAccept = defineSubcommand("conformance accept", {
  brief: "Accept or reject one input, for conformance verifier",
  options: {
    kind: positional(
      choice(Object.keys(VECTOR_INPUTS) as VectorKind[], { metavar: "KIND" }),
      `The kind of the input: ${Object.keys(VECTOR_INPUTS).join(", ")}.`,
    ),
    files: repeatedPositional(FILE, "The inputs, in the order that docs/conformance.md lists."),
  },
  async run({ kind, files }, context) {
    if (files.length !== VECTOR_INPUTS[kind].length) {
      throw new CountersignError(
        "usage",
        `Cannot verify ${kind}: give these files: ${VECTOR_INPUTS[kind].join(", ")}`,
      );
    }
    const inputs = await Promise.all(
      files.map((file) => contentOf(context, file, MAX_INPUT_BYTES)),
    );
    const accepted = await accepts(context.crypto, kind, inputs);
    context.output.result({ accepted }, ({ accepted }) => [accepted ? "accepted" : "rejected"]);
    return accepted ? ACCEPTED : REJECTED;
  },
});

/** Each run has a folder with its inputs. */
function runIn(folder: string, command: string, { io }: CommandContext): RunVerifier {
  const [program = "", ...first] = command.split(/\s+/);
  if (deno !== undefined && deno.permissions.querySync({ name: "run" }).state !== "granted") {
    throw new CountersignError(
      "usage",
      "Cannot run verifier: Deno was started without --allow-run; use deno task conformance, or Node",
    );
  }
  let runs = 0;
  return async (kind, inputs) => {
    const prefix = join(folder, String(runs++));
    const paths = inputs.map(({ name }) => `${prefix}.${name}`);
    await Promise.all(inputs.map(({ bytes }, i) => writeFile(paths[i]!, bytes)));
    const child = spawn(program, [...first, kind, ...paths], {
      cwd: io.resolvePath("."),
      stdio: "ignore",
    });
    return await new Promise((resolve, reject) => {
      child.once("error", (cause) =>
        reject(
          new CountersignError("file_failed", `Cannot run ${program}: ${cause.message}`, { cause }),
        ));
      child.once("exit", (code) => resolve(code ?? undefined));
    });
  };
}
