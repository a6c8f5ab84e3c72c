/**
 * The proof to verify, from a file.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import type { TimestampLoader } from "../assets.ts";
import { Alert } from "../components/alert.tsx";
import { Failure } from "../components/states.tsx";
import { useEffect } from "../effect.ts";
import { useOutage } from "../hooks.ts";
import { PartNotLoaded } from "../page_part.ts";
import type { SuppliedContent } from "./supplied_content.tsx";
import {
  type Notice,
  type ReadFile,
  readSuppliedFile,
  sortFiles,
  type SuppliedFile,
  type SuppliedToken,
} from "./supplied_file.ts";

export type Proof =
  | { readonly state: "none" }
  | {
    readonly state: "failed";
    readonly name: string;
    readonly error: unknown;
    /** Present if a part of the page was not loaded. It is also called when the gateway is back. */
    readonly retry?: () => void;
  }
  | {
    readonly state: "read";
    readonly name: string;
    readonly text: string;
    readonly bundle: ProofBundle;
  }
  | { readonly state: "read_token"; readonly name: string } & SuppliedToken;

/**
 * The proof, a function that replaces it by files, and what else is among them. `onContent` gets the
 * file that the proof may be about, and `undefined` if there are several.
 */
export function useProof(
  timestamps: TimestampLoader,
  onContent: (file: File | undefined) => void,
) {
  const [proof, setProof] = useState<Proof>({ state: "none" });
  const [chains, setChains] = useState<readonly Chain[]>([]);
  const [notice, setNotice] = useState<Notice | undefined>(undefined);
  const supply = async (files: readonly File[]) => {
    const read: ReadFile<File>[] = [];
    for (const file of files) {
      try {
        read.push({ file, supplied: await readSuppliedFile(file, timestamps) });
      } catch (error) {
        const retry = error instanceof PartNotLoaded && { retry: () => void supply(files) };
        return setProof({ state: "failed", name: file.name, error, ...retry });
      }
    }
    const sorted = sortFiles(read);
    setNotice(sorted.notice);
    const found = sorted.chains.map(({ file: { name }, supplied }) =>
      ({ name, ...supplied }) as Chain
    );
    if (found.length > 0) setChains(found);
    if (sorted.isAmbiguous) {
      setProof({ state: "none" });
      onContent(undefined);
    }
    if (sorted.proof !== undefined) setProof(proofOf(sorted.proof));
    if (sorted.content !== undefined) onContent(sorted.content);
  };
  const isAway = useOutage() !== undefined;
  useEffect(() => {
    if (!isAway && proof.state === "failed") proof.retry?.();
  }, [isAway]);
  return { proof, supply, chains, notice };
}

function proofOf({ file: { name }, supplied }: ReadFile<File>): Proof {
  switch (supplied.kind) {
    case "bundle":
      return { state: "read", name, text: supplied.text, bundle: supplied.bundle };
    case "timestamp":
      return { ...supplied, state: "read_token", name };
    default:
      return { state: "failed", name, error: "error" in supplied && supplied.error };
  }
}

export type Chain = Extract<SuppliedFile, { kind: "chain" }> & { readonly name: string };

export function ProofLine({ proof, content, notice }: {
  readonly proof: Proof;
  readonly content: SuppliedContent;
  readonly notice: Notice | undefined;
}) {
  return (
    <>
      {notice !== undefined && (
        <Alert tone="warn" live title={notice.title}>
          <p>{notice.text}</p>
        </Alert>
      )}
      {proof.state === "none" && content.state !== "none" && (
        <Alert tone="info" live title={`Now choose the proof of ${content.name}`}>
          <p>
            A proof is a file such as NAME.countersign.json, saved on the Stamp page, or a
            time-stamp token such as NAME.tsr.
          </p>
        </Alert>
      )}
      {proof.state === "failed" && (
        <Failure
          error={proof.error}
          title={`Cannot verify ${proof.name}`}
          retry={proof.retry}
        />
      )}
      {(proof.state === "read" || proof.state === "read_token") && (
        <p class="supplied">{proof.name}</p>
      )}
    </>
  );
}
