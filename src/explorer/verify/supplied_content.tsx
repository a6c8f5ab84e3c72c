/**
 * The file that a proof is compared with, hashed in a worker.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Button } from "../components/button.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import type { HashName } from "../../proof/timestamp/algorithms.ts";
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
  /** `hash` is in lowercase hex. */
  | { readonly state: "hashed"; readonly name: string; readonly hash: string }
  | { readonly state: "failed"; readonly name: string; readonly error: unknown };

/** The last content, and the file and the hash function that it is from. */
interface HashedContent {
  readonly file?: File;
  readonly hash?: HashName;
  readonly content: SuppliedContent;
}

/** `file`, hashed by `hash`. */
export function useContent(
  { hashing }: Services,
  file: File | undefined,
  hash: HashName = "SHA-256",
): SuppliedContent {
  const [kept, setKept] = useState<HashedContent>({ content: { state: "none" } });
  useEffect(() => {
    if (file === undefined) return;
    const stop = new AbortController();
    const put = (content: SuppliedContent) => {
      if (!stop.signal.aborted) setKept({ file, hash, content });
    };
    const { name, size } = file;
    hashing.hash(file, {
      hash,
      onProgress: (done) => put({ state: "hashing", name, size, done }),
      signal: stop.signal,
    }).then(
      (digest) => put({ state: "hashed", name, hash: digest }),
      (error) => put({ state: "failed", name, error }),
    );
    return () => stop.abort();
  }, [file, hash]);
  if (file === undefined) return { state: "none" };
  return kept.file === file && kept.hash === hash
    ? kept.content
    : { state: "hashing", name: file.name, size: file.size, done: 0 };
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
