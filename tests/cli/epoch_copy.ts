/**
 * Copies of a log of test networks in a folder, as `mirror` writes them, with the links of its succession.
 *
 * @module
 */

import { join } from "node:path";
import { concat, utf8 } from "../../src/base/bytes.ts";
import { encodeAttestation } from "../../src/proof/format/attestation.ts";
import type { SuccessionLink } from "../../src/proof/format/succession.ts";
import { linkPath } from "../../src/logs/publishing/ports.ts";
import { tilePath } from "../../src/proof/merkle/tile.ts";
import type { TestLog } from "../proof/verify/test_log.ts";
import type { TestNetwork } from "../proof/verify/test_network.ts";

/** Writes the copy of `log` of `size`, at most 255, whose checkpoint `signer` signed at `timestamp`. */
export async function writeCopy(
  folder: string,
  log: TestLog,
  { size, signer, links = [], timestamp = 1_766_279_000 }: {
    readonly size: number;
    readonly signer: TestNetwork;
    readonly links?: readonly SuccessionLink[];
    readonly timestamp?: number;
  },
): Promise<void> {
  const { network_id, tree_size, root_hash } = log.head(size, timestamp);
  const times = Object.fromEntries(signer.quorum.map((place) => [place, timestamp]));
  const entries = log.attestations.slice(0, size).map(({ attestation }) => {
    const text = utf8(encodeAttestation(attestation));
    return concat(Uint8Array.of(text.length >> 8, text.length & 0xff), text);
  });
  const hashes = entries.map((_, i) => Uint8Array.fromHex(log.leafHash(i)));
  const files: readonly (readonly [path: string, bytes: Uint8Array])[] = [
    [tilePath("entries", 0, size), concat(...entries)],
    [tilePath(0, 0, size), concat(...hashes)],
    ...links.map((link, i) => [linkPath(i), utf8(JSON.stringify(link))] as const),
    ["checkpoint", utf8(signer.checkpoint({ network_id, tree_size, root_hash }, times))],
  ];
  for (const [path, bytes] of files) {
    const file = join(folder, path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeFile(file, bytes);
  }
}
