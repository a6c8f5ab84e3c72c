/**
 * What the command line says to `fsck`.
 *
 * @module
 */

/** As typed. */
export interface FsckOptions {
  /** The data folder of `serve`. */
  readonly data: string | undefined;
  /** The operator's `network.json`. */
  readonly config: string | undefined;
  /** A configuration in place of the operator's, or of a pinned one. */
  readonly networkConfig: string | undefined;
  /** The store is read where there is none. */
  readonly gateway: string | undefined;
  /** Trust the gateway for the configuration where none is given or pinned. */
  readonly online: boolean;
}
