/**
 * Time-stamp tokens with one random change each, as a folder of vectors for verifiers in other languages:
 * of bytes, of the structure, and of what the authority or an issuer signed, with a new signature.
 *
 * @module
 */

import { join } from "node:path";
import { type Bytes, concat, hexOf } from "../../src/base/bytes.ts";
import { parseNetwork } from "../../src/proof/format/network_reader.ts";
import { type DerValue, readDer } from "../../src/proof/timestamp/der.ts";
import * as der from "../proof/timestamp/der.ts";
import { attribute, type TokenChange } from "../proof/timestamp/test_authority.ts";
import { nameOf, type TestCertificate } from "../proof/timestamp/test_certificates.ts";
import { Draw } from "../proof/verify/generated_chains.ts";
import { digest } from "../proof/verify/vectors/authority_keys.ts";
import {
  AT,
  authorityOf,
  CONTENT,
  ENTRY,
  pem,
  proofAttribute,
  stampBy,
  stampLog,
} from "../proof/verify/vectors/timestamp_tokens.ts";
import { judge, type Vector } from "../proof/verify/vectors/vector.ts";
import { nativeCrypto } from "../schemes.ts";
import { VECTORS } from "./vector_files.ts";

/** A value that can be changed. */
interface Tree {
  tag: number;
  children?: Tree[];
  contents: Bytes;
}

function treeOf({ tag, children, contents }: DerValue): Tree {
  return tag & CONSTRUCTED ? { tag, children: children.map(treeOf), contents } : { tag, contents };
}

function encode({ tag, children, contents }: Tree): Bytes {
  return der.value(tag, ...children?.map(encode) ?? [contents]);
}

function valuesOf(tree: Tree): Tree[] {
  return [tree, ...(tree.children ?? []).flatMap(valuesOf)];
}

const CONSTRUCTED = 0x20;
const TAGS = [1, 2, 3, 4, 5, 6, 9, 10, 12, 19, 22, 23, 24, 0x1f, 0x30, 0x31].concat(
  [0x80, 0x81, 0x82, 0x85, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],
);
const CONTENTS = [[], [0], [5], [0xff], [1, 2], [0, 1]];

/** `bytes`, which are DER, with one change. */
function changedDer(bytes: Bytes, draw: Draw): Bytes {
  const root = treeOf(readDer(bytes, "value"));
  const value = draw.of(valuesOf(root));
  const { children = [], contents } = value;
  const at = draw.below(children.length || 1);
  const octet = draw.below(contents.length || 1);
  const changes: readonly (() => void)[] = [
    () => {
      value.contents = concat(...children.map(encode), ...children.length ? [] : [contents]);
      delete value.children;
      value.tag = draw.of(TAGS);
    },
    () => children.splice(at, 1),
    () => children.splice(at, 0, ...children.slice(at, at + 1)),
    () => children.splice(at, 2, ...children.slice(at, at + 2).reverse()),
    () =>
      children.splice(at, 0, {
        tag: draw.of(TAGS) & ~CONSTRUCTED,
        contents: Uint8Array.from(draw.of(CONTENTS)),
      }),
    () =>
      value.contents = contents.map((each, i) => i === octet ? each ^ 1 << draw.below(8) : each),
    () => value.contents = contents.slice(0, -1),
    () => value.contents = concat(contents, Uint8Array.of(draw.below(256))),
  ];
  draw.of(changes)();
  return encode(root);
}

const authority = await authorityOf();
const log = stampLog("ed25519");
const tokens = [
  await stampBy(authority, log),
  await stampBy(authority, log, {
    imprintHash: "SHA-512",
    info: {
      ordering: der.boolean(true),
      nonce: der.integer(77),
      authority: der.explicit(0, der.explicit(4, nameOf("Stamps"))),
      extensions: der.explicit(
        1,
        der.sequence(der.objectId("1.2.3.4"), der.octets(Uint8Array.of(7))),
      ),
    },
  }),
];

