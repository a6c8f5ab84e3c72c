/**
 * Where the focus goes when the control that had it is about to leave the page: without a place it
 * would fall back to the page's beginning, and a reader by ear or keys would be lost.
 *
 * @module
 */

/** `act` as the handler of a control that it takes off the page: the section's title is focused. */
export function leaving(act: () => void): (event: Event) => void {
  return ({ target }) => {
    if (target instanceof Element) {
      target.closest("section")?.querySelector<HTMLElement>("h2[tabindex]")?.focus();
    }
    act();
  };
}
