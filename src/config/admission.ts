/**
 * The member `admission` of `network.json`: who may submit, and which issuers' tokens are accepted.
 *
 *     "admission": {"mode": "open" | "token_optional" | "token_required", "issuers"?: [
 *       {"name", "url"?, "token_keys": [
 *         {"token_key": "<SubjectPublicKeyInfo, base64url>", "not_before"?, "not_after"?}]},
 *       {"name", "url", "follow": true}]}
 *
 * `name` is the issuer name in challenges. The keys of a followed issuer come from its directory
 * (`tokens/issuer_follower.ts`).
 *
 * @module
 */

import { ADMISSION_MODES, type AdmissionMode } from "../format/admission_offer.ts";
import {
  blindRsaTokenKey,
  MAX_CHALLENGES,
  type TokenIssuer,
  type TokenKey,
} from "../tokens/token_issuers.ts";
import { base64UrlOf, bytesOfBase64Url } from "../bytes.ts";
import { readBlindRsaKey } from "../crypto/blind_rsa.ts";
import type { Fields } from "../format/fields.ts";
import { isIssuerName } from "../format/issuer_directory.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { invalid } from "./validation.ts";

/** A public key of an issuer, and the validity of its tokens in Unix seconds. */
interface ConfiguredTokenKey {
  /** Base64url without padding. */
  readonly tokenKey: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An issuer whose keys come from its directory. */
export interface FollowedIssuer {
  readonly name: string;
  /** The issuer's URL, which serves its directory. */
  readonly url: string;
  readonly follow: true;
}

export type ConfiguredIssuer = FollowedIssuer | KeyedIssuer;

/** An issuer whose keys are in the configuration. */
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

/** The default. */
export const OPEN_ADMISSION: AdmissionConfiguration = { mode: "open", issuers: [] };

/** Each key has a challenge; a followed issuer may have this many keys during a rotation. */
const MAX_KEYS = MAX_CHALLENGES;
const FOLLOWED_KEYS = 4;

const TOKEN_KEY_MEMBERS: Members = {
  token_key: required("base64url", "SubjectPublicKeyInfo of the key."),
  not_before: optional("Unix seconds", "When its tokens begin to count."),
  not_after: optional("Unix seconds", "When its tokens cease to count."),
};

const ISSUER_MEMBERS: Members = {
  name: required("host or host:port", "Name of the issuer in challenges."),
  url: optional("URL", "URL at which clients fetch tokens; needed with `follow`."),
  token_keys: optional("list of objects", "Public keys of the issuer, unless `follow`.", {
    members: TOKEN_KEY_MEMBERS,
  }),
  follow: optional("true", "Read the keys from the issuer's directory."),
};

/** Members of the object `admission` of `network.json`. */
export const ADMISSION_MEMBERS: Members = {
  mode: required(ADMISSION_MODES.join(", "), "Whether a new hash needs a token."),
  issuers: optional("list of objects", "Issuers whose tokens are accepted.", {
    members: ISSUER_MEMBERS,
  }),
};

/** The member `admission`. `malformed_configuration`, `invalid_configuration`, `invalid_key`. */
export function readAdmission(
  network: Fields,
  { insecure }: { readonly insecure: boolean },
): AdmissionConfiguration {
  if (!network.has("admission")) return OPEN_ADMISSION;
  const fields = network.object("admission", ...namesOf(ADMISSION_MEMBERS));
  const text = fields.text("mode");
  const mode = ADMISSION_MODES.find((known) => known === text);
  if (mode === undefined) {
    throw invalid("admission", `mode must be one of ${ADMISSION_MODES.join(", ")}`);
  }
  const entries = fields.has("issuers") ? fields.list("issuers") : [];
  const issuers = entries.map((entry, i) =>
    readIssuer(fields.within(entry, `issuers[${i}]`, ...namesOf(ISSUER_MEMBERS)), insecure)
  );
  if (mode !== "open" && issuers.length === 0) {
    throw invalid("admission", `mode ${mode} needs an entry in issuers, whose tokens are accepted`);
  }
  checkDistinct(issuers);
  return { mode, issuers };
}

function readIssuer(fields: Fields, insecure: boolean): ConfiguredIssuer {
  const name = fields.text("name");
  if (!isIssuerName(name)) {
    throw invalid(
      fields.where,
      "name must be a host, or a host and a port such as issuer.example:8070",
    );
  }
  if (fields.has("url")) parseServiceUrl(fields.text("url"), { insecure });
  const named = { name, ...(fields.has("url") && { url: fields.text("url") }) };
  const holder = ["token_keys", "follow"].filter((member) => fields.has(member)).join();
  if (holder === "follow" && fields.flag("follow")) {
    return { name, url: fields.text("url"), follow: true };
  }
  if (holder === "token_keys") {
    const tokenKeys = fields.list("token_keys").map((entry, i) => {
      const names = namesOf(TOKEN_KEY_MEMBERS);
      return readTokenKey(fields.within(entry, `token_keys[${i}]`, ...names));
    });
    return { ...named, tokenKeys };
  }
  throw invalid(
    fields.where,
    'an issuer needs either token_keys or "follow": true',
  );
}

function readTokenKey(fields: Fields): ConfiguredTokenKey {
  const spki = bytesOfBase64Url(fields.text("token_key"));
  if (spki === undefined) {
    throw invalid(fields.where, "token_key is not base64url");
  }
  readBlindRsaKey(spki);
  const key: ConfiguredTokenKey = {
    tokenKey: base64UrlOf(spki),
    ...(fields.has("not_before") && { notBefore: fields.integer("not_before") }),
    ...(fields.has("not_after") && { notAfter: fields.integer("not_after") }),
  };
  if ((key.notBefore ?? -1) < (key.notAfter ?? Infinity)) return key;
  throw invalid(fields.where, "not_before must be earlier than not_after");
}

/** A token names its key and, by its challenge, its issuer. */
function checkDistinct(issuers: readonly ConfiguredIssuer[]): void {
  const names = new Set(issuers.map(({ name }) => name));
  if (names.size < issuers.length) throw invalid("admission", "two issuers have the same name");
  const keys = issuers.flatMap((issuer) =>
    isFollowed(issuer) ? [] : [issuer.tokenKeys.map(({ tokenKey }) => tokenKey)]
  );
  if (keys.some((own) => own.length === 0)) throw invalid("admission", "an issuer has no key");
  const all = keys.flat();
  const most = all.length + FOLLOWED_KEYS * issuers.filter(isFollowed).length;
  if (most > MAX_KEYS) {
    throw invalid(
      "admission",
      `the issuers may have ${most} keys, more than ${MAX_KEYS} ` +
        `(${FOLLOWED_KEYS} for each followed issuer)`,
    );
  }
  if (new Set(all).size < all.length) {
    throw invalid("admission", "two keys of issuers are the same");
  }
}

function isFollowed(issuer: ConfiguredIssuer): issuer is FollowedIssuer {
  return "follow" in issuer;
}

/** The issuers whose directories the gateway follows; none if it accepts no tokens. */
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
    readBlindRsaKey(bytesOfBase64Url(tokenKey)!),
    validity,
  );
}
