/**
 * States in a word. A shape goes with each colour, for those who do not tell the colours apart.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

/** What a state means for the reader. */
export type Tone = "good" | "bad" | "warn" | "info" | "neutral";

export const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  good: "check",
  bad: "cross",
  warn: "warning",
  info: "info",
  neutral: "minus",
};

interface BadgeProps {
  readonly tone: Tone;
  /** Another shape than that of the tone. */
  readonly icon?: IconName;
  readonly children?: Child;
}

/** A small label. */
export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span class={`badge tone-${tone}`}>
      <Icon name={icon ?? TONE_ICONS[tone]} />
      <span>{children}</span>
    </span>
  );
}
