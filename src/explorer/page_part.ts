/**
 * Parts of the page that are scripts of their own, loaded when they are needed.
 *
 * @module
 */

/** A part could not be loaded: the gateway is away, or has another version. */
export class PartNotLoaded extends Error {
  override readonly name = "PartNotLoaded";

  /** @param failure such as "Cannot hash the file" */
  constructor(failure: string, options?: ErrorOptions) {
    super(`${failure}: a part of this page was not loaded`, options);
  }
}

/** What the script at `url` exports. */
export async function importPart<Exports>(url: string): Promise<Exports> {
  // The server names a script after its content.
  // deno-lint-ignore layers/imports
  return await import(url);
}
