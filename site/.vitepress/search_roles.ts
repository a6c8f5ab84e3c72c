/**
 * Roles of the theme's search: a dialog with a list of links. The theme calls the dialog a button and
 * the links parts of options, which screen readers cannot enter.
 *
 * @module
 */

/** The used part of a plugin of Vite. */
interface Transform {
  readonly name: string;
  readonly enforce: "pre";
  readonly transform: (code: string, id: string) => string | undefined;
}

const COMPONENT = "VPLocalSearchBox.vue";

const CHANGES: readonly (readonly [from: RegExp, to: string])[] = [
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog"',
  ],
  [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"\s+:aria-controls="[^"]*"/, ""],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ""],
  [/:aria-selected="[^"]*"\s+role="option"/, ""],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ""],
  [/<kbd (?=:aria-label)/g, '<kbd role="img" '],
  [/<span class="title-icon">/, '<span class="title-icon" aria-hidden="true">'],
];

/** Fails when another version of the theme has another text. */
export const searchRoles: Transform = {
  name: "search-roles",
  enforce: "pre",
  transform: (code, id) => {
    if (!id.endsWith(COMPONENT)) return undefined;
    return CHANGES.reduce((text, [from, to]) => {
      if (!from.test(text)) {
        throw new Error(`${COMPONENT} has no ${from}: adapt ${import.meta.url}`);
      }
      return text.replace(from, to);
    }, code);
  },
};
