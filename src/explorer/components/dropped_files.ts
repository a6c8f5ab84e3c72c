/**
 * Files of a drop or of a file control, also those in folders.
 *
 * @module
 */

/** A file, and its name with the folders that it was chosen with. */
export interface NamedFile {
  readonly name: string;
  readonly file: File;
}

/** The readable files of a drop, and the errors of all others. */
export interface DroppedFiles {
  readonly files: NamedFile[];
  readonly errors: unknown[];
}

/** The files of a file control. */
export function chosenFiles(list: FileList | null | undefined): readonly NamedFile[] {
  return Array.from(list ?? [], (file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** The files of a drop. Call while its event is handled: the browser empties `transfer` then. */
export async function droppedFiles(transfer: DataTransfer | null): Promise<DroppedFiles> {
  const items = Array.from(transfer?.items ?? []).filter(({ kind }) => kind === "file");
  const dropped = items.map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found: DroppedFiles = { files: [], errors: [] };
  for (const { entry, file } of dropped) {
    if (entry?.isDirectory) await readFolder(entry as FileSystemDirectoryEntry, found);
    else if (file !== null) found.files.push({ name: file.name, file });
  }
  return found;
}

async function readFolder(
  folder: FileSystemDirectoryEntry,
  found: DroppedFiles,
): Promise<void> {
  const reader = folder.createReader();
  for (;;) {
    // Each call gives some more entries, and none at the end.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    ).catch((error) => {
      found.errors.push(error);
      return [];
    });
    if (entries.length === 0) return;
    const files = entries.filter((entry) => entry.isFile) as FileSystemFileEntry[];
    for (const outcome of await Promise.allSettled(files.map(namedFile))) {
      if (outcome.status === "fulfilled") found.files.push(outcome.value);
      else found.errors.push(outcome.reason);
    }
    for (const entry of entries) {
      if (entry.isDirectory) await readFolder(entry as FileSystemDirectoryEntry, found);
    }
  }
}

async function namedFile(entry: FileSystemFileEntry): Promise<NamedFile> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  return { name: entry.fullPath.replace(/^\//, ""), file };
}
