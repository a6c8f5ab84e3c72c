/**
 * An area to drop files on or to choose them with.
 *
 * @module
 */

import { type Child, useRef, useState } from "hono/jsx/dom";
import { Button } from "./button.tsx";
import { chosenFiles, droppedFiles, type NamedFile } from "./dropped_files.ts";
import { Icon, type IconName } from "./icon.tsx";
import { useEffect } from "../effect.ts";

/** Whether the browser lets the reader choose a folder. */
const CAN_CHOOSE_FOLDERS = "webkitdirectory" in HTMLInputElement.prototype;

interface DropZoneProps {
  /** The name of the file control. */
  readonly label: string;
  readonly icon?: IconName;
  readonly multiple?: boolean;
  /** Smaller. */
  readonly compact?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children?: Child;
}

/** A click anywhere opens the file dialog. The file control inside takes the focus. */
export function DropZone({ onFiles, multiple = false, ...props }: DropZoneProps) {
  const take = (files: readonly NamedFile[]) => {
    const taken = multiple ? files : files.slice(0, 1);
    if (taken.length > 0) onFiles(taken.map(({ file }) => file));
  };
  return <FileArea {...props} multiple={multiple} onTaken={take} onFailed={() => {}} />;
}

interface FolderZoneProps extends Pick<DropZoneProps, "label" | "children"> {
  readonly onFiles: (files: readonly NamedFile[]) => void;
  /** Something in a folder cannot be read. Called after `onFiles` got the rest. */
  readonly onFailed: (error: unknown) => void;
}

/** The same for files and folders, with a button that chooses a folder. */
export function FolderZone({ label, children, onFiles, onFailed }: FolderZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: readonly NamedFile[]) => {
    if (files.length > 0) onFiles(files);
  };
  useEffect(() => {
    if (input.current !== null) input.current.webkitdirectory = true;
  }, []);
  return (
    <div class="folder-zone">
      <FileArea label={label} multiple onTaken={take} onFailed={onFailed}>{children}</FileArea>
      {CAN_CHOOSE_FOLDERS && (
        <>
          <input ref={input} type="file" hidden onChange={() => take(takenFrom(input.current))} />
          <Button kind="quiet" icon="folder" onClick={() => input.current?.click()}>
            Choose a folder
          </Button>
        </>
      )}
    </div>
  );
}

interface FileAreaProps extends Omit<DropZoneProps, "onFiles"> {
  readonly onTaken: (files: readonly NamedFile[]) => void;
  readonly onFailed: (error: unknown) => void;
}

function FileArea(
  { label, icon = "upload", multiple, compact, onTaken, onFailed, children }: FileAreaProps,
) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(ignoreOtherDrops, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void droppedFiles(event.dataTransfer).then(({ files, errors: [error] }) => {
      onTaken(files);
      if (error !== undefined) onFailed(error);
    });
  };
  return (
    <label
      class={`drop-zone${isOver ? " drop-zone-over" : ""}${compact ? " drop-zone-compact" : ""}`}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple={multiple}
        onChange={() => onTaken(takenFrom(input.current))}
      />
      <Icon name={icon} />
      <span class="drop-zone-text">
        <span class="drop-zone-label">{label}</span>
        {children}
      </span>
    </label>
  );
}

/** Empties the control, so that the same file can be chosen again. */
function takenFrom(input: HTMLInputElement | null): readonly NamedFile[] {
  const files = chosenFiles(input?.files);
  if (input !== null) input.value = "";
  return files;
}

/** A browser would open a file that misses the area instead of the page. */
function ignoreOtherDrops(): () => void {
  const ignore = (event: Event) => event.preventDefault();
  addEventListener("dragover", ignore);
  addEventListener("drop", ignore);
  return () => {
    removeEventListener("dragover", ignore);
    removeEventListener("drop", ignore);
  };
}
