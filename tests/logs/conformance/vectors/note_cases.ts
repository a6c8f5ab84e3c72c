/** Verifier keys and notes. */
import { base64Of, concat, hexOf, utf8 } from "../../../../src/base/bytes.ts";
import { NOTE_TYPE, noteKeyId } from "../../../../src/proof/format/note_key.ts";
import type { Vector } from "../../../../src/logs/conformance/vectors.ts";
import { cosigner, ed25519, flipped, line, mlDsa, note, signed } from "./makers.ts";

const NOTE = "signed-note";

/** A key whose base64 has a plus sign. */
const plus = Array.from({ length: 99 }, (_, i) => ed25519("plus.example", 1, `plus ${i}`))
  .find(({ vkey }) => vkey.split("+").length > 3)!;
const log = ed25519("log.example/2026");

/** The vkey of any name, ID and key material. */
function vkeyOf(name: string, typed: Uint8Array, id?: string): string {
  const [type = 0, ...publicKey] = typed;
  const right = hexOf(noteKeyId({ name, type, publicKey: Uint8Array.from(publicKey) }));
  return `${name}+${id ?? right}+${base64Of(typed)}`;
}

export function vkeyCases(): Vector[] {
  const typed = concat(Uint8Array.of(1), log.key.publicKey);
  const id = hexOf(noteKeyId(log.key));
  const accepted: [string, string][] = [
    [
      "the example of signed-note",
      "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
    ],
    ["an Ed25519 key", log.vkey],
    ["base64 with a plus sign", plus.vkey],
    ["a name that is no URL", ed25519("\u00fcber:/#?-\u65e5\u672c").vkey],
    ["a cosigner's Ed25519 key", cosigner("witness.example/w1").vkey],
    ["a cosigner's ML-DSA-44 key", mlDsa("witness.example/w1").vkey],
  ];
  const rejected: [string, string, string][] = [
    ["an empty line", "vkey-form", ""],
    ["no key", "vkey-form", `${log.key.name}+${id}`],
    ["no key ID", "vkey-form", `${log.key.name}+${base64Of(typed)}`],
    ["capitals in the key ID", "vkey-form", log.vkey.replace(`+${id}+`, `+${id.toUpperCase()}+`)],
    ["a key ID of seven digits", "vkey-form", log.vkey.replace(`+${id}+`, `+${id.slice(1)}+`)],
    [
      "no padding",
      "vkey-form",
      vkeyOf("a.example", concat(typed, Uint8Array.of(1))).replace(/=+$/, ""),
    ],
    ["base64url", "vkey-form", plus.vkey.replace(/(?<=\+[0-9a-f]{8}\+.*)\+/g, "-")],
    ["31 bytes", "vkey-form", vkeyOf("log.example/2026", typed.slice(0, -1))],
    ["33 bytes", "vkey-form", vkeyOf("log.example/2026", concat(typed, Uint8Array.of(1)))],
    ["a space at the end", "vkey-form", `${log.vkey} `],
    ["an empty name", "key-names", vkeyOf("", typed)],
    ["a space in the name", "key-names", vkeyOf("log example", typed)],
    ["a no-break space in the name", "key-names", vkeyOf("log\u00a0example", typed)],
    ["an ideographic space in the name", "key-names", vkeyOf("log\u3000example", typed)],
    ["a plus sign in the name", "key-names", vkeyOf("log+example", typed)],
    [
      "another key's ID",
      "ed25519-key-id",
      vkeyOf("log.example/2026", typed, hexOf(noteKeyId(plus.key))),
    ],
    ["the ID of the key for another name", "ed25519-key-id", vkeyOf("log.example/2027", typed, id)],
    [
      "the ID of the key for another type",
      "ed25519-key-id",
      vkeyOf(
        "log.example/2026",
        typed,
        hexOf(noteKeyId({ ...log.key, type: NOTE_TYPE.cosignature })),
      ),
    ],
  ];
  return [
    ...accepted.map(([name, vkey]) => ({
      name,
      clause: `${NOTE}/vkey-form`,
      expect: "accept" as const,
      vkey,
    })),
    ...rejected.map(([name, clause, vkey]) => ({
      name,
      clause: `${NOTE}/${clause}`,
      expect: "reject" as const,
      vkey,
    })),
  ];
}

