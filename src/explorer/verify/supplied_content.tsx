/**
 * The file that a proof is compared with, hashed in a worker.
 *
 * @module
 */

import { useRef, useState } from "hono/jsx/dom";
import { Button } from "../components/button.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { HashText } from "../components/hash_text.tsx";
import { Failure, Progress } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import type { Services } from "../services.ts";
import { bytesText } from "../text.ts";

export type SuppliedContent =
  | { readonly state: "none" }
  | {
    readonly state: "hashing";
    readonly name: string;
    readonly size: number;
    readonly done: number;
  }
  | { readonly state: "hashed"; readonly name: string; readonly hash: string }
  | { readonly state: "failed"; readonly name: string; readonly error: unknown };

/** The content, and a function that sets or, with `undefined`, removes it. */
export function useContent({ hashing }: Services) {
  const [content, setContent] = useState<SuppliedContent>({ state: "none" });
  const running = useRef<AbortController>(new AbortController());
  useEffect(() => () => running.current?.abort(), []);
  const choose = (file: File | undefined) => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    if (file === undefined) return setContent({ state: "none" });
    const { name, size } = file;
    setContent({ state: "hashing", name, size, done: 0 });
    hashing.hash(file, {
      onProgress: (done) => setContent({ state: "hashing", name, size, done }),
      signal: stop.signal,
    }).then(
      (hash) => setContent({ state: "hashed", name, hash }),
      (error) => {
        if (!stop.signal.aborted) setContent({ state: "failed", name, error });
      },
    );
  };
  return [content, choose] as const;
}

/** The control that chooses the file, and the chosen one. */
export function ContentZone({ content, choose }: {
  readonly content: SuppliedContent;
  readonly choose: (file: File | undefined) => void;
}) {
  return (
    <>
      <DropZone
        label={content.state === "none"
          ? "Compare with the file itself"
          : "Compare with another file"}
        icon="file"
        compact
        onFiles={([file]) => choose(file)}
      >
        <span class="muted small">Optional. The file stays on this device.</span>
      </DropZone>
      <ContentLine content={content} onRemove={() => choose(undefined)} />
    </>
  );
}

export function ContentLine({ content, onRemove }: {
  readonly content: SuppliedContent;
  readonly onRemove: () => void;
}) {
  if (content.state === "none") return null;
  const action = content.state === "hashing" ? "Cancel" : "Remove";
  return (
    <div class="supplied">
      <span class="row">
        <span>{content.name}</span>
        <Button kind="quiet" label={`${action} ${content.name}`} isRemoved onClick={onRemove}>
          {action}
        </Button>
      </span>
      {content.state === "hashing" && (
        <Progress
          label={`Hashing, ${bytesText(content.done)} of ${bytesText(content.size)}`}
          value={content.done}
          max={content.size}
        />
      )}
      {content.state === "hashed" && <HashText text={content.hash} what="hash of the file" />}
      {content.state === "failed" && <Failure error={content.error} />}
    </div>
  );
}
