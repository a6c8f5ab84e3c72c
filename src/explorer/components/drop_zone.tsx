/**
 * An area to drop files on or to choose them with.
 *
 * @module
 */

import { type Child, useEffect, useRef, useState } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

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
export function DropZone(props: DropZoneProps) {
  const { label, icon = "upload", multiple = false, compact = false, onFiles, children } = props;
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(ignoreOtherDrops, []);

  const take = (list: FileList | null | undefined) => {
    const files = Array.from(list ?? []);
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  const choose = () => {
    take(input.current?.files);
    // Allows choosing the same file again.
    if (input.current !== null) input.current.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(event.dataTransfer?.files);
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
        onChange={choose}
      />
      <Icon name={icon} />
      <span class="drop-zone-text">
        <span class="drop-zone-label">{label}</span>
        {children}
      </span>
    </label>
  );
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
