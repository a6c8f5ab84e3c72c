/**
 * Local storage, which the browser may block, fill or clear at any time. Nothing here throws.
 *
 * @module
 */

const PREFIX = "countersign.";

/** Stores texts between visits. Names are without the prefix. */
export interface PageStorage {
  /** The text of `name`; `undefined` if there is none or storage is blocked. */
  read(name: string): string | undefined;
  /** False if storage is blocked or full. */
  write(name: string, text: string): boolean;
  remove(name: string): void;
}

/** The browser's storage. */
export const pageStorage: PageStorage = {
  read: (name) => attempt(() => localStorage.getItem(PREFIX + name) ?? undefined),
  write: (name, text) =>
    attempt(() => {
      localStorage.setItem(PREFIX + name, text);
      return true;
    }) ?? false,
  remove: (name) => attempt(() => localStorage.removeItem(PREFIX + name)),
};

function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** Calls `changed` when another tab changes or clears the text of `name`. */
export function onStorageChange(name: string, changed: () => void): void {
  addEventListener("storage", ({ key }: StorageEvent) => {
    if (key === null || key === PREFIX + name) changed();
  });
}
