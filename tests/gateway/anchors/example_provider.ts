import { type Bytes, concat, hexOf, textOf, utf8 } from "../../../src/base/bytes.ts";
import { verifyPortable } from "../../../src/proof/crypto/ed25519.ts";
import { hasCode } from "../../../src/base/errors.ts";
import type { AnchorProof } from "../../../src/proof/format/records.ts";
import { COUNT, hex, object, TEXT } from "../../../src/proof/format/schema.ts";
import { parseServiceUrl } from "../../../src/proof/format/service_url.ts";
import { type JsonValue, parseStrictJson } from "../../../src/proof/format/strict_json.ts";
import { bodyOf } from "../../../src/gateway/anchors/answers.ts";
import type {
  AnchorClaim,
  AnchorContext,
  AnchorFile,
  AnchorProvider,
  AnchorVerdict,
} from "../../../src/gateway/anchors/ports.ts";

const CODE = "anchor_refused";
const MAX_ANSWER_BYTES = 1_000;
const PROOF = object({ time: COUNT, signature: hex(64, "The notary's signature") });

/** The message that the notary signs: a line with the digest and the time. */
export function signedText(digest: Bytes, time: number): Bytes {
  return utf8(`example-notary ${hexOf(digest)} ${time}\n`);
}

function readProof(proof: JsonValue): { readonly time: number; readonly signature: Bytes } {
  const { time, signature } = PROOF.parse(proof, { where: "notary's proof", code: CODE });
  return { time, signature: Uint8Array.fromHex(signature) };
}

async function anchor(
  url: URL,
  digest: Bytes,
  { http }: AnchorContext,
  signal: AbortSignal,
): Promise<AnchorProof> {
  const answer = await http.request(url, { method: "POST", body: digest }, signal);
  const body = bodyOf(answer, "notary", MAX_ANSWER_BYTES);
  const proof = parseStrictJson(textOf(body, CODE), CODE);
  return { status: "confirmed", timestamp: readProof(proof).time, proof };
}

function verdictOf({ proof, timestamp, digest, roots }: AnchorClaim): AnchorVerdict {
  try {
    const { time, signature } = readProof(proof);
    if (time !== timestamp) {
      return { status: "failed", reason: "its timestamp is not the proof's time" };
    }
    if (roots.length === 0) {
      return { status: "not_checked", reason: "no key was given to check the notary" };
    }
    for (const key of roots) {
      if (verifyPortable(key, signedText(digest, time), signature)) {
        return { status: "verified", notAfter: time, source: `notary ${hexOf(key).slice(0, 8)}` };
      }
    }
    return { status: "failed", reason: "no given key verifies its signature" };
  } catch (error) {
    if (hasCode(error, CODE)) return { status: "failed", reason: error.message };
    throw error;
  }
}

const MEMBERS = { url: TEXT.with({ format: "uri", description: "The notary" }) } as const;

export const exampleNotary: AnchorProvider<typeof MEMBERS> = {
  name: "example-notary",
  members: MEMBERS,
  reach: { urls: ["url"], files: [] },
  rootsHelp: "the notary's Ed25519 public key, 32 bytes",
  defaultMaxDelaySeconds: 600,

  configure(entry, context) {
    const url = parseServiceUrl(entry.url, context);
    return Promise.resolve({ anchor: (digest, signal) => anchor(url, digest, context, signal) });
  },

  verify: (claim) => Promise.resolve(verdictOf(claim)),

  files(digest, proof): readonly AnchorFile[] {
    const { time, signature } = readProof(proof);
    return [{ extension: ".notary", bytes: concat(signature, signedText(digest, time)) }];
  },
};
