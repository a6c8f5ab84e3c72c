/**
 * The offline verifier (`src/proof/verify/mod.ts`) over what a gateway answers, without the command line:
 * what a page or a monitor would find.
 *
 * @module
 */

import { hasCode } from "../../src/base/errors.ts";
import { checkGrowth } from "../../src/proof/verify/head_memory.ts";
import {
  parseBundle,
  parseConsistencyProof,
  parseInclusionProof,
  parseMerkleProof,
  parseSignedTreeHead,
  type Trust,
  verifyBundle,
  verifyCheckpoint,
  verifyConsistencyProof,
  verifyInclusionProof,
  verifyMerkleProof,
  verifySignedTreeHead,
} from "../../src/proof/verify/mod.ts";
import { nativeCrypto } from "../schemes.ts";
import { levelWords, outcomeWords } from "./report_line.ts";
import { HASH, SIZES, type World } from "./world.ts";

/** The inputs of a check. */
interface Checking {
  readonly world: World;
  readonly trust: Trust;
  get(path: string): Promise<string>;
}

const [FIRST, SECOND, THIRD] = SIZES;

/** By the name in expectations; each returns its result. */
const CHECKS = {
  async "check of the bundle"({ trust, get }: Checking) {
    const bundle = parseBundle(await get(`/v1/bundle/${HASH}`));
    const { level, layers } = await verifyBundle(nativeCrypto, trust, bundle, { hash: HASH });
    return levelWords(level, layers);
  },
  async "check of the head"({ trust, get }: Checking) {
    const sth = parseSignedTreeHead(await get("/v1/log/sth"));
    return outcomeWords(await verifySignedTreeHead(nativeCrypto, trust.network, sth));
  },
  async "check of growth"({ world, trust, get }: Checking) {
    const seen = parseSignedTreeHead(await get("/v1/log/sth"));
    const known = (await world.sth(SECOND)).tree_head;
    const [first, second] = [SECOND, seen.tree_head.tree_size].toSorted((a, b) => a - b);
    const path = `/v1/log/consistency?first=${first}&second=${second}`;
    const proof = parseConsistencyProof(await get(path)).consistency_path;
    const heads = { known, seen };
    const growth = await checkGrowth(nativeCrypto, trust.network, heads, proof);
    const relation = growth.relation === undefined ? "" : `${growth.relation} `;
    return relation + outcomeWords(growth);
  },
  async "check of the consistency"({ trust, get }: Checking) {
    const expected = { first: FIRST, second: THIRD };
    const path = `/v1/log/consistency?first=${FIRST}&second=${THIRD}`;
    const proof = parseConsistencyProof(await get(path));
    return outcomeWords(await verifyConsistencyProof(nativeCrypto, trust.network, proof, expected));
  },
  async "check of the inclusion"({ trust, get }: Checking) {
    const path = `/v1/log/proof?hash=${HASH}&tree_size=${SECOND}`;
    const proof = parseInclusionProof(await get(path));
    const { signed_attestation } = parseBundle(await get(`/v1/bundle/${HASH}`));
    const expected = { hash: HASH, treeSize: SECOND, signedAttestation: signed_attestation };
    return outcomeWords(await verifyInclusionProof(nativeCrypto, trust.network, proof, expected));
  },
  async "check of the proof"({ world, trust, get }: Checking) {
    const proof = parseMerkleProof(await get(`/v1/proof/${HASH}`));
    const { signed_attestation } = parseBundle(await get(`/v1/bundle/${HASH}`));
    const sth = await world.sth(SECOND);
    const expected = { hash: HASH, signedAttestation: signed_attestation };
    const both = { proof, sth };
    return outcomeWords(await verifyMerkleProof(nativeCrypto, trust.network, both, expected));
  },
  async "check of the checkpoint"({ trust, get }: Checking) {
    return outcomeWords(
      await verifyCheckpoint(nativeCrypto, trust.network, await get("/checkpoint")),
    );
  },
} as const;

/** A key of the checks. */
export type CheckName = keyof typeof CHECKS;

export const CHECK_NAMES = Object.keys(CHECKS) as CheckName[];

/** Thrown where the gateway refuses: there is nothing to check. */
class NothingToCheck extends Error {}

/** What check `name` finds in the answers of the gateway at `url`. */
export async function check(name: CheckName, world: World, url: string): Promise<string> {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, url));
    const text = await response.text();
    if (!response.ok) throw new NothingToCheck(`nothing: ${response.status}`);
    return text;
  };
  const trust = { network: world.network, peers: [world.peer.configuration] };
  try {
    return await CHECKS[name]({ world, trust, get });
  } catch (error) {
    if (error instanceof NothingToCheck) return error.message;
    for (const code of ["malformed_bundle", "malformed_text"] as const) {
      if (hasCode(error, code)) return code;
    }
    throw error;
  }
}
