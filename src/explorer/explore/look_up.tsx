/**
 * Look-up: leads from a hash, a number or a file to its proof or batch.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import { DropZone } from "../components/drop_zone.tsx";
import { Failure } from "../components/states.tsx";
import { TextField } from "../components/text_field.tsx";
import { useEffect } from "../effect.ts";
import { hrefOf, type Route } from "../route.ts";
import { useServices } from "../services.ts";
import { countText } from "../text.ts";
import { ContentLine, useContent } from "../verify/supplied_content.tsx";
import { readSuppliedFile } from "../verify/supplied_file.ts";
import { type LookUp, readLookUp } from "./look_up_text.ts";

export function LookUpForm() {
  const [text, setText] = useState("");
  const [found, setFound] = useState<LookUp>({ routes: [] });
  const { copy } = useServices();
  const submit = (event: Event) => {
    event.preventDefault();
    const next = readLookUp(text, { hasBatches: copy === undefined });
    if ("routes" in next && next.routes.length === 1) return go(next.routes[0]!);
    setFound(next);
  };
  const input = (text: string) => {
    setText(text);
    setFound({ routes: [] });
  };
  return (
    <div class="look-up">
      <form class="field" onSubmit={submit} noValidate role="search" aria-label="Log">
        <TextField
          label="Look up"
          action="Look up"
          icon="search"
          text={text}
          hint={copy === undefined
            ? "A hash, a line of sha256sum, a batch, or a position in the log"
            : "A hash, a line of sha256sum, or a position in the log"}
          fault={"fault" in found ? found.fault : undefined}
          onText={input}
        />
        {"routes" in found && found.routes.length > 1 && (
          <p class="row" role="status">
            {found.routes.map((route) => (
              <a key={route.page} class="button" href={hrefOf(route)}>{nameOf(route)}</a>
            ))}
          </p>
        )}
      </form>
      <FileLookUp />
    </div>
  );
}

function nameOf(route: Route): string {
  if (route.page === "batch") return `Batch ${countText(route.id)}`;
  return route.page === "position" ? `Position ${countText(route.index)}` : route.page;
}

function go(route: Route): void {
  location.hash = hrefOf(route);
}

/** A saved proof leads to the proof of the same hash; any other file is hashed. */
function FileLookUp() {
  const services = useServices();
  const [chosen, setChosen] = useState<File | undefined>(undefined);
  const content = useContent(services, chosen);
  const [error, setError] = useState<unknown>(undefined);
  const hash = content.state === "hashed" ? content.hash : undefined;
  useEffect(() => {
    if (hash !== undefined) go({ page: "proof", hash });
  }, [hash]);
  const take = async (file: File) => {
    setError(undefined);
    try {
      const supplied = await readSuppliedFile(file, services.timestamps);
      const bundle = "bundle" in supplied ? supplied.bundle : undefined;
      if (bundle === undefined) return setChosen(file);
      const { hash } = bundle.signed_attestation.attestation;
      go({ page: "proof", hash });
    } catch (fault) {
      setError(fault);
    }
  };
  return (
    <div class="stack-small">
      <DropZone compact icon="file" label="Or choose a file" onFiles={([file]) => void take(file!)}>
        <span class="muted small">It is hashed here and stays on this device.</span>
      </DropZone>
      {error !== undefined && <Failure error={error} />}
      <ContentLine content={content} onRemove={() => setChosen(undefined)} />
    </div>
  );
}
