/**
 * Important messages.
 *
 * @module
 */

import type { Child } from "hono/jsx/dom";
import { type Tone, TONE_ICONS } from "./badge.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface AlertProps {
  readonly tone: Tone;
  readonly title: Child;
  readonly icon?: IconName;
  /** Screen readers announce it: at once if `bad`, at the next pause otherwise. */
  readonly live?: boolean;
  readonly children?: Child;
}

export function Alert({ tone, title, icon, live = false, children }: AlertProps) {
  const role = live ? (tone === "bad" ? "alert" : "status") : undefined;
  return (
    <div class={`alert tone-${tone}`} role={role}>
      <Icon name={icon ?? TONE_ICONS[tone]} />
      <div class="alert-body">
        <p class="alert-title">{title}</p>
        {children}
      </div>
    </div>
  );
}
