/**
 * Writes a zip archive of small files, not compressed (PKWARE APPNOTE 6.3.10, without zip64).
 *
 * @module
 */

import { type Bytes, utf8 } from "../../base/bytes.ts";

/** Entries of one archive. 65,535 would announce the zip64 format. */
export const MAX_ZIP_ENTRIES = 65_534;

const LOCAL = { signature: 0x04034b50, length: 30 };
const CENTRAL = { signature: 0x02014b50, length: 46 };
const END = { signature: 0x06054b50, length: 22 };
/** Version 2.0; names are UTF-8. */
const VERSION = 20;
const FLAGS = 0x0800;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ value >>> 1 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 0xff]! ^ crc >>> 8;
  return ~crc >>> 0;
}

/** Date and time of MS-DOS: two seconds are the unit, 1980 the first year. */
function dosTime(seconds: number): number {
  const at = new Date(seconds * 1000);
  const date = at.getUTCFullYear() - 1980 << 9 | at.getUTCMonth() + 1 << 5 | at.getUTCDate();
  const time = at.getUTCHours() << 11 | at.getUTCMinutes() << 5 | at.getUTCSeconds() >> 1;
  return (date << 16 | time) >>> 0;
}

/** A record: 32-bit numbers are `[number]`, all others have 16 bits. */
function record(
  { signature, length }: { readonly signature: number; readonly length: number },
  fields: readonly (number | readonly [number])[],
): Bytes {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let offset = 4;
  for (const field of fields) {
    if (typeof field === "number") view.setUint16(offset, field, true);
    else view.setUint32(offset, field[0], true);
    offset += typeof field === "number" ? 2 : 4;
  }
  return bytes;
}

/** One archive, below 4 GiB. */
export class ZipWriter {
  readonly #parts: Bytes[] = [];
  readonly #directory: Bytes[] = [];
  /** Some systems do not distinguish upper and lower case. */
  readonly #names = new Set<string>();
  readonly #time: number;
  #length = 0;

  /** `seconds`: Unix time of all entries. */
  constructor(seconds: number) {
    this.#time = dosTime(seconds);
  }

  /** Adds a file. A name that is taken gets a number; a path cannot leave the archive's folder. */
  add(path: string, content: Bytes): void {
    const name = utf8(this.#freeName(safePath(path)));
    const offset = this.#length;
    const [crc, size] = [[crc32(content)], [content.length]] as const;
    const common = [FLAGS, 0, [this.#time], crc, size, size, name.length, 0] as const;
    this.#push(record(LOCAL, [VERSION, ...common]), name, content);
    this.#directory.push(
      record(CENTRAL, [VERSION, VERSION, ...common, 0, 0, 0, [0], [offset]]),
      name,
    );
  }

  /** The archive. */
  finish(): Blob {
    const [offset, count] = [this.#length, this.#names.size];
    this.#push(...this.#directory);
    this.#push(record(END, [0, 0, count, count, [this.#length - offset], [offset], 0]));
    return new Blob(this.#parts, { type: "application/zip" });
  }

  #push(...parts: readonly Bytes[]): void {
    for (const part of parts) {
      this.#parts.push(part);
      this.#length += part.length;
    }
  }

  #freeName(path: string): string {
    const dot = path.indexOf(".", path.lastIndexOf("/") + 2);
    const [stem, end] = dot < 0 ? [path, ""] : [path.slice(0, dot), path.slice(dot)];
    let name = path;
    for (let number = 2; this.#names.has(folded(name)); number++) {
      name = `${stem} (${number})${end}`;
    }
    this.#names.add(folded(name));
    return name;
  }
}

function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function safePath(path: string): string {
  return path.split(/[/\\]+/).filter((segment) => segment !== "")
    .map((segment) => /^\.+$/.test(segment) ? "_" : segment).join("/");
}
