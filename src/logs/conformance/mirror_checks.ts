/**
 * Tests a mirror against c2sp.org/tlog-mirror: its add-entries, and what it serves afterwards.
 * `WitnessChecks` tests its add-checkpoint.
 *
 * @module
 */

import { gzipSync } from "node:zlib";
import {
  type Bytes,
  bytesOfBase64,
  concat,
  hexOf,
  integerOf,
  uint64,
  utf8,
} from "../../base/bytes.ts";
import { sha256 } from "../../proof/crypto/hashing.ts";
import { tryParse } from "../../base/errors.ts";
import { parseNote } from "../../proof/format/note.ts";
import { TILE_WIDTH, tilePath } from "../../proof/merkle/tile.ts";
import { verifyNote } from "../../proof/verify/note.ts";
import { NO_KEYS } from "./cosignature_checks.ts";
import type { Exchange } from "./exchange.ts";
import type { Fault } from "./report.ts";
import { isAccepted, statusFault, statusText, type Submissions } from "./submissions.ts";
import { SubtreeChecks } from "./subtree_checks.ts";

/** What a 202 or 409 says. */
interface MirrorInfo {
  readonly next: number;
  readonly ticket: Bytes;
}

const INFO_TYPE = "text/x.tlog.mirror-info";

export class MirrorChecks {
  readonly #submissions: Submissions;
  readonly #uploads: Uploads;

  constructor(submissions: Submissions) {
    this.#submissions = submissions;
    this.#uploads = new Uploads(submissions);
  }

  /** Call it first: one of its checks needs a mirror without a checkpoint of the log. */
  async checkUnknown(): Promise<void> {
    const entries = { start: 0, end: 5, packages: this.#uploads.packages(0, 5) };
    const unknown = { origin: "unknown.example", ...entries };
    await this.#refused("unknown-origin", 404, "entries of a log that it does not follow", unknown);
    const { status, text } = await this.#submissions.firstSize();
    if (status !== 409 || text !== "0\n") return;
    await this.#refused("no-pending", 422, "entries before any checkpoint", entries);
  }

  /** Call it after the checks of add-checkpoint. False if the mirror does not reach its last checkpoint. */
  async run(): Promise<boolean> {
    const from = this.#submissions.size;
    // Two full packages and a part of a third one.
    const end = (Math.floor(from / TILE_WIDTH) + 2) * TILE_WIDTH + 88;
    const more = "a checkpoint of more entries than one package has";
    if (!await this.#submissions.grow(end, more)) return false;
    const start = await this.#nextEntry(end);
    if (start === undefined || !await this.#checkRefusals(start, end)) return false;
    const later = end + 10;
    const ticket = await this.#checkParts(start, end);
    const meanwhile = "a checkpoint while entries are uploaded";
    if (!await this.#submissions.grow(later, meanwhile)) return false;
    const isEarlier = await this.#checkEarlier({ start, end, ticket });
    const next = isEarlier ? end : start;
    const packages = this.#uploads.packages(next, later);
    const last = { start: next, end: later, packages };
    if (!await this.#uploaded("success", "the entries up to the last checkpoint", last)) {
      return false;
    }
    const empty = { start: later, end: later, packages: [] };
    await this.#uploaded("success", "no entries, up to the mirror's checkpoint", empty);
    const below = { start: end, end, packages: [] };
    await this.#refused("small-end", 409, "an end below the mirror's checkpoint", below);
    await this.#checkServed(later);
    return true;
  }

  /** The next entry, by a request for entries that the mirror lacks. */
  async #nextEntry(end: number): Promise<number | undefined> {
    const upload = { start: end, end, packages: [] };
    const check = "a start beyond the next entry";
    const answer = await this.#refused("late-start", 409, check, upload);
    const info = this.#judgeInfo(check, answer, end, "info-end");
    const next = info?.next;
    return next !== undefined && next < end ? next : undefined;
  }

  /** False if entries were accepted that are not the log's. */
  async #checkRefusals(start: number, end: number): Promise<boolean> {
    const packages = this.#uploads.packages(start, end);
    const [first, second] = packages as [Bytes, Bytes];
    const honest = { start, end, packages };
    const forged = [
      ["a package with another entry", first.with(4, first[4]! ^ 1)],
      ["a package with another proof", first.with(first.length - 1, first.at(-1)! ^ 1)],
    ] as const;
    for (const [check, changed] of forged) {
      const upload = { ...honest, packages: [changed] };
      if (isAccepted(await this.#refused("authenticate", 422, check, upload))) return false;
    }
    const check = "an end that no checkpoint has";
    const wrongEnd = await this.#refused("unknown-end", 409, check, { ...honest, end: end + 1 });
    this.#judgeInfo(check, wrongEnd, end, "info-pending");
    const hashes = this.#uploads.package(start, end, start, Array(64).fill(new Uint8Array(32)));
    const half = first.slice(0, first.length / 2);
    const rows: readonly [string, number | undefined, string, Partial<Upload>][] = [
      ["upload-start", undefined, "a start above the end", { start: end + 1, packages: [] }],
      ["prefix", undefined, "packages in another order", { packages: [second, first] }],
      ["num-hashes", undefined, "a package with 64 hashes", { packages: [hashes] }],
      ["nothing", 400, "no package", { packages: [] }],
      ["nothing", 400, "half a package", { packages: [half] }],
    ];
    for (const [id, code, what, change] of rows) {
      await this.#refused(id, code, what, { ...honest, ...change });
    }
    await this.#refused("body", undefined, "a body that ends in its header", honest, { clip: 5 });
    return true;
  }

  /** Uploads one package, then one and a half; returns the ticket. */
  async #checkParts(start: number, end: number): Promise<Bytes> {
    const [first, second, third] = this.#uploads.packages(start, end) as [Bytes, Bytes, Bytes];
    let ticket: Bytes = new Uint8Array();
    const after = (count: number) => (Math.floor(start / TILE_WIDTH) + count) * TILE_WIDTH;
    const parts = [
      ["partial", "the first package alone", { start, end, packages: [first] }, after(1)],
      ["interrupted", "a package and half of the next one", {
        start: after(1),
        end,
        packages: [second, third.slice(0, third.length / 2)],
      }, after(2)],
    ] as const;
    for (const [id, check, upload, next] of parts) {
      const answer = await this.#uploads.send({ ...upload, ticket });
      this.#judge(id, check, statusFault(answer, 202), answer);
      const info = this.#judgeInfo(check, answer, end, "info-end");
      if (info === undefined) continue;
      ticket = info.ticket;
      const wrong = info.next !== next && `the next entry is ${info.next}, not ${next}`;
      this.#judge(id, check, wrong, answer);
    }
    return ticket;
  }

  /** Uploads all packages again for an earlier checkpoint. False if the mirror refuses it. */
  async #checkEarlier({ start, end, ticket }: Omit<Upload, "packages">): Promise<boolean> {
    const upload = {
      start,
      end,
      ...(ticket && { ticket }),
      packages: this.#uploads.packages(start, end),
    };
    const check = "all packages again, up to an earlier checkpoint";
    const answer = await this.#uploads.send(upload);
    const refusal = !isAccepted(answer) && `${statusText(answer)}: it was refused`;
    this.#judge("several-pending", check, refusal, answer);
    if (!isAccepted(answer)) return false;
    this.#judge("success", check, statusFault(answer, 200), answer);
    if (answer.status !== 200) return false;
    const compressed = await this.#uploads.send(upload, { gzip: true });
    this.#judge("gzip", `${check}, compressed`, statusFault(compressed, 200), compressed);
    await this.#judgeSuccess(check, answer, end);
    return true;
  }

  async #uploaded(id: string, check: string, upload: Upload): Promise<boolean> {
    const answer = await this.#uploads.send(upload);
    this.#judge(id, check, statusFault(answer, 200), answer);
    if (answer.status === 200) await this.#judgeSuccess(check, answer, upload.end);
    return answer.status === 200;
  }

  async #judgeSuccess(check: string, answer: Exchange, size: number): Promise<void> {
    const { log, cosignatures } = this.#submissions;
    const accepts = answer.headers.get("Accept-Encoding") ?? "none";
    const fault = !/gzip/.test(accepts) && `Accept-Encoding: ${accepts}`;
    this.#judge("accept-encoding", check, fault, answer);
    await cosignatures.judge(check, answer, (await log.note(size)).text);
  }

