/**
 * `upgrade`: replaces saved proofs by stronger ones, as batches, peers and external anchors arrive.
 *
 * @module
 */

import { reasonClause } from "../proof/verify/reasons.ts";
import { realpath } from "node:fs/promises";
import { CountersignError, expectedError } from "../base/errors.ts";
import type { Bytes } from "../base/bytes.ts";
import type { ProofBundle } from "../proof/format/bundle.ts";
import { withProofIn } from "../proof/timestamp/attested_token.ts";
import { replaceFile } from "../server/replaced_file.ts";
import { WITHOUT_ROOTS } from "./anchor_report.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { inParallel } from "./in_parallel.ts";
import { kindOf, STDIN } from "./input_file.ts";
import {
  FILE,
  hiddenOption,
  logSignatureOption,
  peerConfigsOption,
  repeatedPositional,
  trustOptions,
} from "./options.ts";
import { namingNetwork, otherNetwork } from "./other_network.ts";
import { type ErrorJson, errorJson, isFailed, type Line, linesByReason } from "./output.ts";
import { BundleChecker, type BundleFindings } from "./proofs/bundle_check.ts";
import { walkFolder } from "./proofs/file_walk.ts";
import { exchangedParts, isSameAttestation } from "./proofs/proof_parts.ts";
import { notABundle, proofToUpgrade, readProof } from "./proofs/saved_proofs.ts";
import { readTokenFile } from "./proofs/timestamp_proof.ts";
import { type RunLimit, timeoutOption, withRunLimit } from "./run_limit.ts";
import { fileWord } from "./shell_word.ts";

const options = {
  files: repeatedPositional(FILE, "File with a saved proof, a proof, or a folder with proofs."),
  hidden: hiddenOption,
  logSignature: logSignatureOption,
  peerConfigs: peerConfigsOption,
  timeoutSeconds: timeoutOption,
  ...trustOptions,
};
type Options = ValuesOf<typeof options>;

/** How many bundles are fetched at once. */
const CONCURRENCY = 8;

/** `kept`: the gateway's proof lacks something that the saved one has. */
interface Upgraded {
  readonly proof: string;
  readonly status: "upgraded" | "unchanged" | "kept" | "failed";
  readonly level?: string;
  /** Parts that the new proof has more, or for `kept` that the gateway's lacks. */
  readonly parts: readonly string[];
  readonly error?: CountersignError;
}

/** Exits 1 if a proof could not be compared with the gateway's. */
export const upgrade = defineCommand("upgrade", {
  description:
    "Fetches the current proof of each saved one, verifies it, and replaces the file if the new proof " +
    "has more and lacks nothing.",
  options,
  run: (options, context) =>
    withRunLimit(context, options.timeoutSeconds, async (limit) => {
      const { proofs, failures } = await limit.during(proofsOf(context, options));
      const upgrader = new Upgrader(context, options, limit);
      limit.startWaiting();
      const results: Upgraded[] = [];
      await inParallel(proofs, CONCURRENCY, async (proof, i) => {
        results[i] = await upgrader.upgrade(proof);
      });
      results.push(...failures);
      report(context, results);
      return results.some(({ status }) => status === "failed") ? 1 : 0;
    }),
});

async function proofsOf(
  context: CommandContext,
  { files, hidden }: Options,
): Promise<{ readonly proofs: ReadonlySet<string>; readonly failures: readonly Upgraded[] }> {
  const proofs = new Set<string>();
  const failures: Upgraded[] = [];
  for (const name of files) {
    if (name === STDIN) {
      throw new CountersignError("usage", "Cannot upgrade standard input: name a file or folder");
    }
    const kind = await kindOf(context, name);
    if (kind === "special") {
      throw new CountersignError(
        "file_failed",
        `Cannot upgrade "${name}": it is a device or a pipe. Name a file`,
      );
    }
    if (kind === "folder") {
      const walked = await walkFolder(context, name, { hidden });
      for (const { name: proof, error } of walked.failures) {
        failures.push({ proof, status: "failed", parts: [], error });
      }
      for (const proof of [...walked.proofs, ...walked.loneProofs]) proofs.add(proof);
    } else {
      try {
        proofs.add(await proofToUpgrade(context, name));
      } catch (error) {
        failures.push({ proof: name, status: "failed", parts: [], error: expectedError(error) });
      }
    }
  }
  if (proofs.size + failures.length > 0) return { proofs, failures };
  throw new CountersignError(
    "file_failed",
    "Cannot upgrade: no saved proofs there (make some: " +
      `${context.commandLine(["stamp --save", ...files.map(fileWord)].join(" "))})`,
  );
}

class Upgrader {
  readonly #context: CommandContext;
  readonly #checker: BundleChecker;
  readonly #limit: RunLimit;
  readonly #withLog: boolean;

