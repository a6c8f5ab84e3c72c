/**
 * Defects of `src/http`, `src/server` and `src/config`: whom a service answers, and how.
 *
 * @module
 */

import type { Defect } from "./defect.ts";

export const SERVICE_DEFECTS: readonly Defect[] = [
  {
    name: "operator-token-by-prefix",
    file: "src/proof/crypto/secrets.ts",
    text: `createHash("sha256").update(b).digest(),`,
    replacement: `createHash("sha256").update(b.slice(0, a.length || b.length)).digest(),`,
    harm: "The first character of the operators' token opens their listener.",
    tests: ["tests/proof/crypto/secrets_test.ts"],
  },
  {
    name: "expired-api-key",
    file: "src/http/api_keys.ts",
    text: "return unixSeconds(this.#options.clock) < key.notAfter ? key : undefined;",
    replacement: "return key;",
    harm: "A key that has expired still reads a private log.",
    tests: ["tests/http/api_keys_test.ts"],
  },
  {
    name: "charged-after-the-work",
    file: "src/http/rate_limits.ts",
    text:
      "if (isSubmission(context)) this.#reads.requireSome(context);\n    else context.charge(1);",
    replacement: "if (!isSubmission(context)) context.charge(1);",
    harm: "A client over its limit goes on having bodies parsed and refused.",
    tests: ["tests/http/rate_limits_test.ts"],
  },
  {
    name: "client-chooses-its-address",
    file: "src/http/client_address.ts",
    text: "hops < MAX_HOPS && end >= 0 && isInAny(hop, trusted); hops++",
    replacement: "hops < MAX_HOPS && end >= 0 && trusted.length > 0; hops++",
    harm: "A client behind a proxy evades every limit by sending X-Forwarded-For.",
    tests: ["tests/http/client_address_test.ts"],
  },
  {
    name: "head-unlike-get",
    file: "src/http/request_path.ts",
    text: `if (method === "HEAD") return Object.create(request, { method: { value: "GET" } });`,
    replacement: "",
    harm: "HEAD says that a proof is missing which GET returns.",
    tests: ["tests/http/head_test.ts"],
  },
  {
    name: "url-in-the-log",
    file: "src/http/access_log.ts",
    text: "const { route = NO_ROUTE, code, request, apiKey } = context;",
    replacement:
      "const { code, request, apiKey } = context;\n    const route = request.url || NO_ROUTE;",
    harm: "What clients send in URLs is in the operator's log.",
    tests: ["tests/http/request_id_test.ts"],
  },
  {
    name: "key-file-for-everybody",
    file: "src/config/private_file.ts",
    text: `if (found.isFile() && process.platform !== "win32" && (mode & OTHERS) !== 0) {`,
    replacement: `if (found.isFile() && process.platform === "win32" && (mode & OTHERS) !== 0) {`,
    harm: "A private key that every user of the machine can read is used without a word.",
    tests: ["tests/server/private_files_test.ts"],
  },
];
