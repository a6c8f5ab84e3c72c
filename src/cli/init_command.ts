/**
 * `init`: creates a network with remote witnesses.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { loadBls } from "../crypto/best_bls.ts";
import type { SignatureScheme } from "../format/signature_set.ts";
import type { CliIo } from "../server/io.ts";
import { createNetwork } from "../server/network_setup.ts";

export interface InitOptions {
  readonly witnesses: number;
  /** Default: the smallest majority. */
  readonly threshold?: number | undefined;
  readonly id?: string | undefined;
  readonly scheme: SignatureScheme;
  readonly basePort: number;
  /** URLs of drand relays. */
  readonly beacon?: readonly string[];
  readonly out: string;
  readonly output: "text" | "json";
}

/** Creates the network and prints the next steps. Returns the exit code. */
export async function runInit(options: InitOptions, io: CliIo): Promise<number> {
  const out = io.resolvePath(options.out);
  const threshold = options.threshold ?? Math.floor(options.witnesses / 2) + 1;
  const beaconRelays = options.beacon ?? [];
  const created = await createNetwork({
    witnesses: options.witnesses,
    threshold,
    scheme: options.scheme,
    kind: "remote",
    basePort: options.basePort,
    out,
    ...(options.id !== undefined && { id: options.id }),
    ...(beaconRelays.length > 0 && { beaconRelays }),
  }, await loadBls());
  const { network, networkFile, publicFile, witnessFiles } = created;
  if (options.output === "json") {
    io.out(JSON.stringify(
      {
        id: network.id,
        threshold,
        signature_scheme: network.signature_scheme,
        network_file: networkFile,
        public_file: publicFile,
        witness_files: witnessFiles,
      },
      undefined,
      2,
    ));
    return 0;
  }
  io.out(
    `Created network ${network.id}: ${network.witnesses.length} witnesses, ` +
      `threshold ${threshold}, ${network.signature_scheme}`,
  );
  io.out("");
  io.out(`  ${networkFile}`);
  io.out(
    "      the gateway's configuration: it holds tokens; keep it and log.key secret",
  );
  io.out(`  ${publicFile}`);
  io.out("      the public configuration, which verifiers pin: publish it");
  for (const file of witnessFiles) io.out(`  ${dirname(file)}`);
  io.out("      one folder per witness: move each to a machine of another operator, and set its");
  io.out(`      URL in ${networkFile}`);
  io.out("");
  io.out("Start each witness, then the gateway:");
  for (const file of witnessFiles) io.out(`  countersign witness ${shellWord(file)}`);
  const data = join(out, "data");
  io.out(`  countersign serve --config ${shellWord(networkFile)} --data ${shellWord(data)}`);
  return 0;
}

/** `text` as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[A-Za-z0-9_./~:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