  async #checkServed(size: number): Promise<void> {
    const check = "the mirrored log";
    const { log, target, context: { exchanger, findings, crypto } } = this.#submissions;
    const answer = await exchanger.send(new URL("checkpoint", this.servedUrl));
    const note = isAccepted(answer) ? tryParse(() => parseNote(answer.text)) : undefined;
    const clauses = ["retain-signature", "cosigned"] as const;
    // `LogChecks` judges whether a checkpoint is served.
    if (note === undefined || !note.text.startsWith(`${log.origin}\n`)) {
      const reason = `${statusText(answer)}, and no checkpoint of the log`;
      for (const id of clauses) findings.unclear(`tlog-mirror/${id}`, check, reason, answer);
      return;
    }
    for (const [id, keys] of [[clauses[0], [log.key]], [clauses[1], target.keys]] as const) {
      if (keys.length === 0) findings.unclear(`tlog-mirror/${id}`, check, NO_KEYS, answer);
      else {
        const results = keys.map((key) => verifyNote(crypto, [key], note));
        const isSigned = (await Promise.all(results)).some(({ valid }) => valid);
        this.#judge(id, check, !isSigned && "no valid signature of the key", answer);
      }
    }
    const signatures = note.signatures.filter((line) =>
      target.keys.some(({ name }) => name === line.name)
    );
    const { text } = note;
    const isLast = text === (await log.note(size)).text;
    if (isLast && signatures[0] !== undefined) {
      await new SubtreeChecks(this.#submissions, { text, signatures }, size).run();
    }
    const url = new URL(tilePath("entries", 0, TILE_WIDTH), this.servedUrl);
    const bundle = await exchanger.send(url);
    for (const id of ["not-pruned", "minimum-zero"]) {
      if (isAccepted(bundle)) this.#judge(id, check, undefined, bundle);
      else {
        const reason = `${statusText(bundle)} for the first entries: a policy has to permit it`;
        findings.unclear(`tlog-mirror/${id}`, check, reason, bundle);
      }
    }
  }

