/**
 * Labels for states. Each colour has its own icon, for readers who cannot distinguish the colours.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { Icon, type IconName } from "./icon.tsx";

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
  /** Replaces the icon of the tone. */
  readonly icon?: IconName;
  readonly children?: Child;
}

export function Badge({ tone, icon, children }: BadgeProps) {
  return (
    <span class={`badge tone-${tone}`}>
      <Icon name={icon ?? TONE_ICONS[tone]} />
      <span>{children}</span>
    </span>
  );
}
