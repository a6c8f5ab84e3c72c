/**
 * The folder of a monitor:
 *
 *     state.json                     replaced whole after each poll
 *     evidence/<16 hex>.json         evidence of two histories
 *     evidence/mismatch-<16 hex>.json
 *     acknowledged/<16 hex>.json     written by `monitor acknowledge`, removed once the state has it
 *     lock
 *
 * @module
 */

import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { CountersignError } from "../../base/errors.ts";
import { object, TEXT } from "../../proof/format/schema.ts";
import type { Acknowledgement, MonitorStore } from "../../logs/monitor/ports.ts";
import { reasonOf } from "../../storage/store_fault.ts";
import { systemCode } from "../../base/system_error.ts";
import { exists, listFolder, makeFolder, writeNewFile } from "../files.ts";
import { replaceFile, textIfExists } from "../replaced_file.ts";

const FILE_MODE = 0o600;
const FOLDERS = ["evidence", "acknowledged"];
/** Unfinished files of `replaceFile`. */
const UNFINISHED = /^\..+\.json\.[0-9a-f-]{36}$/;
const ID = /^([0-9a-f]{16})\.json$/;

const ACKNOWLEDGEMENT = object({ note: TEXT.optional() });

export class MonitorFolder implements MonitorStore {
  readonly name: string;
  readonly #path: string;

  /** `path` is absolute. */
  constructor(path: string) {
    this.#path = path;
    this.name = join(path, "state.json");
  }

  get lockFile(): string {
    return join(this.#path, "lock");
  }

  async create(): Promise<void> {
    for (const folder of FOLDERS) await failing(() => makeFolder(join(this.#path, folder)));
  }

  /** Removes unfinished files of a process that was killed. Call it under the lock. */
  async removeUnfinished(): Promise<void> {
    for (const folder of ["", "evidence"]) {
      const names = await failing(() => listFolder(join(this.#path, folder)));
      for (const name of names.filter((one) => UNFINISHED.test(one))) {
        await failing(() => unlink(join(this.#path, folder, name)));
      }
    }
  }

  async read(): Promise<string | undefined> {
    return await failing(() => textIfExists(this.name));
  }

  async write(text: string): Promise<void> {
    await failing(() => replaceFile(this.name, text, FILE_MODE));
  }

  async putEvidence(name: string, text: string): Promise<string> {
    const file = join(this.#path, "evidence", name);
    await failing(async () => {
      // An earlier run may have written it before it was killed.
      if (!await exists(file)) await replaceFile(file, text, FILE_MODE);
    });
    return file;
  }

  async acknowledgements(): Promise<readonly Acknowledgement[]> {
    const folder = join(this.#path, "acknowledged");
    return await failing(async () => {
      const found: Acknowledgement[] = [];
      for (const name of await listFolder(folder)) {
        const id = ID.exec(name)?.[1];
        if (id === undefined) continue;
        const text = await textIfExists(join(folder, name));
        if (text !== undefined) found.push(parseAcknowledgement(id, text));
      }
      return found;
    });
  }

  async removeAcknowledgement(id: string): Promise<void> {
    await failing(() => unlink(this.#acknowledgement(id)));
  }

  /** Makes the next poll acknowledge the finding `id`. Does nothing if the file of an earlier call is still there. */
  async acknowledge({ id, ...members }: Acknowledgement): Promise<void> {
    await this.create();
    const file = this.#acknowledgement(id);
    if (await exists(file)) return;
    await failing(() => writeNewFile(file, `${JSON.stringify(members)}\n`, FILE_MODE));
  }

  #acknowledgement(id: string): string {
    return join(this.#path, "acknowledged", `${id}.json`);
  }
}

/** The content of an acknowledgement's file; a damaged one acknowledges without a note. */
function parseAcknowledgement(id: string, text: string): Acknowledgement {
  try {
    const where = { where: "acknowledgement", code: "malformed_text" } as const;
    return { id, ...ACKNOWLEDGEMENT.parseText(text, where) };
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    return { id };
  }
}

/** Runs `act`. Errors of the file system become `storage_failed`. */
async function failing<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    if (!(cause instanceof CountersignError) && systemCode(cause) === undefined) throw cause;
    throw new CountersignError("storage_failed", reasonOf(cause), { cause });
  }
}
