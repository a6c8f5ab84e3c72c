/**
 * Icons: line drawings of 16 by 16 in the colour of the text. They are decoration, hidden from screen
 * readers, and always next to a text.
 *
 * @module
 */

const PATHS = {
  anchor:
    "M8 5v9M5 8h6M2.5 9.5C3 12.5 5.5 14 8 14s5-1.5 5.5-4.5M8 5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z",
  chain: "M6.5 9.5l3-3M7 4.5l1-1a3 3 0 0 1 4.3 4.3l-1 1M9 11.5l-1 1a3 3 0 0 1-4.3-4.3l1-1",
  check: "M3 8.5l3.5 3.5L13 4.5",
  clock: "M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  cross: "M4 4l8 8M12 4l-8 8",
  download: "M8 2.5v8M4.5 7.5L8 11l3.5-3.5M2.5 13.5h11",
  file: "M9 1.5H4v13h8.5V5zM9 1.5V5h3.5",
  folder: "M1.5 3.5h4.5l1.5 2h7v8h-13z",
  info: "M8 7.5V11M8 5v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  key: "M7.5 8.5L13.5 2.5M11 5l2 2M8.5 10.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  minus: "M4 8h8",
  search: "M10.5 10.5L14 14M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z",
  seal: "M5 8l2 2 4-4M8 1.5l5.5 2v4c0 3.5-2.5 6-5.5 7-3-1-5.5-3.5-5.5-7v-4z",
  unknown:
    "M6 6a2 2 0 1 1 2.8 1.8C8.200 8.100 8 8.5 8 9.3M8 11.5v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0Z",
  upload: "M8 11V3M4.5 6.5L8 3l3.5 3.5M2.5 13.5h11",
  warning: "M8 6v3.5M8 11.5v.1M8 1.8L14.8 13.5H1.200z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
