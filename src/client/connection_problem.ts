/**
 * Why a request got no answer, in words. `fetch` says it differently in each runtime: Node in the code of
 * `cause`, Deno in the message of `cause`, and browsers not at all.
 *
 * @module
 */

import { systemCode } from "../base/system_error.ts";

interface Problem {
  /** Codes of Node. */
  readonly codes: readonly string[];
  /** Messages of Deno. */
  readonly text: RegExp;
  readonly words: (server: string, url: URL) => string;
}

const PROBLEMS: readonly Problem[] = [
  {
    codes: ["ECONNREFUSED"],
    text: /Connection refused|actively refused/,
    words: (server) => `${server} refused the connection (is it running?)`,
  },
  {
    codes: ["ENOTFOUND", "EAI_AGAIN", "EAI_NONAME"],
    text: /dns error/,
    words: (_, { hostname }) => `the host name ${hostname} is not known`,
  },
  {
    codes: ["EHOSTUNREACH", "ENETUNREACH"],
    text: /No route to host|Network is unreachable/,
    words: (server) => `there is no network route to ${server}`,
  },
  {
    codes: ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"],
    text: /[Tt]imed out/,
    words: (server) => `${server} did not accept the connection in time`,
  },
  {
    codes: ["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"],
    text: /received corrupt message/,
    words: (server) => `${server} does not speak TLS: try http:// in place of https://`,
  },
  {
    codes: ["CERT_HAS_EXPIRED"],
    text: /invalid peer certificate: (Expired|certificate expired)/,
    words: (server) => `the certificate of ${server} has expired, or this machine's clock is wrong`,
  },
  {
    codes: ["CERT_NOT_YET_VALID"],
    text: /invalid peer certificate: (NotValidYet|certificate not valid yet)/,
    words: (server) =>
      `the certificate of ${server} is not valid yet, or this machine's clock is wrong`,
  },
  {
    codes: ["ERR_TLS_CERT_ALTNAME_INVALID"],
    text: /invalid peer certificate: (NotValidForName|certificate not valid for name)/,
    words: (server) => `the certificate of ${server} is for another host name`,
  },
  {
    codes: [
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_GET_ISSUER_CERT",
      "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    text: /invalid peer certificate: (UnknownIssuer|.*CaUsedAsEndEntity)/,
    words: (server) =>
      `the certificate of ${server} is self-signed, or of an authority that is not trusted here ` +
      "(name the authority's file in DENO_CERT, with Node in NODE_EXTRA_CA_CERTS)",
  },
  {
    codes: [],
    text: /invalid peer certificate/,
    words: (server) => `the certificate of ${server} is not valid`,
  },
  {
    codes: ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"],
    text: /connection closed before|Connection reset|tls handshake eof|Broken pipe/,
    words: (server, { protocol }) =>
      `${server} closed the connection without an answer` +
      (protocol === "http:" ? ": try https:// in place of http://" : ""),
  },
  {
    codes: ["HPE_INVALID_CONSTANT", "HPE_INVALID_VERSION"],
    text: /invalid HTTP version/,
    words: (server, { protocol }) =>
      `${server} does not speak HTTP` +
      (protocol === "http:" ? ": try https:// in place of http://" : ""),
  },
];

/** Why `fetch` of `url`, of `server`, failed with `error`; `undefined` if the runtime does not say it. */
export function connectionProblem(
  error: unknown,
  url: URL,
  server = url.host,
): string | undefined {
  for (const cause of causesOf(error)) {
    if (cause.name === "NotCapable") return `this process may not connect to ${server}`;
    const code = systemCode(cause);
    const problem = code === undefined
      ? PROBLEMS.find(({ text }) => text.test(cause.message))
      : PROBLEMS.find(({ codes }) => codes.includes(code));
    if (problem !== undefined) return problem.words(server, url);
  }
  return undefined;
}

/** `error` and its causes. Node has one for each address of a host, in `errors`. */
function* causesOf(error: unknown): Generator<Error> {
  if (!(error instanceof Error)) return;
  yield error;
  if (error instanceof AggregateError) yield* causesOf(error.errors[0]);
  yield* causesOf(error.cause);
}
