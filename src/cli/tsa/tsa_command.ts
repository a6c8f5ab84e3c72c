/**
 * `tsa`: keys and certificates of the time-stamp authority that a gateway is.
 *
 * @module
 */

import { join } from "node:path";
import { or } from "@optique/core/constructs";
import { choice } from "@optique/core/valueparser";
import { base64Of, type Bytes, equalBytes, hexOf } from "../../base/bytes.ts";
import { unixSeconds } from "../../base/clock.ts";
import { CountersignError, errorBuilder } from "../../base/errors.ts";
import { momentText } from "../../base/moment_text.ts";
import { isKeyReference } from "../../config/key_reference.ts";
import { readPrivateFile } from "../../config/private_file.ts";
import { readCertificateChain } from "../../config/timestamp_identity.ts";
import { newTimestampKey } from "../../config/timestamp_key.ts";
import { readTimestampSigner } from "../../config/timestamp_key_file.ts";
import { parseTimestampKeyReference } from "../../config/timestamp_key_reference.ts";
import { namingFile } from "../../config/validation.ts";
import {
  TIMESTAMP_SCHEMES,
  type TimestampSigner,
} from "../../gateway/timestamping/timestamp_signer.ts";
import { encodePem } from "../../proof/format/pem.ts";
import { parseServiceUrl } from "../../proof/format/service_url.ts";
import { nameAttributesOf, printableText } from "../../proof/timestamp/asn1.ts";
import type { Certificate } from "../../proof/timestamp/certificate.ts";
import { createWhole, exists, makeFolder } from "../../server/files.ts";
import type { CommandContext } from "../command_context.ts";
import { defineSubcommand, namedCommand, type ValuesOf } from "../define_command.ts";
import {
  defaulted,
  FILE,
  flag,
  FOLDER,
  optional,
  required,
  SERVICE_URL,
  textValue,
} from "../options.ts";
import { shellWord } from "../shell_word.ts";
import { writeRequest, writeRoot, writeSigner } from "./certificate_writer.ts";
import { encodeName } from "./distinguished_name.ts";

const usage = errorBuilder("usage", "Cannot make request");

const SCHEME = choice(TIMESTAMP_SCHEMES, { metavar: "SCHEME" });
const SCHEME_HELP = "Scheme of the key: ecdsa-p256 (default) or rsa-3072.";
const PRIVATE_MODE = 0o600;
const PUBLIC_MODE = 0o644;

/** Ten years. */
const TRIAL_DAYS = 3_652;
/** Certificates for trials begin earlier than now, for clocks that are behind. */
const TRIAL_EARLY_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const MAX_NAME_LENGTH = 64;

const initOptions = {
  out: defaulted("--out", FOLDER, ".", "Folder for the three files (default: this folder)."),
  scheme: defaulted("--scheme", SCHEME, "ecdsa-p256", SCHEME_HELP),
};

const init = defineSubcommand("tsa init", {
  brief: "Make a private root and certificate, for trials",
  description:
    "Makes a key, its certificate for ten years, and the root that issued it. Only verifiers that are " +
    "given this root accept the tokens. The root's key is not kept.",
  options: initOptions,
  run: runInit,
});

const requestOptions = {
  key: required("--key", FILE, "The authority's key file, PKCS#8 in PEM or one with age_file."),
  isNew: flag("--new", "Make the key file first."),
  scheme: optional("--scheme", SCHEME, `With --new. ${SCHEME_HELP}`),
  subject: required(
    "--subject",
    textValue("NAME"),
    'Subject of the certificate, such as "CN=Time stamps,O=Example,C=DE".',
  ),
  out: optional("--out", FILE, "File for the request, instead of standard output."),
};

const request = defineSubcommand("tsa request", {
  brief: "Write a request for a certificate (PKCS#10), for a real authority",
  options: requestOptions,
  run: runRequest,
});

