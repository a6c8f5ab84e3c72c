/**
 * A browser's storage in memory, which can be full.
 *
 * @module
 */

import type { PageStorage } from "../../src/explorer/browser_storage.ts";

export class MemoryStorage implements PageStorage {
  readonly texts = new Map<string, string>();
  isFull = false;

  read(name: string): string | undefined {
    return this.texts.get(name);
  }

  write(name: string, text: string): boolean {
    if (!this.isFull) this.texts.set(name, text);
    return !this.isFull;
  }

  remove(name: string): boolean {
    return this.texts.delete(name);
  }
}