function valueAt(token: Bytes, place: readonly number[]): DerValue {
  return place.reduce((value, index) => value.children[index]!, readDer(token, "token"));
}

/** The authority's token of a TSTInfo in DER, with the signed attributes that `attributes` makes of good ones. */
async function signedToken(
  info: Bytes,
  attributes: (good: readonly Bytes[]) => readonly Bytes[] = (good) => good,
): Promise<Bytes> {
  const change: TokenChange = {
    wrapped: () => der.explicit(0, der.octets(info)),
    attributes: ({ contentType, signingCertificate }) =>
      attributes([
        contentType,
        attribute("1.2.840.113549.1.9.4", der.octets(digest("SHA-256", info))),
        signingCertificate,
      ]),
    unsigned: [proofAttribute(JSON.stringify(log.bundle(ENTRY["SHA-256"])))],
  };
  return await authority.token(digest("SHA-256"), change);
}

/** `certificate` with a change of what `issuer` signed, or of an extension. */
async function changedCertificate(
  certificate: TestCertificate,
  issuer: TestCertificate,
  draw: Draw,
): Promise<TestCertificate> {
  const [signed] = readDer(certificate.der, "certificate").children;
  const tree = treeOf(signed!);
  const extensions = tree.children!.at(-1)!.children![0]!.children!;
  const content = draw.of(extensions).children!.at(-1)!;
  const isInside = draw.below(2) === 0;
  if (isInside) content.contents = changedDer(content.contents, draw);
  const changed = isInside ? encode(tree) : changedDer(signed!.bytes, draw);
  const { algorithm } = issuer.key;
  const signature = der.bits(await issuer.key.sign(changed));
  return { ...certificate, der: der.sequence(changed, algorithm, signature) };
}

async function changedToken(draw: Draw): Promise<Bytes> {
  const token = draw.of(tokens);
  const info = valueAt(token, [...AT.content, 1, 0]).contents;
  switch (draw.below(5)) {
    case 0: {
      const at = draw.below(token.length);
      return token.map((octet, i) => i === at ? octet ^ 1 << draw.below(8) : octet);
    }
    case 1:
      return changedDer(token, draw);
    case 2:
      return await signedToken(changedDer(info, draw));
    case 3: {
      const changed = draw.below(3);
      return await signedToken(
        info,
        (good) => good.map((each, i) => i === changed ? changedDer(each, draw) : each),
      );
    }
  }
  const { root, intermediate, signer } = authority;
  const isSigner = draw.below(2) === 0;
  const leaf = isSigner ? await changedCertificate(signer, intermediate, draw) : signer;
  const issuer = isSigner ? intermediate : await changedCertificate(intermediate, root, draw);
  return await stampBy(authority, log, { signer: leaf, certificates: [leaf.der, issuer.der] });
}

/** Writes `count` cases; returns the results that were found, each once. */
export async function writeChangedTokens(folder: string, count: number): Promise<Set<string>> {
  const draw = new Draw(37);
  const text = await Deno.readTextFile(join(VECTORS, "networks.json"));
  const { ed25519 } = JSON.parse(text);
  const networks = new Map([["ed25519", parseNetwork(JSON.stringify(ed25519))]]);
  const results = new Set<string>();
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    const vector: Vector = {
      name: `changed token ${i}`,
      kind: "timestamp",
      network: "ed25519",
      content: draw.below(8) === 0 ? undefined : CONTENT,
      roots: draw.below(3) === 0 ? [] : [pem(authority.root)],
      input: hexOf(await changedToken(draw)),
    };
    const expect = await judge(nativeCrypto, networks, vector);
    results.add(String(expect.reason ?? expect.result));
    lines.push(`${JSON.stringify({ ...vector, expect })}\n`);
  }
  await Deno.writeTextFile(join(folder, "networks.json"), JSON.stringify({ ed25519 }));
  await Deno.writeTextFile(join(folder, "timestamps.jsonl"), lines.join(""));
  return results;
}
