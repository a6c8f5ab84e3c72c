/**
 * Measures what `openssl ts -reply` makes of the same key on this machine: a process for each token, with
 * nothing attested.
 *
 * @module
 */

import { join } from "node:path";
import { Histogram } from "./histogram.ts";
import type { MachineLimit } from "./machine_limits.ts";
import { childrenCpuMs, differenceOf } from "./process_usage.ts";
import { blankQuery, DIGEST_FROM_END } from "./timestamps.ts";

const MEASURED_MS = 3_000;
const CONFIGURATION = `[ts]
serial = serial
default_policy = 1.2.3
digests = sha256
signer_digest = sha256
ess_cert_id_alg = sha256
`;

/** In `folder`, which has `tsa.key`, `tsa.pem` and `tsa-root.pem`; nothing if there is no openssl. */
export async function measureOpenssl(folder: string): Promise<MachineLimit[]> {
  await Deno.writeTextFile(join(folder, "openssl-ts.cnf"), CONFIGURATION);
  await Deno.writeTextFile(join(folder, "serial"), "01");
  const query = blankQuery();
  const times = new Histogram();
  const startMs = performance.now();
  const cpuBefore = childrenCpuMs();
  let nowMs = startMs;
  while (nowMs - startMs < MEASURED_MS) {
    const at = query.length - DIGEST_FROM_END;
    crypto.getRandomValues(query.subarray(at, query.length - 3));
    await Deno.writeFile(join(folder, "openssl.tsq"), query);
    if (!await reply(folder)) return [];
    const endMs = performance.now();
    times.record(endMs - nowMs);
    nowMs = endMs;
  }
  const cpuMs = differenceOf(cpuBefore, childrenCpuMs());
  return [{
    name: "openssl ts -reply, one after the other",
    perSecond: times.count * 1000 / (nowMs - startMs),
    p50Ms: times.quantile(0.5),
    p99Ms: times.quantile(0.99),
    ...(cpuMs !== undefined && { cpuMicroseconds: cpuMs * 1000 / times.count }),
  }];
}

async function reply(folder: string): Promise<boolean> {
  const args =
    "ts -reply -config openssl-ts.cnf -section ts -queryfile openssl.tsq -out openssl.tsr";
  const keys = "-inkey tsa.key -signer tsa.pem -chain tsa-root.pem";
  try {
    const { code, stderr } = await new Deno.Command("openssl", {
      args: `${args} ${keys}`.split(" "),
      cwd: folder,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    if (code === 0) return true;
    throw new Error(`openssl ts failed: ${new TextDecoder().decode(stderr)}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
