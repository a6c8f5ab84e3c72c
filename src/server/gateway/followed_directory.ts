/**
 * The directory of a followed issuer: fetched over HTTP, and stored in the data folder with an
 * absolute request URI.
 *
 * @module
 */

import type { DirectorySource } from "../../gateway/tokens/issuer_follower.ts";
import {
  encodeIssuerDirectory,
  type IssuerDirectory,
  parseIssuerDirectory,
} from "../../proof/format/issuer_directory.ts";
import { urlOf } from "../../proof/format/service_url.ts";
import { IssuerClient } from "../../client/issuer_client.ts";
import { replaceFile, textIfExists } from "../replaced_file.ts";

const FILE_MODE = 0o600;

export class FollowedDirectory implements DirectorySource {
  readonly #url: URL;
  readonly #path: string;
  readonly #client: IssuerClient;

  /** `url` is the issuer's; `path` is the file of the stored directory. */
  constructor(
    { url, path, timeoutMs }: {
      readonly url: URL;
      readonly path: string;
      readonly timeoutMs?: number;
    },
  ) {
    this.#url = url;
    this.#path = path;
    this.#client = new IssuerClient({ url, ...(timeoutMs !== undefined && { timeoutMs }) });
  }

  ask(signal: AbortSignal): Promise<IssuerDirectory> {
    return this.#client.directory(signal);
  }

  /** `file_failed`, `issuer_refused`. */
  async kept(): Promise<IssuerDirectory | undefined> {
    const text = await textIfExists(this.#path);
    if (text === undefined) return undefined;
    const directory = parseIssuerDirectory(text);
    // Ignored if the operator has configured another URL since.
    const isOfIssuer = urlOf(directory.requestUri)?.origin === this.#url.origin;
    return isOfIssuer ? directory : undefined;
  }

  async keep(directory: IssuerDirectory): Promise<void> {
    await replaceFile(this.#path, `${encodeIssuerDirectory(directory)}\n`, FILE_MODE);
  }
}
