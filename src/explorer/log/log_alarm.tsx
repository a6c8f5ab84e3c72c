/**
 * The alarm that stands on top of every page when the log is not to be relied on.
 *
 * @module
 */

import { Alert } from "../components/alert.tsx";
import { findingText } from "../finding_text.ts";
import type { LogWatch } from "../log_watch.ts";
import { hrefOf } from "../route.ts";
import { useWatch } from "./use_watch.ts";

/** Nothing while all is well. */
export function LogAlarm({ watch }: { readonly watch: LogWatch }) {
  const { check, evidence } = useWatch(watch);
  const text = check === undefined ? undefined : findingText(check);
  const isBad = text?.tone === "bad";
  if (!isBad && evidence === undefined) return null;
  const title = isBad ? text.title : "This log was seen with two histories";
  return (
    <Alert tone="bad" icon="warning" live title={title}>
      <p>
        <a href={hrefOf({ page: "log" })}>See what was found, and what to do</a>
      </p>
    </Alert>
  );
}
