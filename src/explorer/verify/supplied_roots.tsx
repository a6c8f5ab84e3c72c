/**
 * Root certificates of a time-stamp authority, from the reader's file. They are used while the page is
 * open, and not stored.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { Alert } from "../components/alert.tsx";
import { Button } from "../components/button.tsx";
import { DropZone } from "../components/drop_zone.tsx";
import { Failure } from "../components/states.tsx";
import { useServices } from "../services.ts";
import { plural } from "../text.ts";
import { type ChosenRoots, chosenRoots } from "./supplied_file.ts";

/** The control that chooses them, and the chosen ones. */
export function RootsZone({ roots, choose }: {
  readonly roots: ChosenRoots | undefined;
  readonly choose: (roots: ChosenRoots | undefined) => void;
}) {
  const { timestamps } = useServices();
  const [fault, setFault] = useState<string | undefined>(undefined);
  const [error, setError] = useState<unknown>(undefined);
  const take = async (file: File) => {
    setFault(undefined);
    setError(undefined);
    choose(undefined);
    try {
      const chosen = await chosenRoots(file, timestamps);
      if ("fault" in chosen) setFault(chosen.fault);
      else choose(chosen);
    } catch (error) {
      setError(error);
    }
  };
  return (
    <>
      <DropZone
        compact
        icon="key"
        label={roots === undefined
          ? "Check the authority against a root certificate"
          : "Choose another root certificate"}
        onFiles={([file]) => void take(file!)}
      >
        <span class="muted small">
          Optional. The root certificate of the time-stamp authority, in PEM or DER; not stored.
        </span>
      </DropZone>
      {fault !== undefined && (
        <Alert tone="bad" live title="This file has no usable root certificate">
          <p>{fault}.</p>
        </Alert>
      )}
      {error !== undefined && <Failure error={error} />}
      {roots !== undefined && (
        <div class="supplied">
          <span class="row">
            <span>{roots.name}, {plural(roots.certificates.length, "certificate")}</span>
            <Button
              kind="quiet"
              label={`Remove ${roots.name}`}
              isRemoved
              onClick={() => choose(undefined)}
            >
              Remove
            </Button>
          </span>
        </div>
      )}
    </>
  );
}
