/**
 * The member `admission` of `network.json`: who may submit, and whose tokens are taken.
 *
 *     "admission": {"mode": "open" | "token_optional" | "token_required", "issuers"?: [
 *       {"name", "url"?, "token_type": 2, "token_keys": [
 *         {"token_key": "<SubjectPublicKeyInfo, base64url>", "not_before"?, "not_after"?}]},
 *       {"name", "url", "token_type": 2, "follow": true},
 *       {"name", "url"?, "token_type": 1, "key_files": ["<the issuer's own key>"]}]}
 *
 * `name` is the issuer's in its challenge. One that is followed has the keys of its directory
 * (`admission/issuer_follower.ts`). Parsing reads no file; {@linkcode loadIssuers} does.
 *
 * @module
 */

import {
  ADMISSION_MODES,
  type AdmissionMode,
  MAX_CHALLENGES,
  type TokenIssuer,
  type TokenKey,
} from "../admission/token_issuers.ts";
import { blindRsaTokenKey, voprfTokenKey } from "../admission/token_keys.ts";
import { base64UrlOf, bytesOfBase64Url } from "../bytes.ts";
import { readBlindRsaKey } from "../crypto/blind_rsa.ts";
import { loadVoprf } from "../crypto/voprf.ts";
import { CountersignError } from "../errors.ts";
import type { Fields } from "../format/fields.ts";
import { isIssuerName } from "../format/names.ts";
import { TOKEN_TYPE } from "../format/privacy_pass.ts";
import { parseServiceUrl } from "../format/service_url.ts";
import { readIssuerKeyFile } from "./issuer_key_file.ts";

/** A public key of an issuer, and when its tokens are taken, in Unix seconds. */
interface ConfiguredTokenKey {
  /** Base64url without padding. */
  readonly tokenKey: string;
  readonly notBefore?: number;
  readonly notAfter?: number;
}

/** An issuer of tokens of type 2 whose keys are those that its directory shows. */
export interface FollowedIssuer {
  readonly name: string;
  /** Where its directory is asked for. */
  readonly url: string;
  readonly tokenType: typeof TOKEN_TYPE.blindRsa;
  readonly follow: true;
}

/** One issuer as the file names it. */
export type ConfiguredIssuer = FollowedIssuer | KeyedIssuer;

/** An issuer whose keys the file names. */
type KeyedIssuer =
  & { readonly name: string; readonly url?: string }
  & (
    | {
      readonly tokenType: typeof TOKEN_TYPE.blindRsa;
      readonly tokenKeys: readonly ConfiguredTokenKey[];
    }
    | {
      readonly tokenType: typeof TOKEN_TYPE.voprf;
      /** Absolute paths. */
      readonly keyFiles: readonly string[];
    }
  );

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
  context: { readonly pathOf: (path: string) => string; readonly insecure: boolean },
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
    return readIssuer(fields.within(entry, `issuers[${i}]`, required, { optional }), context);
  });
  if (mode !== "open" && issuers.length === 0) throw invalid(`an issuer for ${mode}`, "none");
  checkDistinct(issuers);
  return { mode, issuers };
}

function readIssuer(
  fields: Fields,
  { pathOf, insecure }: {
    readonly pathOf: (path: string) => string;
    readonly insecure: boolean;
  },
): ConfiguredIssuer {
  const name = fields.text("name");
  if (!isIssuerName(name)) {
    throw invalid(`a host, or host:port, as name of ${fields.where}`, "none");
  }
  if (fields.has("url")) parseServiceUrl(fields.text("url"), { insecure });
  const named = { name, ...(fields.has("url") && { url: fields.text("url") }) };
  const holder = ["token_keys", "follow", "key_files"].filter((member) => fields.has(member))
    .join();
  const tokenType = fields.count("token_type");
  if (tokenType === TOKEN_TYPE.blindRsa && holder === "follow" && fields.flag("follow")) {
    return { name, url: fields.text("url"), tokenType, follow: true };
  }
  if (tokenType === TOKEN_TYPE.blindRsa && holder === "token_keys") {
    const tokenKeys = fields.list("token_keys").map((entry, i) => {
      const rules = { optional: ["not_before", "not_after"] };
      return readTokenKey(fields.within(entry, `token_keys[${i}]`, ["token_key"], rules));
    });
    return { ...named, tokenType, tokenKeys };
  }
  if (tokenType === TOKEN_TYPE.voprf && holder === "key_files") {
    return { ...named, tokenType, keyFiles: fields.texts("key_files").map(pathOf) };
  }
  throw invalid(
    `token_type 2 with token_keys or "follow": true, or 1 with key_files, of ${fields.where}`,
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

/** A token names its key and, by its challenge, the name and the type of its issuer. */
function checkDistinct(issuers: readonly ConfiguredIssuer[]): void {
  const names = new Set(issuers.map(({ name, tokenType }) => `${tokenType} ${name}`));
  if (names.size < issuers.length) {
    throw invalid("each name of issuers once for a type", "one twice");
  }
  const keys = issuers.flatMap((issuer) => isFollowed(issuer) ? [] : [keysOf(issuer)]);
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

function keysOf(issuer: KeyedIssuer): readonly string[] {
  return issuer.tokenType === TOKEN_TYPE.blindRsa
    ? issuer.tokenKeys.map(({ tokenKey }) => tokenKey)
    : issuer.keyFiles;
}

/**
 * The issuers with their keys, those of type 1 read from their files; one that is followed has none
 * yet. `configuration_missing`,
 * `file_failed`, `invalid_configuration`, `invalid_key`.
 */
export async function loadIssuers(
  { issuers }: AdmissionConfiguration,
): Promise<readonly TokenIssuer[]> {
  const loaded: TokenIssuer[] = [];
  for (const issuer of issuers) {
    const { name, url, tokenType } = issuer;
    const keys = isFollowed(issuer) ? [] : await loadKeys(issuer);
    loaded.push({ name, ...(url !== undefined && { url }), tokenType, keys });
  }
  const ids = loaded.flatMap(({ keys }) => keys.map(({ id }) => id.toHex()));
  if (new Set(ids).size < ids.length) throw invalid("each key of issuers once", "one in two files");
  return loaded;
}

async function loadKeys(
  issuer: KeyedIssuer,
): Promise<readonly TokenKey[]> {
  return issuer.tokenType === TOKEN_TYPE.blindRsa
    ? issuer.tokenKeys.map(publicTokenKey)
    : await Promise.all(issuer.keyFiles.map(secretTokenKey));
}

function publicTokenKey({ tokenKey, ...validity }: ConfiguredTokenKey): TokenKey {
  return blindRsaTokenKey(
    readBlindRsaKey(Uint8Array.fromBase64(tokenKey, { alphabet: "base64url" })),
    validity,
  );
}

async function secretTokenKey(
  path: string,
): Promise<TokenKey> {
  const { tokenType, privateKey, notBefore, notAfter } = await readIssuerKeyFile(path);
  if (tokenType === TOKEN_TYPE.voprf) {
    return voprfTokenKey(await loadVoprf(), privateKey, { notBefore, notAfter });
  }
  throw new CountersignError(
    "invalid_key",
    `Cannot use issuer key file "${path}": a key of type 1 required, found one of type ${tokenType}`,
  );
}

function invalid(required: string, found: string): CountersignError {
  return new CountersignError(
    "invalid_configuration",
    `Cannot use admission: ${required} required, found ${found}`,
  );
}
