/**
 * The member `admission` of `network.json`: who may submit, and whose tokens are taken.
 *
 *     "admission": {"mode": "open" | "token_optional" | "token_required", "issuers"?: [
 *       {"name", "url"?, "token_type": 2, "token_keys": [
 *         {"token_key": "<SubjectPublicKeyInfo, base64url>", "not_before"?, "not_after"?}]},
 *       {"name", "url", "token_type": 2, "follow": true}]}
 *
 * `name` is the issuer's in its challenge. One that is followed has the keys of its directory
 * (`admission/issuer_follower.ts`).
 *
 * @module
 */

import {
  ADMISSION_MODES,
  type AdmissionMode,
  blindRsaTokenKey,
  MAX_CHALLENGES,
  type TokenIssuer,
  type TokenKey,
} from "../admission/token_issuers.ts";
import { base64UrlOf, bytesOfBase64Url } from "../format/base64url.ts";
import { readBlindRsaKey } from "../crypto/blind_rsa.ts";
import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { isIssuerName } from "../format/issuer_directory.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { parseServiceUrl } from "../format/service_url.ts";

/** A public key of an issuer, and when its tokens are taken, in Unix seconds. */
interface ConfiguredTokenKey {
  /** Base64url without padding. */
  readonly tokenKey: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An issuer whose keys are those of its directory. */
export interface FollowedIssuer {
  readonly name: string;
  /** Where its directory is asked for. */
  readonly url: string;
  readonly follow: true;
}

/** One issuer as the file names it. */
export type ConfiguredIssuer = FollowedIssuer | KeyedIssuer;

/** An issuer whose keys the file names. */
interface KeyedIssuer {
  readonly name: string;
  readonly url?: string;
  readonly tokenKeys: readonly ConfiguredTokenKey[];
}

/** Who may submit. */
export interface AdmissionConfiguration {
  readonly mode: AdmissionMode;
  /** At least one unless the mode is `open`. */
  readonly issuers: readonly ConfiguredIssuer[];
}

/** What a file that says nothing means. */
export const OPEN_ADMISSION: AdmissionConfiguration = { mode: "open", issuers: [] };

/** Each key has a challenge, and an issuer that is followed has room for those of a rotation. */
const MAX_KEYS = MAX_CHALLENGES;
const FOLLOWED_KEYS = 4;

/** The member `admission`. `malformed_configuration`, `invalid_configuration`, `invalid_key`. */
export function readAdmission(
  network: Fields,
  { insecure }: { readonly insecure: boolean },
): AdmissionConfiguration {
  if (!network.has("admission")) return OPEN_ADMISSION;
  const fields = network.object("admission", ["mode"], { optional: ["issuers"] });
  const text = fields.text("mode");
  const mode = ADMISSION_MODES.find((known) => known === text);
  if (mode === undefined) throw invalid(`a mode of ${ADMISSION_MODES.join(", ")}`, "another");
  const entries = fields.has("issuers") ? fields.list("issuers") : [];
  const issuers = entries.map((entry, i) => {
    const required = ["name", "token_type"];
    const optional = ["url", "token_keys", "follow", "key_files"];
    return readIssuer(fields.within(entry, `issuers[${i}]`, required, { optional }), insecure);
  });
  if (mode !== "open" && issuers.length === 0) throw invalid(`an issuer for ${mode}`, "none");
  checkDistinct(issuers);
  return { mode, issuers };
}

function readIssuer(fields: Fields, insecure: boolean): ConfiguredIssuer {
  const name = fields.text("name");
  if (!isIssuerName(name)) {
    throw invalid(`a host, or host:port, as name of ${fields.where}`, "none");
  }
  if (fields.has("url")) parseServiceUrl(fields.text("url"), { insecure });
  const named = { name, ...(fields.has("url") && { url: fields.text("url") }) };
  const holder = ["token_keys", "follow"].filter((member) => fields.has(member)).join();
  const tokenType = fields.count("token_type");
  if (tokenType === 1 || fields.has("key_files")) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use admission: ${fields.where} takes tokens of type 1 (VOPRF), which are no longer ` +
        'supported. Set "token_types": [2] in the issuer\'s issuer.json, delete its old key files, ' +
        "and replace this entry with what `countersign issuer --print-admission` prints",
    );
  }
  if (tokenType === TOKEN_TYPE && holder === "follow" && fields.flag("follow")) {
    return { name, url: fields.text("url"), follow: true };
  }
  if (tokenType === TOKEN_TYPE && holder === "token_keys") {
    const tokenKeys = fields.list("token_keys").map((entry, i) => {
      const rules = { optional: ["not_before", "not_after"] };
      return readTokenKey(fields.within(entry, `token_keys[${i}]`, ["token_key"], rules));
    });
    return { ...named, tokenKeys };
  }
  throw invalid(
    `token_type 2 with token_keys or "follow": true of ${fields.where}`,
    `${tokenType} with ${holder || "neither"}`,
  );
}

function readTokenKey(fields: Fields): ConfiguredTokenKey {
  const spki = bytesOfBase64Url(fields.text("token_key"));
  if (spki === undefined) {
    throw invalid(`base64url as token_key of ${fields.where}`, "another text");
  }
  readBlindRsaKey(spki);
  const key: ConfiguredTokenKey = {
    tokenKey: base64UrlOf(spki),
    ...(fields.has("not_before") && { notBefore: fields.count("not_before") }),
    ...(fields.has("not_after") && { notAfter: fields.count("not_after") }),
  };
  if ((key.notBefore ?? -1) < (key.notAfter ?? Infinity)) return key;
  throw invalid(`not_before below not_after in ${fields.where}`, "otherwise");
}

/** A token names its key and, by its challenge, its issuer. */
function checkDistinct(issuers: readonly ConfiguredIssuer[]): void {
  const names = new Set(issuers.map(({ name }) => name));
  if (names.size < issuers.length) throw invalid("each name of issuers once", "one twice");
  const keys = issuers.flatMap((issuer) =>
    isFollowed(issuer) ? [] : [issuer.tokenKeys.map(({ tokenKey }) => tokenKey)]
  );
  if (keys.some((own) => own.length === 0)) throw invalid("a key of each issuer", "none");
  const all = keys.flat();
  const most = all.length + FOLLOWED_KEYS * issuers.filter(isFollowed).length;
  if (most > MAX_KEYS) {
    const followed = `${FOLLOWED_KEYS} of each that is followed`;
    throw invalid(`at most ${MAX_KEYS} keys of issuers, ${followed},`, `${most}`);
  }
  if (new Set(all).size < all.length) throw invalid("each key of issuers once", "one twice");
}

function isFollowed(issuer: ConfiguredIssuer): issuer is FollowedIssuer {
  return "follow" in issuer;
}

/** The issuers whose directories a gateway of this configuration asks for: none if it takes no tokens. */
export function followedIssuers(
  { mode, issuers }: AdmissionConfiguration,
): readonly FollowedIssuer[] {
  return mode === "open" ? [] : issuers.filter(isFollowed);
}

/** The issuers with their configured keys; a followed issuer has none yet. */
export function loadIssuers({ issuers }: AdmissionConfiguration): readonly TokenIssuer[] {
  return issuers.map((issuer) => ({
    name: issuer.name,
    ...(issuer.url !== undefined && { url: issuer.url }),
    keys: isFollowed(issuer) ? [] : issuer.tokenKeys.map(publicTokenKey),
  }));
}

function publicTokenKey({ tokenKey, ...validity }: ConfiguredTokenKey): TokenKey {
  return blindRsaTokenKey(
    readBlindRsaKey(Uint8Array.fromBase64(tokenKey, { alphabet: "base64url" })),
    validity,
  );
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use admission: ${required} required, found ${found}`,
  );
}
