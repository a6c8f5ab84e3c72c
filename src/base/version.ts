/**
 * The version of the program.
 *
 * @module
 */

import manifest from "../../deno.json" with { type: "json" };

export const VERSION: string = manifest.version;