  /** The prefix of the copy. */
  get servedUrl(): URL {
    const { log, target } = this.#submissions;
    return new URL(`${hexOf(sha256(utf8(log.origin)))}/`, target.monitoring);
  }

  /** `code`: the status that the clause requires; without it, the clause binds clients alone. */
  async #refused(
    id: string,
    code: number | undefined,
    check: string,
    upload: Upload,
    options: UploadOptions = {},
  ): Promise<Exchange> {
    const answer = await this.#uploads.send(upload, options);
    if (code === undefined) {
      const reason = `${statusText(answer)}: the sentence binds clients, and none obliges the ` +
        "mirror to refuse the request";
      this.#submissions.context.findings.unclear(`tlog-mirror/${id}`, check, reason, answer);
      return answer;
    }
    const fault = statusFault(answer, code);
    // Accepting unauthenticated entries breaks this clause; a wrong status breaks the clause of the status.
    const isStatus = id === "authenticate" && !isAccepted(answer);
    if (isStatus) this.#judge(id, check, undefined, answer);
    this.#judge(isStatus ? "authenticate-status" : id, check, fault, answer);
    return answer;
  }

  #judgeInfo(
    check: string,
    answer: Exchange,
    end: number,
    endClause: string,
  ): MirrorInfo | undefined {
    if (answer.status !== 409 && answer.status !== 202) return undefined;
    const type = answer.headers.get("Content-Type");
    const [endText = "", nextText = "", ticketText = "", rest] = answer.text.split("\n");
    const [shown, next] = [integerOf(endText), integerOf(nextText)];
    const ticket = bytesOfBase64(ticketText);
    const isInfo = rest === "" && answer.text.split("\n").length === 4 && shown !== undefined &&
      next !== undefined && ticket !== undefined;
    const wrongType = type !== INFO_TYPE && `the Content-Type is ${type}`;
    this.#judge("info", check, wrongType || !isInfo && "not the three lines", answer);
    if (!isInfo) return undefined;
    const fault = shown !== end && `the first line is ${shown}, not ${end}`;
    this.#judge(endClause, check, fault, answer);
    return { next, ticket };
  }

  #judge(id: string, check: string, fault: Fault, answer: Exchange): void {
    this.#submissions.context.findings.judge(`tlog-mirror/${id}`, check, fault, answer);
  }
}

/** A request to add-entries; a check changes single members of a valid one. */
interface Upload {
  readonly origin?: string;
  readonly start: number;
  readonly end: number;
  readonly ticket?: Bytes;
  /** The packages of the canonical sequence that are sent. */
  readonly packages: readonly Bytes[];
}

interface UploadOptions {
  readonly gzip?: boolean;
  /** Send only so many bytes. */
  readonly clip?: number;
}

class Uploads {
  readonly #submissions: Submissions;

  constructor(submissions: Submissions) {
    this.#submissions = submissions;
  }

  /** The packages of the canonical sequence. */
  packages(start: number, end: number): Bytes[] {
    const first = Math.floor(start / TILE_WIDTH);
    const count = Math.ceil(end / TILE_WIDTH) - first;
    return Array.from(
      { length: count },
      (_, i) => this.package(start, end, (first + i) * TILE_WIDTH),
    );
  }

  package(start: number, end: number, at: number, path?: readonly Bytes[]): Bytes {
    const { log } = this.#submissions;
    const [from, to] = [Math.max(start, at), Math.min(end, at + TILE_WIDTH)];
    const entries = Array.from({ length: to - from }, (_, i) => prefixed(log.entry(from + i)));
    const hashes = path ?? log.subtreePath(at, end, TILE_WIDTH);
    return concat(...entries, Uint8Array.of(hashes.length), ...hashes);
  }

  async send(
    { origin, start, end, ticket, packages }: Upload,
    { gzip, clip }: UploadOptions = {},
  ): Promise<Exchange> {
    const { log, target, context: { exchanger } } = this.#submissions;
    const name = prefixed(utf8(origin ?? log.origin));
    const whole = concat(
      name,
      uint64(start),
      uint64(end),
      prefixed(ticket ?? new Uint8Array()),
      ...packages,
    );
    const sent = whole.slice(0, clip);
    return await exchanger.send(new URL("add-entries", target.url), {
      method: "POST",
      headers: {
        "Content-Type": "application/octet-stream",
        ...(gzip && { "Content-Encoding": "gzip" }),
      },
      body: gzip ? new Uint8Array(gzipSync(sent)) : sent,
    });
  }
}

/** `bytes` after their length in two bytes. */
function prefixed(bytes: Uint8Array): Bytes {
  return concat(Uint8Array.of(bytes.length >> 8, bytes.length & 255), bytes);
}
