/**
 * The configuration of a signer process, `signer.json` (docs/signer.md). Paths are relative to the file.
 * Unknown members are refused.
 *
 * @module
 */

import { dirname, resolve } from "node:path";
import { Fields } from "../proof/format/fields.ts";
import { requireSecretSource, secretMembers, type SecretSource } from "./bearer_tokens.ts";
import { type Members, namesOf, optional, required } from "./members.ts";
import { deepFreeze, invalid, namingFile } from "./validation.ts";

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
  /** Absolute paths. */
  readonly keyFiles: readonly string[];
}

const CODE = "malformed_configuration";

/** Members of `signer.json`. */
export const SIGNER_MEMBERS: Members = {
  socket: optional("path", "Unix socket to listen on, alone."),
  host: optional("text", "Host to listen on, with `port`, `cert_file` and `tls_key_file`."),
  port: optional("0 to 65535", "Port; 0 takes any free one."),
  cert_file: optional("path", "Certificate chain of the server, PEM."),
  tls_key_file: optional("path", "Private key of the certificate, PEM."),
  ...secretMembers("token", "the bearer token that witnesses and gateways send"),
  key_files: required("list of paths", "Files of the keys that it signs with."),
};

/** The configuration of JSON `text`, read from `file`; `malformed_configuration`, `invalid_configuration`. */
export function parseSignerNode(text: string, file: string): SignerNode {
  return namingFile(file, () => {
    const fields = Fields.parse(text, { where: file, code: CODE }, ...namesOf(SIGNER_MEMBERS));
    const pathOf = (path: string) => resolve(dirname(file), path);
    const token = requireSecretSource(fields, "token", pathOf);
    const keyFiles = fields.texts("key_files").map(pathOf);
    if (keyFiles.length === 0) throw invalid(file, "key_files is empty");
    return deepFreeze({ address: readAddress(fields, pathOf), token, keyFiles });
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