const TEXT = "This is a note.\n";
const other = ed25519("other.example");
const stranger = ed25519("stranger.example");
const own = signed(log, TEXT);
const sixty = Array.from({ length: 15 }, (_, i) => signed(ed25519(`stranger-${i}.example`), TEXT));
const idOf = (name: string) => noteKeyId({ ...log.key, name });

function noteOf(text: string, ...lines: string[]): string {
  return note(text, ...lines);
}

export function noteCases(): Vector[] {
  const rows: [string, string, "accept" | "reject", string | Uint8Array, string[]?][] = [
    ["one signature", "text-form", "accept", noteOf(TEXT, own)],
    ["empty lines in the text", "last-empty-line", "accept", signedNote("One\n\nTwo\n\n\nThree\n")],
    ["a text that ends in an empty line", "last-empty-line", "accept", signedNote("One\n\n")],
    ["a text with a signature line", "last-empty-line", "accept", signedNote(`One\n\n${own}`)],
    [
      "a text that is not ASCII",
      "characters",
      "accept",
      signedNote("\u00e8 subito sera \ud83c\udf05\n"),
    ],
    ["a deletion character (U+007F)", "characters", "accept", signedNote("a\u007fb\n")],
    ["an unknown key before", "unknown-keys", "accept", noteOf(TEXT, signed(stranger, TEXT), own)],
    [
      "an unknown key after, whose signature is invalid",
      "unknown-keys",
      "accept",
      noteOf(TEXT, own, flipped(signed(stranger, TEXT))),
    ],
    [
      "an unknown key ID with a known name",
      "unknown-keys",
      "accept",
      noteOf(TEXT, line(log.key.name, Uint8Array.of(1, 2, 3, 4), new Uint8Array(64)), own),
    ],
    [
      "an unknown name with a known key ID",
      "unknown-keys",
      "accept",
      noteOf(TEXT, line("unknown.example", noteKeyId(log.key), new Uint8Array(64)), own),
    ],
    [
      "an unknown key with a signature of 4,900 bytes",
      "unknown-keys",
      "accept",
      noteOf(TEXT, line("pq.example", Uint8Array.of(1, 2, 3, 4), new Uint8Array(4_900)), own),
    ],
    ["16 signatures", "sixteen-signatures", "accept", noteOf(TEXT, ...sixty, own)],
    ["two known keys", "text-form", "accept", noteOf(TEXT, own, signed(other, TEXT))],
    ["an invalid signature", "known-keys", "reject", noteOf(TEXT, flipped(own))],
    ["another text", "known-keys", "reject", noteOf("This is another note.\n", own)],
    [
      "a signature over the text without its newline",
      "known-keys",
      "reject",
      noteOf(TEXT, signed(log, TEXT.trimEnd())),
    ],
    [
      "a signature over the text and the empty line",
      "known-keys",
      "reject",
      noteOf(TEXT, signed(log, `${TEXT}\n`)),
    ],
    [
      "a signature of 63 bytes",
      "known-keys",
      "reject",
      noteOf(TEXT, line(log.key.name, noteKeyId(log.key), log.sign(utf8(TEXT)).slice(0, 63))),
    ],
    [
      "a signature of 65 bytes",
      "known-keys",
      "reject",
      noteOf(
        TEXT,
        line(log.key.name, noteKeyId(log.key), concat(log.sign(utf8(TEXT)), new Uint8Array(1))),
      ),
    ],
    ["no key at all", "text-ignored", "reject", noteOf(TEXT, own), []],
    ["unknown keys alone", "no-known-key", "reject", noteOf(TEXT, signed(stranger, TEXT))],
    [
      "a known name with another key's ID and signature",
      "no-known-key",
      "reject",
      noteOf(TEXT, line(log.key.name, noteKeyId(stranger.key), stranger.sign(utf8(TEXT)))),
    ],
    [
      "the key's signature under another name",
      "no-known-key",
      "reject",
      noteOf(TEXT, line("log.example/2027", idOf("log.example/2027"), log.sign(utf8(TEXT)))),
    ],
    [
      "a valid and an invalid signature of known keys",
      "known-key-fails",
      "reject",
      noteOf(TEXT, own, flipped(signed(other, TEXT))),
    ],
    [
      "a valid and an invalid signature of one key",
      "known-key-fails",
      "reject",
      noteOf(TEXT, own, flipped(own)),
    ],
    [
      "the key's plain signature under the cosignature type",
      "vkey-matches",
      "reject",
      noteOf(
        TEXT,
        line(
          log.key.name,
          noteKeyId({ ...log.key, type: NOTE_TYPE.cosignature }),
          log.sign(utf8(TEXT)),
        ),
      ),
    ],
    ["no empty line", "text-form", "reject", `${TEXT}${own}`],
    ["no signature lines", "text-form", "reject", `${TEXT}\n`],
    ["a text alone", "text-form", "reject", TEXT],
    ["no newline at the end", "text-form", "reject", noteOf(TEXT, own).slice(0, -1)],
    ["a line after the signatures", "text-form", "reject", `${noteOf(TEXT, own)}x\n`],
    ["a hyphen for the dash", "text-form", "reject", noteOf(TEXT, own.replace("\u2014", "-"))],
    [
      "an en dash for the dash",
      "text-form",
      "reject",
      noteOf(TEXT, own.replace("\u2014", "\u2013")),
    ],
    [
      "two spaces after the dash",
      "text-form",
      "reject",
      noteOf(TEXT, own.replace("\u2014 ", "\u2014  ")),
    ],
    ["a space after the signature", "text-form", "reject", noteOf(TEXT, own.replace("\n", " \n"))],
    ["base64 without padding", "text-form", "reject", noteOf(TEXT, own.replace(/=+\n/, "\n"))],
    [
      "a signature of three bytes",
      "text-form",
      "reject",
      noteOf(TEXT, own, line("short.example", Uint8Array.of(1, 2, 3), new Uint8Array())),
    ],
    ["carriage returns", "characters", "reject", noteOf(TEXT, own).replaceAll("\n", "\r\n")],
    ["a tab", "characters", "reject", signedNote("a\tb\n")],
    ["a NUL", "characters", "reject", signedNote("a\0b\n")],
    ["a text that is not UTF-8", "characters", "reject", notUtf8()],
    [
      "a plus sign in a key name",
      "key-names",
      "reject",
      noteOf(TEXT, line("a+b", Uint8Array.of(1, 2, 3, 4), new Uint8Array(64)), own),
    ],
    [
      "an empty key name",
      "key-names",
      "reject",
      noteOf(TEXT, line("", Uint8Array.of(1, 2, 3, 4), new Uint8Array(64)), own),
    ],
    [
      "a no-break space in a key name",
      "key-names",
      "reject",
      noteOf(TEXT, line("a\u00a0b", Uint8Array.of(1, 2, 3, 4), new Uint8Array(64)), own),
    ],
  ];
  return rows.map(([name, clause, expect, text, keys = [log.vkey, other.vkey]]) => ({
    name,
    clause: `${NOTE}/${clause}`,
    expect,
    keys,
    ...(typeof text === "string" ? { note: text } : { note_base64: base64Of(text) }),
  }));
}

function signedNote(text: string): string {
  return noteOf(text, signed(log, text));
}

/** A valid signature over a text with the byte 0xff. */
function notUtf8(): Uint8Array {
  const text = Uint8Array.of(0x61, 0xff, 0x62, 0x0a);
  return concat(text, utf8(`\n${line(log.key.name, noteKeyId(log.key), log.sign(text))}`));
}
