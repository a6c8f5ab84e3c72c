/**
 * The browser's storage, which it may block, fill or clear at any time. Nothing here throws.
 *
 * @module
 */

const PREFIX = "countersign.";

/** Stores texts. Names are without the prefix. */
export interface PageStorage {
  /** The text of `name`; `undefined` if there is none or storage is blocked. */
  read(name: string): string | undefined;
  /** False if storage is blocked or full. */
  write(name: string, text: string): boolean;
  remove(name: string): void;
}

/** Shared by all tabs and visits. */
export const pageStorage = storageIn(() => localStorage);
/** Belongs to this tab, until it is closed. */
export const tabStorage = storageIn(() => sessionStorage);

/** Even naming a blocked storage throws. */
function storageIn(storage: () => Storage): PageStorage {
  return {
    read: (name) => attempt(() => storage().getItem(PREFIX + name) ?? undefined),
    write: (name, text) =>
      attempt(() => {
        storage().setItem(PREFIX + name, text);
        return true;
      }) ?? false,
    remove: (name) => attempt(() => storage().removeItem(PREFIX + name)),
  };
}

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