const rootOptions = {
  certificates: required(
    "--certificates",
    FILE,
    "The authority's certificates in PEM, that of the key first and the root last.",
  ),
  uri: optional("--uri", SERVICE_URL, "URL of the authority, such as https://log.example/tsa."),
};

const trustedRoot = defineSubcommand("tsa trusted-root", {
  brief: "Print a trusted_root.json, by which Sigstore's clients verify the tokens",
  options: rootOptions,
  run: runTrustedRoot,
});

export const tsa = namedCommand("tsa", or(init, request, trustedRoot));

async function runInit(
  { out, scheme }: ValuesOf<typeof initOptions>,
  { io, output, gatewayUrls: { url }, crypto: { kernels }, process: { clock } }: CommandContext,
): Promise<number> {
  const folder = io.resolvePath(out);
  const files = {
    key_file: join(folder, "tsa.key"),
    certificates_file: join(folder, "tsa.pem"),
    root_file: join(folder, "tsa-root.pem"),
  };
  for (const file of Object.values(files)) {
    await requireAbsent(file, "For another authority, name another folder with --out");
  }
  const { signer, pem } = await newTimestampKey(scheme);
  const { signer: rootSigner } = await newTimestampKey(scheme);
  const now = unixSeconds(clock);
  const validity = {
    notBefore: now - TRIAL_EARLY_SECONDS,
    notAfter: now + TRIAL_DAYS * DAY_SECONDS,
  };
  // Another name for each root: verifiers find an issuer by its name.
  const number = hexOf(kernels.sha256(rootSigner.publicKey).subarray(0, 4));
  const nameOf = (name: string) => encodeName(`CN=${name} ${number},O=Countersign trial`);
  const root = { name: nameOf("Trial root"), signer: rootSigner };
  const subject = { name: nameOf("Trial time stamps"), signer };
  const rootPem = certificatePem(await writeRoot(root, validity, kernels));
  const leafPem = certificatePem(await writeSigner(subject, root, validity, kernels));
  await makeFolder(folder);
  await createWhole(files.key_file, pem, PRIVATE_MODE);
  await createWhole(files.certificates_file, leafPem + rootPem, PUBLIC_MODE);
  await createWhole(files.root_file, rootPem, PUBLIC_MODE);
  const { key_file, certificates_file } = files;
  output.result({
    scheme,
    ...files,
    not_after: validity.notAfter,
    timestamping: { key_file, certificates_file },
  }, (made) => [
    `Created a time-stamp authority for trials: ${made.scheme}, until ${
      momentText(made.not_after)
    }`,
    "",
    `  ${made.key_file}`,
    "      its private key: keep it secret",
    `  ${made.certificates_file}`,
    "      its certificate, which tokens carry, and its root's",
    `  ${made.root_file}`,
    "      its root, which verifiers have to trust: give it to them. The root's key was not kept",
    "",
    "Add this member to network.json, and restart the gateway:",
    `  "timestamping": ${JSON.stringify(made.timestamping)}`,
    "Then get a token of a file:",
    "  openssl ts -query -data FILE -sha256 -cert -out FILE.tsq",
    '  curl -f -H "Content-Type: application/timestamp-query" --data-binary @FILE.tsq \\',
    `    -o FILE.tsr ${new URL("tsa", url)}`,
    `  openssl ts -verify -data FILE -in FILE.tsr -CAfile ${shellWord(made.root_file)}`,
  ]);
  return 0;
}

