/** Each command that reads a proof, with each kind of proof and each option that goes with some of them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { coseReceiptOf } from "../../src/proof/format/cose_receipt.ts";
import { tlogProofOf } from "../../src/proof/format/tlog_proof.ts";
import { policyText } from "../../src/http/gateway/c2sp_routes.ts";
import { withAttachedProof } from "../../src/proof/timestamp/attached_proof.ts";
import { encodeGranted } from "../../src/proof/timestamp/reply.ts";
import * as der from "../proof/timestamp/der.ts";
import { TestAuthority } from "../proof/timestamp/test_authority.ts";
import { pemOf } from "../proof/timestamp/test_certificates.ts";
import { TestLog } from "../proof/verify/test_log.ts";
import { digestOf, TestNetwork } from "../proof/verify/test_network.ts";
import { withReceiptSignature } from "../proof/verify/vectors/head_cases.ts";
import { type Client, withClient } from "./client_run.ts";

const network = new TestNetwork("net.example/kinds");
const log = new TestLog(network);
log.addRound(["content", "other"].map(digestOf), { timestamp: 1_766_275_200 });
const plain = log.bundle(0, log.batchInclusion(0, log.sth(2, 1_766_275_300)));
const inclusion = plain.batch_inclusion!;
const sth = withReceiptSignature(inclusion.sth, network.log);
const bundle = { ...plain, batch_inclusion: { ...inclusion, sth } };

const authority = await TestAuthority.create();
const token = withAttachedProof(
  await authority.token(Uint8Array.fromHex(digestOf("content")), {
    info: {
      serial: der.integer(5),
      genTime: der.generalizedTime("20251221000000Z"),
      accuracy: der.sequence(der.integer(60)),
    },
  }),
  JSON.stringify(bundle),
);

/** Names of the files with the proofs. */
const NAMES = {
  "json": "p/json.countersign.json",
  "attestation": "p/attestation.countersign.json",
  "tlog-proof": "p/text.countersign.tlog-proof",
  "cose": "p/receipt.countersign.cose",
  "token": "p/stamp.tsr",
} as const;
type Kind = keyof typeof NAMES;
const KINDS = Object.keys(NAMES) as Kind[];

/** A user with the network pinned, and a file with its proof of each kind in another folder. */
async function withProofs(use: (client: Client) => Promise<void>): Promise<void> {
  await withClient(async (client) => {
    await client.trust.savePin(network.configuration);
    await client.write("file", "content");
    await client.write("entry", "x");
    await client.write("network", network.configuration);
    await client.write("policy", policyText(network.configuration)!);
    await client.write("logpolicy", `log ${network.configuration.log_vkey}\nquorum none\n`);
    await Deno.mkdir(join(client.folder, "p"));
    await client.write(NAMES.json, bundle);
    await client.write(NAMES.attestation, bundle.signed_attestation);
    await client.write(NAMES["tlog-proof"], tlogProofOf(network.configuration, bundle));
    await Deno.writeFile(
      join(client.folder, NAMES.cose),
      coseReceiptOf(network.configuration, bundle),
    );
    await Deno.writeFile(join(client.folder, NAMES.token), encodeGranted(token));
    await Deno.writeFile(join(client.folder, "root"), pemOf(authority.root));
    await use(client);
  });
}

const VALID = /^0 (VALID|Wrote)/;
const NEEDS_JSON = (option: string) =>
  new RegExp(
    `^2 .*${option} needs a JSON proof, and "p/\\S+" is a (tlog-proof|COSE receipt) \\(name its`,
  );
const NEEDS_LOG_PROOF = (option: string) =>
  new RegExp(`^2 .*${option} needs a tlog-proof or a COSE receipt, and "p/\\S+" is a `);
const NEEDS_POLICY = /^2 .*"p\/\S+" is a COSE receipt\. .*--policy FILE that has `quorum none`/;
const NOT_A_BUNDLE =
  /^1 .*"p\/\S+" layer by layer: it is a signed attestation.*: countersign verify p\/att/;
const EITHER = /^2 .*give either --policy or --(network-config|online|chain)/;