  constructor(context: CommandContext, options: Options, limit: RunLimit) {
    this.#context = context;
    this.#limit = limit;
    this.#withLog = options.logSignature;
    this.#checker = new BundleChecker(context, {
      ...options,
      anchors: WITHOUT_ROOTS,
      mayAsk: true,
    });
  }

  async upgrade(proof: string): Promise<Upgraded> {
    try {
      return await this.#upgrade(proof);
    } catch (error) {
      return { proof, status: "failed", parts: [], error: expectedError(error) };
    }
  }

  /** The bundle in a file, which may be a time-stamp token. */
  async #read(
    name: string,
  ): Promise<{ readonly bundle: ProofBundle; readonly token?: Bytes }> {
    const proof = await readProof(this.#context, name);
    switch (proof.kind) {
      case "bundle":
        return proof;
      case "timestamp": {
        const { bundle } = readTokenFile(proof.bytes, name);
        if (bundle !== undefined) return { bundle, token: proof.bytes };
        throw new CountersignError(
          "malformed_bundle",
          `Cannot upgrade "${name}": the time-stamp token carries no proof of ours`,
        );
      }
      default:
        throw notABundle(name, proof.kind, {
          failure: "Cannot upgrade",
          instead: proof.kind === "attestation"
            ? `get the proof of its hash: ${this.#context.commandLine("bundle HASH")}`
            : `write a new one: ${this.#context.commandLine("stamp --proofs all FILE")}`,
        });
    }
  }

  async #upgrade(proof: string): Promise<Upgraded> {
    const { gateway, io } = this.#context;
    const { bundle: saved, token } = await this.#limit.during(this.#read(proof));
    const { hash, network_id: id } = saved.signed_attestation.attestation;
    const known = await this.#checker.check({ bundle: saved, hashes: [], file: proof });
    const withLog = this.#withLog || saved.batch_inclusion?.sth.log_signature !== undefined;
    const answer = await gateway.withRetries(() => gateway.bundle(hash, undefined, withLog)).catch(
      async (error) => {
        throw await namingNetwork(this.#context, id, error);
      },
    );
    const { value: bundle } = answer;
    const { network_id: other } = bundle.signed_attestation.attestation;
    if (other !== id) throw otherNetwork(this.#context, id, other);
    const fresh = await this.#checker.check({ bundle, hashes: [hash], isAnswer: true });
    requireUsable(proof, saved, fresh);
    const { lost, gained } = exchangedParts(known, fresh);
    const level = (lost.length > 0 ? known : fresh).verdict.level;
    if (lost.length > 0) return { proof, status: "kept", level, parts: lost };
    if (gained.length === 0) return { proof, status: "unchanged", level, parts: gained };
    // A link stays one: the file that it leads to is replaced.
    const path = await realpath(io.resolvePath(proof));
    const text = answer.text.trimEnd();
    await replaceFile(path, token === undefined ? `${text}\n` : withProofIn(token, text), 0o644);
    return { proof, status: "upgraded", level, parts: gained };
  }
}

/** Requires the gateway's proof to be valid and of the same attestation; `proof_refused`. */
function requireUsable(proof: string, saved: ProofBundle, { bundle, verdict }: BundleFindings) {
  const { attestation, batch } = verdict.layers;
  const failed = [attestation, batch].find(({ status }) => status === "failed");
  const isSame = isSameAttestation(
    saved.signed_attestation.attestation,
    bundle.signed_attestation.attestation,
  );
  if (failed === undefined && isSame) return;
  const reason = failed?.reason;
  throw new CountersignError(
    "proof_refused",
    `Cannot upgrade "${proof}": the gateway's proof ` +
      (reason === undefined || !isSame
        ? "is of another attestation"
        : `is not valid (${reasonClause(reason)})`) +
      "; the file is unchanged",
  );
}

function report({ output }: CommandContext, results: readonly Upgraded[]): void {
  const counts = { upgraded: 0, unchanged: 0, kept: 0, failed: 0 };
  for (const { status } of results) counts[status]++;
  output.result({
    counts,
    results: results.map(({ error, ...result }) => ({
      ...result,
      error: error && errorJson(error),
    })),
  }, ({ counts, results }) => [
    ...results.filter((result) => !isFailed(result)).map(lineOf),
    ...linesByReason(results.filter(isFailed), lineOf, WORD_WIDTH),
    Object.entries(counts).filter(([name, count]) => count > 0 || name === "upgraded")
      .map(([name, count]) => `${count} ${name}`).join(", "),
  ]);
}

/** Of the first word of a line, with the spaces after it. */
const WORD_WIDTH = "unchanged  ".length;

function lineOf(
  { proof, status, level, parts, error }: Omit<Upgraded, "error"> & {
    readonly error?: ErrorJson | undefined;
  },
): Line {
  switch (status) {
    case "upgraded":
      return { text: `upgraded   ${proof}: now has ${parts.join(", ")}`, accent: "green" };
    case "kept":
      return `kept       ${proof}: the gateway's proof lacks ${parts.join(", ")}`;
    case "unchanged":
      return level === "basic"
        ? `unchanged  ${proof}: not yet in the log; try again later`
        : `unchanged  ${proof}: nothing new`;
    case "failed":
      return { text: `failed     ${proof}: ${error?.message}`, accent: "red" };
  }
}
