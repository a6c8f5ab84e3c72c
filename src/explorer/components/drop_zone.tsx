/**
 * Where files are dropped or picked.
 *
 * @module
 */

import { type Child, useEffect, useRef, useState } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

interface DropZoneProps {
  /** The name of the control that picks. */
  readonly label: string;
  readonly icon?: IconName;
  readonly multiple?: boolean;
  /** Smaller, for one among several. */
  readonly compact?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children?: Child;
}

/** The whole zone picks by a click; the keys reach the file control in it. */
export function DropZone(props: DropZoneProps) {
  const { label, icon = "upload", multiple = false, compact = false, onFiles, children } = props;
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(keepDropsFromLeaving, []);

  const take = (list: FileList | null | undefined) => {
    const files = Array.from(list ?? []);
    if (files.length > 0) onFiles(multiple ? files : files.slice(0, 1));
  };
  const picked = () => {
    take(input.current?.files);
    // The same file can be picked again.
    if (input.current !== null) input.current.value = "";
  };
  const dropped = (event: DragEvent) => {
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
      onDrop={dropped}
    >
      <input
        ref={input}
        class="visually-hidden"
        type="file"
        multiple={multiple}
        onChange={picked}
      />
      <Icon name={icon} />
      <span class="drop-zone-text">
        <span class="drop-zone-label">{label}</span>
        {children}
      </span>
    </label>
  );
}

/** A file that misses the zone would otherwise take the place of the page. */
function keepDropsFromLeaving(): () => void {
  const ignore = (event: Event) => event.preventDefault();
  addEventListener("dragover", ignore);
  addEventListener("drop", ignore);
  return () => {
    removeEventListener("dragover", ignore);
    removeEventListener("drop", ignore);
  };
}
