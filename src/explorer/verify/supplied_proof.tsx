/**
 * The proof to verify, from a file.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { ProofBundle } from "../../proof/format/bundle.ts";
import { Alert } from "../components/alert.tsx";
import { Failure } from "../components/states.tsx";
import { readSuppliedFile, type SuppliedFile, wrongFileText } from "./supplied_file.ts";

export type Proof =
  | { readonly state: "none" }
  | { readonly state: "failed"; readonly name: string; readonly error: unknown }
  | {
    readonly state: "wrong_file";
    readonly name: string;
    readonly kind: "configuration" | "other";
  }
  | {
    readonly state: "read";
    readonly name: string;
    readonly text: string;
    readonly bundle: ProofBundle;
  };

/**
 * The proof, a function that replaces it by files, and the chain of successions among them.
 * `onContent` gets a file that was dropped together with its proof.
 */
export function useProof(onContent: (file: File) => void) {
  const [proof, setProof] = useState<Proof>({ state: "none" });
  const [chain, setChain] = useState<Chain | undefined>(undefined);
  const take = async (file: File, isAlone: boolean) => {
    const { name } = file;
    const supplied = await readSuppliedFile(file);
    if (supplied.kind === "chain") setChain({ name, ...supplied });
    else if (supplied.kind === "bundle") {
      setProof({ state: "read", name, text: supplied.text, bundle: supplied.bundle });
    } else if (supplied.kind === "damaged_bundle") {
      setProof({ state: "failed", name, error: supplied.error });
    } else if (supplied.kind === "other" && !isAlone) onContent(file);
    else setProof({ state: "wrong_file", name, kind: supplied.kind });
  };
  const supply = (files: readonly File[]) => {
    for (const file of files) {
      take(file, files.length === 1)
        .catch((error) => setProof({ state: "failed", name: file.name, error }));
    }
  };
  return [proof, supply, chain] as const;
}

export type Chain = Extract<SuppliedFile, { kind: "chain" }> & { readonly name: string };

export function ProofLine({ proof }: { readonly proof: Proof }) {
  switch (proof.state) {
    case "none":
      return null;
    case "failed":
      return <Failure error={proof.error} title={`Cannot verify ${proof.name}`} />;
    case "wrong_file":
      return (
        <Alert tone="bad" icon="warning" live title={`${proof.name} is not a proof`}>
          <p>{wrongFileText(proof.kind)}</p>
        </Alert>
      );
    case "read":
      return <p class="supplied">{proof.name}</p>;
  }
}
