/**
 * The member `admission` of `network.json`: who may submit, and which issuers' tokens are accepted.
 *
 * `name` is the issuer name in challenges. The keys of a followed issuer come from its directory
 * (`gateway/tokens/issuer_follower.ts`).
 *
 * @module
 */

import { ADMISSION_MODES } from "../proof/format/admission_offer.ts";
import {
  blindRsaTokenKey,
  MAX_CHALLENGES,
  type TokenIssuer,
  type TokenKey,
} from "../gateway/tokens/token_issuers.ts";
import { base64UrlOf, bytesOfBase64Url } from "../base/bytes.ts";
import { CountersignError } from "../base/errors.ts";
import { readBlindRsaKey } from "../proof/crypto/blind_rsa.ts";
import { FLAG, list, type Of, TEXT, time } from "../proof/format/schema.ts";
import { issuerName } from "./issuer_node.ts";
import { choice, settings, url } from "./settings.ts";
import { invalid } from "./validation.ts";

/** Each key has a challenge; a followed issuer may have this many keys during a rotation. */
const MAX_KEYS = MAX_CHALLENGES;
const FOLLOWED_KEYS = 4;

/** A public key of an issuer, in base64url without padding, and the validity of its tokens. */
const TOKEN_KEY = settings({
  token_key: TEXT.convert((text, where) => {
    const spki = bytesOfBase64Url(text);
    if (spki === undefined) throw invalid(where, "it is not base64url");
    readBlindRsaKey(spki);
    return base64UrlOf(spki);
  }).with({ title: "base64url", description: "SubjectPublicKeyInfo of the key." }),
  not_before: time("When its tokens begin to count").optional(),
  not_after: time("When its tokens cease to count").optional(),
}).convert((key, where) => {
  if ((key.notBefore ?? -1) < (key.notAfter ?? Infinity)) return key;
  throw invalid(where, "not_before must be earlier than not_after");
});

const ISSUER = settings({
  name: issuerName("Name of the issuer in challenges."),
  url: url("URL at which clients fetch tokens; needed with `follow`.").optional(),
  token_keys: list(TOKEN_KEY).with({
    description: "Public keys of the issuer, unless `follow`.",
  }).optional(),
  follow: FLAG.with({ const: true, description: "Read the keys from the issuer's directory." })
    .optional(),
}).convert(({ name, url, tokenKeys, follow }, where): ConfiguredIssuer => {
  if (follow === true && tokenKeys === undefined) {
    if (url !== undefined) return { name, url, follow };
    throw new CountersignError(
      "malformed_configuration",
      `Cannot read ${where}: member url is missing`,
    );
  }
  if (tokenKeys !== undefined && follow === undefined) {
    return { name, ...(url !== undefined && { url }), tokenKeys };
  }
  throw invalid(where, 'an issuer needs either token_keys or "follow": true');
});

type ConfiguredTokenKey = Of<typeof TOKEN_KEY>;

/** An issuer whose keys come from its directory. */
export interface FollowedIssuer {
  readonly name: string;
  /** The issuer's URL, which serves its directory. */
  readonly url: string;
  readonly follow: true;
}

/** An issuer whose keys are in the configuration. */
interface KeyedIssuer {
  readonly name: string;
  readonly url?: string;
  readonly tokenKeys: readonly ConfiguredTokenKey[];
}

export type ConfiguredIssuer = FollowedIssuer | KeyedIssuer;

/** The member `admission` of `network.json`: who may submit. */
export const ADMISSION = settings({
  mode: choice(ADMISSION_MODES, "Whether a new hash needs a token."),
  issuers: list(ISSUER).with({ description: "Issuers whose tokens are accepted." })
    .withDefault([]),
}).convert((admission, where) => {
  const { mode, issuers } = admission;
  if (mode !== "open" && issuers.length === 0) {
    throw invalid(where, `mode ${mode} needs an entry in issuers, whose tokens are accepted`);
  }
  checkDistinct(issuers);
  return admission;
});

export type AdmissionConfiguration = Of<typeof ADMISSION>;

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
