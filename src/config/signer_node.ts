/**
 * The configuration of a signer process, `signer.json` (docs/signer.md). Paths are relative to the file.
 * Unknown members are refused.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { Fields } from "../format/fields.ts";
import { isNetworkId, isWitnessId } from "../format/names.ts";
import type { KeyKind } from "../signer/signed_text.ts";
import { requireSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { deepFreeze, invalid, namingFile } from "./validation.ts";

/** A key that the process signs with. */
export type ServedKey =
  | { readonly kind: "file"; readonly path: string }
  | {
    readonly kind: "token";
    readonly name: string;
    readonly of: Exclude<KeyKind, "cosigner">;
    /** Label of the key in the token. */
    readonly label: string;
  };

export interface TokenModule {
  /** Absolute path. */
  readonly module: string;
  /** Label of the token. */
  readonly token: string;
  readonly pin: SecretSource;
}

export type SignerAddress =
  | { readonly kind: "socket"; readonly path: string }
  /** With TLS. */
  | {
    readonly kind: "https";
    readonly host: string;
    readonly port: number;
    readonly certFile: string;
    readonly keyFile: string;
  };

export interface SignerNode {
  readonly address: SignerAddress;
  readonly token: SecretSource;
  readonly keys: readonly ServedKey[];
  /** Needed for keys in a token. */
  readonly pkcs11?: TokenModule;
}

const CODE = "malformed_configuration";

const KEY_MEMBERS: Members = {
  key_file: optional("path", "Key file, alone."),
  name: optional("text", "Name of a key in the token: the witness's id, or the log's name."),
  kind: optional("witness or log", "Owner of a key in the token."),
  label: optional("text", "Label of the key in the token."),
};
const PKCS11_MEMBERS: Members = {
  module: required("path", "Module of the token, such as libsofthsm2.so."),
  token: required("text", "Label of the token."),
  ...secretMembers("pin", "the user's PIN"),
};

/** Members of `signer.json`. */
export const SIGNER_MEMBERS: Members = {
  socket: optional("path", "Unix socket to listen on, alone."),
  host: optional("text", "Host to listen on, with `port`, `cert_file` and `tls_key_file`."),
  port: optional("0 to 65535", "Port; 0 takes any free one."),
  cert_file: optional("path", "Certificate chain of the server, PEM."),
  tls_key_file: optional("path", "Private key of the certificate, PEM."),
  ...secretMembers("token", "the bearer token that witnesses and gateways send"),
  keys: required("list of objects", "Keys that it signs with.", KEY_MEMBERS),
  pkcs11: optional("object", "Token with some of the keys.", { members: PKCS11_MEMBERS }),
};

/** The configuration of JSON `text`, read from `file`; `malformed_configuration`, `invalid_configuration`. */
export function parseSignerNode(text: string, file: string): SignerNode {
  return namingFile(file, () => {
    const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(SIGNER_MEMBERS));
    const pathOf = (path: string) => resolve(dirname(file), path);
    const token = requireSecretSource(fields, "token", pathOf);
    const keys = fields.list("keys").map((entry, i) =>
      readKey(fields.within(entry, `keys[${i}]`, ...namesOf(KEY_MEMBERS)), pathOf)
    );
    const pkcs11 = fields.has("pkcs11")
      ? readToken(fields.object("pkcs11", ...namesOf(PKCS11_MEMBERS)), pathOf)
      : undefined;
    if (keys.length === 0) throw invalid(file, "keys is empty");
    if (keys.some(({ kind }) => kind === "token") !== (pkcs11 !== undefined)) {
      throw invalid(file, "give both pkcs11 and keys with a label, or neither");
    }
    const address = readAddress(fields, pathOf);
    return deepFreeze({ address, token, keys, ...(pkcs11 !== undefined && { pkcs11 }) });
  });
}

function readAddress(fields: Fields, pathOf: (path: string) => string): SignerAddress {
  const names = ["socket", "host", "port", "cert_file", "tls_key_file"];
  const present = names.filter((name) => fields.has(name)).join();
  if (present === "socket") return { kind: "socket", path: pathOf(fields.text("socket")) };
  if (present !== "host,port,cert_file,tls_key_file") {
    throw invalid(fields.where, "it needs socket, or host, port, cert_file and tls_key_file");
  }
  const [host, port] = [fields.text("host"), fields.integer("port")];
  if (host === "" || port > 65_535) throw invalid(fields.where, "host or port is invalid");
  const [certFile, keyFile] = [fields.text("cert_file"), fields.text("tls_key_file")].map(pathOf);
  return { kind: "https", host, port, certFile: certFile!, keyFile: keyFile! };
}

function readKey(fields: Fields, pathOf: (path: string) => string): ServedKey {
  const present = Object.keys(KEY_MEMBERS).filter((name) => fields.has(name)).join();
  if (present === "key_file") return { kind: "file", path: pathOf(fields.text("key_file")) };
  if (present !== "name,kind,label") {
    throw invalid(fields.where, "it needs key_file, or name, kind and label");
  }
  const [name, of, label] = [fields.text("name"), fields.text("kind"), fields.text("label")];
  if (of !== "witness" && of !== "log") throw invalid(fields.where, "kind is not witness or log");
  if (!(of === "log" ? isNetworkId(name) : isWitnessId(name)) || label === "") {
    throw invalid(fields.where, "name is not a network id or witness id, or label is empty");
  }
  return { kind: "token", name, of, label };
}

function readToken(fields: Fields, pathOf: (path: string) => string): TokenModule {
  const pin = requireSecretSource(fields, "pin", pathOf);
  return { module: pathOf(fields.text("module")), token: fields.text("token"), pin };
}
