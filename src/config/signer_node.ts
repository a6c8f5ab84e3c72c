/**
 * The configuration of a signer process, `signer.json` (docs/signer.md). Paths are relative to the file.
 * Unknown members are refused.
 *
 * @module
 */

import { list, type Of } from "../proof/format/schema.ts";
import {
  integer,
  parseFile,
  path,
  secret,
  settings,
  type SettingsOf,
  withMember,
  words,
} from "./settings.ts";
import { TSA_NAME } from "./timestamp_key_reference.ts";
import { invalid } from "./validation.ts";

/** The key of a time-stamp authority: its file, PKCS#8 in PEM, has no name. */
const TSA_KEY = settings({
  name: TSA_NAME.with({ description: "Its name at this signer." }),
  key_file: path("Its private key, PKCS#8 in PEM."),
});

const MEMBERS = {
  token: secret("the bearer token that witnesses and gateways send"),
  key_files: list(path("Key file."))
    .with({ description: "Files of the keys of witnesses and logs that it signs with." })
    .withDefault([]),
  tsa_keys: list(TSA_KEY)
    .with({ description: "Keys of time-stamp authorities that it signs with." })
    .withDefault([]),
} as const;

/** `node`, which has a key. */
function withKeys<N extends Pick<SettingsOf<typeof MEMBERS>, "keyFiles" | "tsaKeys">>(
  node: N,
  where: string,
): N {
  if (node.keyFiles.length + node.tsaKeys.length > 0) return node;
  throw invalid(where, "it has no key: name some in key_files or tsa_keys");
}

const ON_SOCKET = settings({
  socket: path("Unix socket to listen on."),
  ...MEMBERS,
}).convert((
  { socket, ...node },
  where,
) => ({ address: { kind: "socket", path: socket }, ...withKeys(node, where) } as const));

/** With TLS. */
const ON_HOST = settings({
  host: words("Host to listen on."),
  port: integer(0, 65_535, "Port; 0 takes any free one."),
  cert_file: path("Certificate chain of the server, PEM."),
  tls_key_file: path("Private key of the certificate, PEM."),
  ...MEMBERS,
}).convert(({ host, port, certFile, tlsKeyFile, ...node }, where) =>
  ({
    address: { kind: "https", host, port, certFile, keyFile: tlsKeyFile },
    ...withKeys(node, where),
  }) as const
);

/** `signer.json`. */
export const SIGNER = withMember("socket", ON_SOCKET, ON_HOST);

export type SignerNode = Of<typeof SIGNER>;

/** The configuration of JSON `text`, read from `file`; `malformed_configuration`, `invalid_configuration`. */
export function parseSignerNode(text: string, file: string): SignerNode {
  return parseFile(SIGNER, text, file);
}
