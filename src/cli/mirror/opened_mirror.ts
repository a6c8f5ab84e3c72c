/**
 * The mirror that a command reads in place of a gateway: a folder, or a URL.
 *
 * @module
 */

import { compareWithRemembered } from "../../client/head_comparison.ts";
import {
  GatewayConnection,
  type GatewayConnectionOptions,
  type GatewayRequest,
} from "../../client/gateway_connection.ts";
import type { Bytes } from "../../base/bytes.ts";
import { CountersignError, hasCode } from "../../base/errors.ts";
import { parseLogCheckpoint } from "../../proof/format/log_checkpoint.ts";
import { parseNote } from "../../proof/format/note.ts";
import type { SignedTreeHead } from "../../proof/format/tree_head.ts";
import { openSignedMirror, type SignedMirror } from "../../logs/publishing/mirror.ts";
import { type LogSource, sourceOf } from "../../logs/publishing/ports.ts";
import { RemoteLog } from "../../logs/publishing/remote_log.ts";
import { DirectoryCopy } from "../../storage/published/directory_copy.ts";
import type { Distrust, FollowedNetwork } from "../../proof/verify/followed_network.ts";
import { type CommandContext, typedUrl } from "../command_context.ts";
import { optional, PLACE } from "../options.ts";
import { type LogOption, LogUnreachable } from "../output.ts";
import { followedFurther, type TrustedNetwork, trustedNetwork } from "../trusted_network.ts";

/** A mirror of a trusted network. */
export interface OpenedMirror extends SignedMirror {
  readonly name: string;
  /** The configuration under which its checkpoint was verified, followed to its epoch, without distrust. */
  readonly trusted: TrustedNetwork;
}

export const mirrorOption = optional(
  "--mirror",
  PLACE,
  "Folder or URL of a copy of the log, used in place of the gateway.",
);

/** True if reading `place` needs the network. */
export function isRemote(place: string): boolean {
  return /^https?:/i.test(place);
}

/** The log at `place`, a folder or URL. */
export function mirrorSource({ process, io }: CommandContext, place: string): LogSource {
  if (!isRemote(place)) return sourceOf(DirectoryCopy.reading(io.resolvePath(place)));
  return remoteLog(process, place, "--mirror");
}

/**
 * The log at `url`, the value of `option`. `http:` is allowed: requests contain no secrets, and answers are
 * verified.
 */
export function remoteLog(
  { clock }: CommandContext["process"],
  url: string,
  option: LogOption,
): RemoteLog {
  return new RemoteLog(
    new NamedConnection({ url: typedUrl(url, { insecure: true }), clock }, option),
  );
}

/** A connection to the value of an option, which its errors name. */
class NamedConnection extends GatewayConnection {
  readonly #option: LogOption;

  constructor(options: GatewayConnectionOptions, option: LogOption) {
    super(options);
    this.#option = option;
  }

  override async bytes(request: GatewayRequest, signal?: AbortSignal): Promise<Bytes> {
    try {
      return await super.bytes(request, signal);
    } catch (error) {
      if (hasCode(error, "gateway_unreachable")) throw new LogUnreachable(this.#option, error);
      throw error;
    }
  }
}

/** The origin in the checkpoint of `source`, not verified; `undefined` if there is no checkpoint. */
export async function originOf(source: LogSource): Promise<string | undefined> {
  const checkpoint = await source.checkpoint();
  return checkpoint && parseLogCheckpoint(parseNote(checkpoint).text).origin;
}

/** The mirror at `place` under the given or pinned configuration; `undefined` if no place is named. */
export async function trustedMirror(
  context: CommandContext,
  { mirror: place, networkConfig }: {
    readonly mirror?: string | undefined;
    readonly networkConfig?: string | undefined;
  },
): Promise<OpenedMirror | undefined> {
  if (place === undefined) return undefined;
  const origin = networkConfig === undefined
    ? await originOf(mirrorSource(context, place))
    : undefined;
  const trusted = await trustedNetwork(context, { networkConfig, online: false }, origin);
  return await openMirror(context, place, trusted);
}

/**
 * Opens the mirror at `place`, and verifies its checkpoint under `trusted`, followed by the mirror's chain.
 * A pin keeps that chain. `proof_refused` if the chain proves that the network has two successions.
 */
export async function openMirror(
  context: CommandContext,
  place: string,
  trusted: TrustedNetwork,
  distrust: readonly Distrust[] = [],
): Promise<OpenedMirror> {
  const source = mirrorSource(context, place);
  const known = await followedFurther(context, trusted, source) ?? trusted;
  const network = withDistrust(known.network, distrust);
  const opened = await openSignedMirror(context.crypto, network, source);
  // The mirror may have grown by an epoch meanwhile.
  const { links = [] } = opened.network;
  const grown = { succession: () => Promise.resolve({ value: links }) };
  return {
    ...opened,
    name: source.name,
    trusted: await followedFurther(context, known, grown) ?? known,
  };
}

/** `network`, in which the signatures of the named witnesses do not count. */
export function withDistrust(
  network: FollowedNetwork,
  distrust: readonly Distrust[],
): FollowedNetwork {
  return distrust.length === 0 ? network : { ...network, distrust };
}

/**
 * Requires that the mirror's tree extends `known`, a verified head. Returns false if the mirror is
 * smaller, so that this cannot be checked. `proof_refused` if it does not.
 */
export async function extendsHead(
  { crypto }: CommandContext,
  { name, mirror, sth, network }: OpenedMirror,
  known: SignedTreeHead,
): Promise<boolean> {
  if (known.tree_head.tree_size > mirror.size) return false;
  const verifier = { crypto, network };
  const { finding } = await compareWithRemembered(
    verifier,
    { known, seen: sth },
    () => mirror.consistency(known, sth),
  );
  if (finding === "same" || finding === "extends") return true;
  throw new CountersignError(
    "proof_refused",
    `Cannot trust the log of ${network.id}: the tree of mirror ${name}, size ${mirror.size}, does not ` +
      `extend the verified head of size ${known.tree_head.tree_size}`,
  );
}
