/**
 * Makes every kind of file with a secret in the working folder, under a umask of 0. A program of its
 * own, because a umask belongs to a whole process.
 *
 * @module
 */

import { join } from "node:path";
import { runFederate } from "../../src/cli/federate_command.ts";
import { addApiKey, addKey, createIssuer } from "../../src/server/issuer/issuer_folder.ts";
import { runKeygen } from "../../src/cli/keygen_command.ts";
import { createNetwork } from "../../src/server/gateway/network_setup.ts";
import { contextOf } from "../cli/client_run.ts";
import { bls } from "../schemes.ts";
import { CapturedIo } from "./captured_io.ts";

Deno.umask(0);
const folder = Deno.cwd();
const io = new CapturedIo({ folder });
const plan = { witnesses: 1, threshold: 1, basePort: 8091, scheme: "ed25519" } as const;
for (const kind of ["remote", "embedded"] as const) {
  await createNetwork({ ...plan, kind, out: join(folder, kind) }, bls);
}
await runFederate({
  config: "remote/network.json",
  peer: "embedded/network.public.json",
  federationUrl: [],
  witnesses: ["remote/witness-1/witness.json"],
  rotateToken: false,
  overlapHours: 1,
  insecure: false,
}, contextOf(io));
await runKeygen(
  { id: "log.example", kind: "log", scheme: "ed25519", out: "own.key", recipients: [] },
  contextOf(io),
);
const issuer = join(folder, "issuer");
await createIssuer(issuer, { name: "issuer.example" });
await addApiKey(issuer, { name: "client", sha256: "00".repeat(32) });
await addKey(issuer, { notBefore: 1, notAfter: 2 }, []);
