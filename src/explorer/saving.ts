/**
 * Hands the reader a text as a file. Nothing leaves the browser.
 *
 * @module
 */

/** Saves `text` as `name` wherever the browser saves files. */
export function saveText(name: string, text: string, mediaType = "application/json"): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun with the click: the browser holds the content from there on.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