async function runRequest(
  { key, isNew, scheme, subject, out }: ValuesOf<typeof requestOptions>,
  { io, output, crypto: { bls } }: CommandContext,
): Promise<number> {
  const name = encodeName(subject);
  const keyFile = io.resolvePath(key);
  const requestFile = out === undefined ? undefined : io.resolvePath(out);
  if (requestFile !== undefined) await requireAbsent(requestFile, "Name another file with --out");
  if (scheme !== undefined && !isNew) {
    throw usage("--scheme is for a new key: give --new too, or leave it out");
  }
  let signer: TimestampSigner;
  if (isNew) {
    await requireAbsent(keyFile, "To use this key, leave out --new");
    const made = await newTimestampKey(scheme ?? "ecdsa-p256");
    await createWhole(keyFile, made.pem, PRIVATE_MODE);
    signer = made.signer;
  } else {
    if (!await exists(keyFile)) {
      throw new CountersignError(
        "configuration_missing",
        `Cannot read "${keyFile}": there is no such file. To make the key, add --new`,
      );
    }
    const text = await readPrivateFile(keyFile);
    if (
      isKeyReference(text) && parseTimestampKeyReference(text, keyFile).where === "signer"
    ) {
      throw usage(
        `the key of "${keyFile}" is at a signer, which signs only time stamps. Make the request where ` +
          "the key is",
      );
    }
    signer = await readTimestampSigner(keyFile, {
      bls,
      env: (name) => io.env(name),
      report: () => {},
    });
  }
  const bytes = await writeRequest({ name, signer });
  const request = encodePem({ label: "CERTIFICATE REQUEST", bytes });
  if (requestFile !== undefined) await createWhole(requestFile, request, PUBLIC_MODE);
  output.result(
    {
      scheme: signer.scheme,
      key_file: keyFile,
      request,
      ...(requestFile !== undefined && { request_file: requestFile }),
    },
    (made) =>
      made.request_file === undefined
        ? made.request.trimEnd().split("\n")
        : [`Wrote ${made.request_file}`],
  );
  if (output.format === "text") {
    if (isNew) io.err(`Private key in ${keyFile}: keep it secret, and keep a copy`);
    io.err(
      "Send the request to your certificate authority. Put its certificate first into the file that " +
        "timestamping.certificates_file of network.json names, each followed by its issuer's",
    );
  }
  return 0;
}

async function runTrustedRoot(
  { certificates, uri }: ValuesOf<typeof rootOptions>,
  { io, output }: CommandContext,
): Promise<number> {
  const file = io.resolvePath(certificates);
  const chain = await readCertificateChain(file);
  const [leaf] = chain;
  const root = chain.at(-1)!;
  if (uri !== undefined) namingFile("--uri", () => parseServiceUrl(uri, { insecure: true }));
  if (!equalBytes(root.issuer, root.subject.bytes)) {
    throw new CountersignError(
      "invalid_configuration",
      `Cannot use "${file}": the last certificate, of ${root.subjectText}, is not that of a root. ` +
        "Add the certificates of its issuers, up to the root",
    );
  }
  output.raw(JSON.stringify(
    {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: [],
      certificateAuthorities: [],
      ctlogs: [],
      timestampAuthorities: [{
        subject: subjectOf(leaf),
        ...(uri !== undefined && { uri }),
        certChain: { certificates: chain.map(({ der }) => ({ rawBytes: base64Of(der) })) },
        validFor: { start: dateOf(leaf.notBefore), end: dateOf(leaf.notAfter) },
      }],
    },
    undefined,
    2,
  ));
  return 0;
}

/** Its DistinguishedName in the form of Sigstore. */
function subjectOf({ subject }: Certificate) {
  const attributes = nameAttributesOf(subject, "subject");
  const textOf = (type: string) => {
    const found = attributes.find((attribute) => attribute.type === type);
    return found && printableText(found.value, MAX_NAME_LENGTH) || "";
  };
  return { organization: textOf("2.5.4.10"), commonName: textOf("2.5.4.3") };
}

/** RFC 3339. */
function dateOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

function certificatePem(bytes: Bytes): string {
  return encodePem({ label: "CERTIFICATE", bytes });
}

async function requireAbsent(file: string, advice: string): Promise<void> {
  if (!await exists(file)) return;
  throw new CountersignError("file_failed", `Cannot write "${file}": it already exists. ${advice}`);
}