type Expected = Readonly<Record<Kind, RegExp>>;

const all = (expected: RegExp): Expected => ({
  "json": expected,
  "attestation": expected,
  "tlog-proof": expected,
  "cose": expected,
  "token": expected,
});
/** Of a receipt, only a policy is enough. */
const TRUSTED = { ...all(VALID), cose: NEEDS_POLICY };
const ofBundles = (option: string, json = VALID): Expected => ({
  ...all(NEEDS_JSON(option)),
  json,
  attestation: NOT_A_BUNDLE,
  token: json,
});
const ofLogProofs = (option: string, rest: Pick<Expected, "tlog-proof" | "cose">): Expected => ({
  ...rest,
  json: NEEDS_LOG_PROOF(option),
  attestation: NEEDS_LOG_PROOF(option),
  token: NEEDS_LOG_PROOF(option),
});
const NEEDS_TOKEN = /^2 .*--tsa-root needs a time-stamp token, and "p\/\S+" is a /;
const INVALID = /^1 INVALID/;

/** What a line prints for each kind; PROOF is the file with it. */
const MATRIX: Readonly<Record<string, Expected>> = {
  "verify PROOF": TRUSTED,
  "verify file --proof PROOF": TRUSTED,
  "verify file --proof PROOF --network-config network": TRUSTED,
  "verify entry --proof PROOF": { ...all(INVALID), cose: NEEDS_POLICY },
  "verify file --proof PROOF --policy policy": ofLogProofs("--policy", {
    "tlog-proof": VALID,
    "cose": INVALID,
  }),
  "verify file --proof PROOF --policy logpolicy": ofLogProofs("--policy", {
    "tlog-proof": VALID,
    "cose": VALID,
  }),
  "verify file --proof PROOF --policy policy --network-config network": ofLogProofs("--policy", {
    "tlog-proof": EITHER,
    "cose": EITHER,
  }),
  "verify file PROOF": {
    "json": /^1 NO PROOF {2}file: no saved proof\nMISSING {3}p\/json: /,
    "attestation": /^1 NO PROOF {2}file: no saved proof\nMISSING {3}p\/attestation: /,
    "tlog-proof": /FAILED {4}p\/.*it is a tlog-proof \(verify it alone: countersign verify p\//,
    "cose": /FAILED {4}p\/.*it is a COSE receipt \(verify it alone: countersign verify p\//,
    "token": /FAILED {4}p\/.*it is a time-stamp token \(verify it alone: countersign verify p\//,
  },
  "verify-proof PROOF": { ...TRUSTED, attestation: NOT_A_BUNDLE },
  "verify-proof PROOF --file file": { ...TRUSTED, attestation: NOT_A_BUNDLE },
  "verify-proof PROOF --file entry": {
    ...all(INVALID),
    attestation: NOT_A_BUNDLE,
    cose: NEEDS_POLICY,
  },
  "verify-proof --bundle PROOF --file file": { ...TRUSTED, attestation: NOT_A_BUNDLE },
  [`verify-proof PROOF --hash ${digestOf("content")}`]: { ...TRUSTED, attestation: NOT_A_BUNDLE },
  [`verify-proof PROOF --hash ${digestOf("other")}`]: {
    ...all(INVALID),
    attestation: NOT_A_BUNDLE,
    cose: NEEDS_POLICY,
  },
  "verify-proof PROOF --network-config network": { ...TRUSTED, attestation: NOT_A_BUNDLE },
  "verify-proof PROOF --policy policy": ofLogProofs("--policy", {
    "tlog-proof": VALID,
    "cose": INVALID,
  }),
  "verify-proof PROOF --policy logpolicy --file file": ofLogProofs("--policy", {
    "tlog-proof": VALID,
    "cose": VALID,
  }),
  "verify-proof PROOF --policy policy --online": ofLogProofs("--policy", {
    "tlog-proof": EITHER,
    "cose": EITHER,
  }),
  "verify-proof PROOF --entry entry": ofLogProofs("--entry", {
    "tlog-proof": INVALID,
    "cose": NEEDS_POLICY,
  }),
  "verify-proof PROOF --since entry": ofLogProofs("--since", {
    "tlog-proof": /^2 .*give --since with a COSE receipt of consistency/,
    "cose": NEEDS_POLICY,
  }),
  "verify-proof PROOF --peer-config network": ofBundles("--peer-config"),
  "verify-proof PROOF --distrust w": ofBundles(
    "--distrust",
    /^2 .*Cannot distrust w: no witness has this name/,
  ),
  "verify-proof PROOF --mirror p": ofBundles("--mirror", /^1 .*Cannot /),
  "verify-proof PROOF --witness-policy policy": ofBundles("--witness-policy", /^1 VALID/),
  "verify-proof PROOF --anchors": ofBundles("--anchors"),
  "verify-proof PROOF --require-anchor rfc3161": ofBundles("--require-anchor", /^1 VALID/),
  "upgrade PROOF": {
    "json": /^1 failed .*no answer|^1 failed .*Cannot /,
    "attestation":
      /^1 failed .*it is a signed attestation \(get the proof of its hash: countersign b/,
    "tlog-proof":
      /^1 failed .*it is a tlog-proof \(write a new one: countersign stamp --proofs all/,
    "cose": /^1 failed .*it is a COSE receipt \(write a new one: countersign stamp --proofs all/,
    "token": /^1 failed .*no answer|^1 failed .*Cannot /,
  },
  "verify-proof PROOF --tsa-root root": { ...all(NEEDS_TOKEN), token: VALID },
  "verify-proof PROOF --tsa-root policy": {
    ...all(NEEDS_TOKEN),
    token: /^1 .*Cannot use root certificates: the file has no certificate in PEM or DER/,
  },
  "bundle --as tlog-proof PROOF": {
    ...all(/^1 .*Cannot convert "p\/\S+": it is a .*\(name a file with a JSON proof/),
    json: /^0 c2sp\.org\/tlog-proof@v1/,
  },
};

Deno.test("each kind of proof takes the same options, or the refusal says what to do", () =>
  withProofs(async (client) => {
    const wrong: string[] = [];
    for (const [line, expected] of Object.entries(MATRIX)) {
      for (const kind of KINDS) {
        const args = line.replace("PROOF", NAMES[kind]).split(" ");
        const { code, stdout, stderr } = await client.run(args);
        const said = `${code} ${stdout}${stderr}`;
        if (!expected[kind].test(said)) wrong.push(`${args.join(" ")}\n${said}`);
      }
    }
    assert.equal(wrong.join("\n\n"), "");
  }));

Deno.test("a tlog-proof of a log without a configuration needs a policy", () =>
  withProofs(async (client) => {
    await Deno.remove(join(client.folder, "home"), { recursive: true });
    const { code, stderr } = await client.run(["verify", NAMES["tlog-proof"]]);
    assert.equal(code, 1);
    assert.match(stderr, /net\.example\/kinds is not pinned .*give its --policy FILE/);
    assert.equal((await client.run(["verify", NAMES["tlog-proof"], "--policy", "policy"])).code, 0);
  }));

Deno.test("a tlog-proof with too few cosignatures is not valid under a pinned network", () =>
  withProofs(async (client) => {
    const text = await client.read(NAMES["tlog-proof"]);
    const lines = text.split("\n");
    const last = lines.findLastIndex((line) => line.startsWith("— "));
    await client.write("few", lines.toSpliced(last, 1).join("\n"));
    const { code, stdout } = await client.run(["verify", "few"]);
    assert.equal(code, 1);
    assert.match(stdout, /^INVALID\nFewer witnesses of the configuration have signed/);
  }));

Deno.test("the file of a tlog-proof beside it is compared", () =>
  withProofs(async (client) => {
    await client.write("file.countersign.tlog-proof", await client.read(NAMES["tlog-proof"]));
    const name = "file.countersign.tlog-proof";
    assert.equal((await client.run(["verify", name])).code, 0);
    await client.write("file", "changed");
    const { code, stdout } = await client.run(["verify", name]);
    assert.equal(code, 1);
    assert.match(stdout, /^INVALID/);
  }));
