/**
 * Local storage that may be blocked, full or emptied at any time: what could not be kept is said,
 * and nothing here throws.
 *
 * @module
 */

const PREFIX = "countersign.";

/** Where the page keeps texts between visits. Names are without the prefix. */
export interface PageStorage {
  /** The text kept under `name`; `undefined` when there is none, or none can be read. */
  read(name: string): string | undefined;
  /** False when it could not be kept: storage is blocked, or full. */
  write(name: string, text: string): boolean;
  remove(name: string): boolean;
}

/** The browser's own. */
export const pageStorage: PageStorage = {
  read(name) {
    try {
      return localStorage.getItem(PREFIX + name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(name, text) {
    try {
      localStorage.setItem(PREFIX + name, text);
      return true;
    } catch {
      return false;
    }
  },
  remove(name) {
    try {
      localStorage.removeItem(PREFIX + name);
      return true;
    } catch {
      return false;
    }
  },
};

/** Calls `changed` when another tab changes the text under `name`; the result ends that. */
export function onStorageChange(name: string, changed: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    // All of the storage was cleared when there is no key.
    if (key === null || key === PREFIX + name) changed();
  };
  addEventListener("storage", listener);
  return () => removeEventListener("storage", listener);
}
