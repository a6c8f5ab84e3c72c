/**
 * The four steps of a stamp in one line.
 *
 * @module
 */

import { hrefOf } from "../route.ts";
import { Icon, type IconName } from "../components/icon.tsx";
import { countText } from "../text.ts";
import type { Step, StepState } from "./stamp_steps.ts";

const MARKS: Readonly<Record<StepState, IconName | undefined>> = {
  done: "check",
  active: "clock",
  waiting: undefined,
  failed: "cross",
  skipped: undefined,
};

/** For screen readers. */
const STATE_NAMES: Readonly<Record<StepState, string>> = {
  done: "done",
  active: "in progress",
  waiting: "waiting",
  failed: "failed",
  skipped: "skipped",
};

export function StepsLine({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol class="steps">
      {steps.map(({ name, state, text, batchId }) => {
        const mark = MARKS[state];
        return (
          <li key={name} class={`step step-${state}`}>
            <span class="step-mark" aria-hidden="true">
              {mark !== undefined && <Icon name={mark} />}
            </span>
            <span class="step-text">
              <span class="step-name">
                {name}
                <span class="visually-hidden">, {STATE_NAMES[state]}</span>
              </span>
              <span class="step-detail">{text}</span>
              {batchId === undefined
                ? null
                : (
                  <a class="step-detail" href={hrefOf({ page: "batch", id: batchId })}>
                    Batch {countText(batchId)}
                  </a>
                )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
