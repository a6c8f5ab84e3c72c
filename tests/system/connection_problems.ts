/**
 * Servers that answer no request, each for another reason, and what the command line says about them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeCertificate } from "./certificate.ts";
import { runTool, type ToolResult } from "./tools.ts";

const EC_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const HERE = "DNS:localhost,IP:127.0.0.1";

/** Runs the command line with these arguments. */
export type RunCommand = (
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
) => Promise<ToolResult>;

async function openssl(cwd: string, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runTool("openssl", args, { cwd });
  assert.equal(code, 0, stderr);
}

/** A certificate of the authority in `ca.pem`, for `names` and `days`. */
async function issue(
  cwd: string,
  { names, days }: { readonly names: string; readonly days: number },
): Promise<{ readonly cert: string; readonly key: string }> {
  const name = `issued${days}${names.length}`;
  await Deno.writeTextFile(
    join(cwd, "ext"),
    `subjectAltName=${names}\nbasicConstraints=CA:false\n`,
  );
  const request = ["-subj", "/CN=x", "-keyout", `${name}.key`, "-out", `${name}.csr`];
  await openssl(cwd, "req", "-new", ...EC_KEY, ...request);
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "ext"];
  const result = ["-in", `${name}.csr`, "-out", `${name}.pem`, "-days", String(days)];
  await openssl(cwd, "x509", "-req", ...by, ...result);
  const [cert, key] = await Promise.all(
    [`${name}.pem`, `${name}.key`].map((file) => Deno.readTextFile(join(cwd, file))),
  );
  return { cert: cert!, key: key! };
}

/** Closes each connection once it gets data. */
function closingServer(): Deno.Listener {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  void (async () => {
    for await (const connection of listener) {
      void connection.read(new Uint8Array(1024)).then(() => connection.close(), () => {});
    }
  })();
  return listener;
}

/** A port on which nothing listens. */
function closedPort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Tests what `run` says when it stamps at each of the servers. `certificates` names the trusted authorities. */
export function testConnectionProblems(
  name: string,
  certificates: "DENO_CERT" | "NODE_EXTRA_CA_CERTS",
  run: RunCommand,
): void {
  Deno.test(`${name}: a connection that fails says why, and what could not be done`, async () => {
    const cwd = await Deno.makeTempDir();
    await using stack = new AsyncDisposableStack();
    stack.defer(() => Deno.remove(cwd, { recursive: true }));
    const serve = (tls: { readonly cert: string; readonly key: string } | undefined) => {
      const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
      const server = tls === undefined
        ? Deno.serve(options, () => Response.json({}))
        : Deno.serve({ ...options, ...tls }, () => Response.json({}));
      stack.defer(() => server.shutdown());
      return `127.0.0.1:${server.addr.port}`;
    };
    const authority = ["-subj", "/CN=authority", "-addext", "keyUsage=critical,keyCertSign"];
    const files = ["-days", "2", "-keyout", "ca.key", "-out", "ca.pem"];
    await openssl(cwd, "req", "-x509", ...EC_KEY, ...authority, ...files);
    const plain = serve(undefined);
    const trusted = serve(await issue(cwd, { names: HERE, days: 2 }));
    const closing = stack.use(closingServer());
    const cases: readonly (readonly [string, RegExp])[] = [
      [`http://127.0.0.1:${closedPort()}`, /HOST refused the connection \(is it running\?\)/],
      ["http://gateway.invalid:8080", /the host name gateway\.invalid is not known/],
      [`https://${plain}`, /HOST does not speak TLS: try http:/],
      [`http://${trusted}`, /HOST .*: try https:\/\//],
      [
        `http://127.0.0.1:${(closing.addr as Deno.NetAddr).port}`,
        /HOST closed the connection without an answer/,
      ],
      [
        `https://${serve(await writeCertificate(cwd, "self"))}`,
        /the certificate of HOST is self-signed, or of an authority .* DENO_CERT.*NODE_EXTRA_CA/,
      ],
      [
        `https://${serve(await issue(cwd, { names: HERE, days: -1 }))}`,
        /the certificate of HOST has expired/,
      ],
      [
        `https://${serve(await issue(cwd, { names: "DNS:elsewhere.example", days: 2 }))}`,
        /the certificate of HOST is for another host name/,
      ],
    ];
    for (const [url, reason] of cases) {
      const env = { [certificates]: join(cwd, "ca.pem"), COUNTERSIGN_HOME: join(cwd, "home") };
      const args = ["stamp", "--hash", "a".repeat(64), "--gateway", url];
      const { code, stderr } = await run(args, { cwd, env });
      assert.equal(code, 1, stderr);
      const [line] = stderr.replaceAll(new URL(url).host, "HOST").split("\n");
      assert.match(line!, new RegExp(`^countersign: Cannot stamp: ${reason.source}`), url);
    }
    // A certificate of an authority that is named is accepted: only the answer is wrong.
    const env = { [certificates]: join(cwd, "ca.pem"), COUNTERSIGN_HOME: join(cwd, "home") };
    const args = ["stamp", "--hash", "a".repeat(64), "--gateway", `https://${trusted}`];
    const { stderr } = await run(args, { cwd, env });
    assert.doesNotMatch(stderr, /Cannot stamp|certificate/);
    assert.match(stderr, /Cannot read job/);
  });
}
