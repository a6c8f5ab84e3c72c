/**
 * Where the reader of a private gateway enters an API key.
 *
 * @module
 */

import { useState } from "hono/jsx/dom";
import type { ApiKeyStore } from "../api_key.ts";
import { useStore } from "../hooks.ts";
import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";
import { TextField } from "./text_field.tsx";

const FAULTS = {
  wanted: "This gateway is private",
  refused: "The gateway does not accept this API key",
} as const;

/** Asks for a key once the gateway requires one. */
export function ApiKeyAlert({ apiKey }: { readonly apiKey: ApiKeyStore }) {
  const { fault, version } = useStore(apiKey);
  if (fault === undefined) return null;
  return (
    <Alert tone="warn" live title={FAULTS[fault]}>
      <p>
        {fault === "wanted"
          ? "Enter the API key that its operator gave you. It stays in this tab until you close it."
          : "It is unknown, revoked or expired. Enter another one, or ask the gateway's operator."}
      </p>
      <ApiKeyForm key={version} use={(key) => apiKey.use(key)} />
    </Alert>
  );
}

/** Forgets the key of this tab. */
export function ForgetApiKey({ apiKey }: { readonly apiKey: ApiKeyStore }) {
  if (useStore(apiKey).key === undefined) return null;
  return (
    <p>
      This tab uses an API key. <Button onClick={() => apiKey.use("")}>Forget it</Button>
    </p>
  );
}

function ApiKeyForm({ use }: { readonly use: (key: string) => void }) {
  const [text, setText] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") use(text.trim());
  };
  return (
    <form class="field" onSubmit={submit} noValidate>
      <TextField
        label="API key"
        text={text}
        hint="43 letters, digits, hyphens and underscores"
        fault={undefined}
        action="Use"
        secret
        onText={setText}
      />
    </form>
  );
}
