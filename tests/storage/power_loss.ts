/**
 * Simulates power loss: tracks which writes of {@linkcode Deno.FsFile} were synced.
 *
 * @module
 */

type Bytes = Uint8Array<ArrayBuffer>;

interface Write {
  readonly offset: number;
  readonly bytes: Bytes;
}

/** Tracks all opened files until disposed. Writes are synchronous, syncs are not. */
export class PowerLossDisk implements Disposable {
  /**
   * A failed sync: "unfinished" leaves its writes to the next sync, as when the process is killed; "lost"
   * treats them as written, as Linux does after an error.
   */
  syncFault: "unfinished" | "lost" | undefined;
  /** Paths in the order of their syncs. */
  readonly synced: string[] = [];

  readonly #durable = new Map<string, Bytes>();
  readonly #unsynced = new Map<string, Write[]>();
  readonly #names = new Map<Deno.FsFile, string>();
  readonly #offsets = new Map<Deno.FsFile, number>();
  readonly #restore: () => void;

  /** The content of `files` is durable. */
  constructor(files: readonly string[]) {
    for (const name of files) this.#durable.set(name, Deno.readFileSync(name));
    const { open } = Deno;
    const { prototype } = Deno.FsFile;
    const { seekSync, writeSync, sync, syncData } = prototype;
    // deno-lint-ignore no-this-alias -- the methods below have the `this` of a file
    const disk = this;
    Deno.open = async (path, options) => {
      const file = await open(path, options);
      disk.#names.set(file, String(path));
      return file;
    };
    prototype.seekSync = function (offset, whence) {
      disk.#offsets.set(this, Number(offset));
      return seekSync.call(this, offset, whence);
    };
    prototype.writeSync = function (bytes) {
      const count = writeSync.call(this, bytes);
      disk.#noteWrite(this, bytes.slice(0, count));
      return count;
    };
    prototype.sync = function () {
      return disk.#sync(this, () => sync.call(this));
    };
    prototype.syncData = function () {
      return disk.#sync(this, () => syncData.call(this));
    };
    this.#restore = () => {
      Deno.open = open;
      Object.assign(prototype, { seekSync, writeSync, sync, syncData });
    };
  }

  /** Reverts each file to its durable content. */
  losePower(): void {
    for (const [name, bytes] of this.#durable) Deno.writeFileSync(name, bytes);
  }

  [Symbol.dispose](): void {
    this.#restore();
  }

  #noteWrite(file: Deno.FsFile, bytes: Bytes): void {
    const name = this.#names.get(file)!;
    const offset = this.#offsets.get(file) ?? 0;
    this.#unsynced.set(name, [...this.#unsynced.get(name) ?? [], { offset, bytes }]);
    this.#offsets.set(file, offset + bytes.length);
  }

  async #sync(file: Deno.FsFile, sync: () => Promise<void>): Promise<void> {
    const name = this.#names.get(file)!;
    if (this.syncFault === "lost") this.#unsynced.delete(name);
    if (this.syncFault !== undefined) throw new Error("Input/output error (os error 5)");
    await sync();
    this.synced.push(name);
    for (const { offset, bytes } of this.#unsynced.get(name) ?? []) {
      const before = this.#durable.get(name) ?? new Uint8Array();
      const after = new Uint8Array(Math.max(before.length, offset + bytes.length));
      after.set(before);
      after.set(bytes, offset);
      this.#durable.set(name, after);
    }
    this.#unsynced.delete(name);
  }
}
