/**
 * The configuration of a signer process, `signer.json` (docs/signer.md). Paths are relative to the file.
 * Unknown members are refused.
 *
 * @module
 */

import { list, type Of } from "../proof/format/schema.ts";
import { integer, parseFile, path, secret, settings, withMember, words } from "./settings.ts";
import { invalid } from "./validation.ts";

const MEMBERS = {
  token: secret("the bearer token that witnesses and gateways send"),
  key_files: list(path("Key file.")).convert((files, where) => {
    if (files.length > 0) return files;
    throw invalid(where, "it is empty");
  }).with({ description: "Files of the keys that it signs with." }),
} as const;

const ON_SOCKET = settings({
  socket: path("Unix socket to listen on."),
  ...MEMBERS,
}).convert((
  { socket, ...node },
) => ({ address: { kind: "socket", path: socket }, ...node } as const));

/** With TLS. */
const ON_HOST = settings({
  host: words("Host to listen on."),
  port: integer(0, 65_535, "Port; 0 takes any free one."),
  cert_file: path("Certificate chain of the server, PEM."),
  tls_key_file: path("Private key of the certificate, PEM."),
  ...MEMBERS,
}).convert(({ host, port, certFile, tlsKeyFile, ...node }) =>
  ({ address: { kind: "https", host, port, certFile, keyFile: tlsKeyFile }, ...node }) as const
);

/** `signer.json`. */
export const SIGNER = withMember("socket", ON_SOCKET, ON_HOST);

export type SignerNode = Of<typeof SIGNER>;

/** The configuration of JSON `text`, read from `file`; `malformed_configuration`, `invalid_configuration`. */
export function parseSignerNode(text: string, file: string): SignerNode {
  return parseFile(SIGNER, text, file);
}
