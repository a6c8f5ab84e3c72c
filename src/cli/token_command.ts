/**
 * `token`: fetches tokens in advance, or lists the stored ones.
 *
 * @module
 */

import { unixSeconds } from "../base/clock.ts";
import { loadToken } from "../config/bearer_tokens.ts";
import { loadCompiledKernels } from "../proof/crypto/compiled_kernels.ts";
import { CountersignError } from "../base/errors.ts";
import type { OfferedIssuer } from "../proof/format/admission_offer.ts";
import { isNetworkId } from "../proof/format/names.ts";
import { findWork } from "../proof/format/work_proof.ts";
import { IssuerClient } from "../client/issuer_client.ts";
import { type CommandContext, typedUrl } from "./command_context.ts";
import { defineCommand, type ValuesOf } from "./define_command.ts";
import { count, defaulted, FILE, flag, optional, SERVICE_URL } from "./options.ts";
import { chooseKey, namedIssuer, TokenFetch } from "../client/token_fetch.ts";
import { supplyOwners } from "./token_supply_file.ts";
import { requireKnownNetwork } from "./trusted_network.ts";

/** Concurrent requests to an issuer. */
const CONCURRENCY = 4;

const options = {
  count: defaulted("--count", count("COUNT", 1, 1_000), 10, "How many to fetch (default: 10)."),
  issuer: optional(
    "--issuer",
    SERVICE_URL,
    "The issuer to use, instead of the first that the gateway names.",
  ),
  apiKeyFile: optional(
    "--api-key-file",
    FILE,
    "File with an API key of that issuer. Needs --issuer.",
  ),
  list: flag("--list", "Only show how many tokens are stored. Sends nothing."),
};
type TokenOptions = ValuesOf<typeof options>;

export const token = defineCommand("token", {
  description:
    "Fetches Privacy Pass tokens and stores them, readable by you only, until stamp spends them.",
  options,
  run: (values, context) => values.list ? list(context) : fetchTokens(values, context),
});

async function list(context: CommandContext): Promise<number> {
  const supplies = [];
  for (const owner of await supplyOwners(context.home)) {
    const available = await context.tokensOf(owner).count();
    supplies.push({ network_id: owner.networkId, gateway: owner.gateway, available });
  }
  context.output.result(
    supplies,
    (supplies) =>
      supplies.map(({ network_id, gateway, available }) =>
        `${available} for ${network_id} at ${gateway}`
      ),
  );
  return 0;
}

async function fetchTokens(options: TokenOptions, context: CommandContext): Promise<number> {
  const { gateway, process: { clock }, output } = context;
  const { value: { issuers } } = await gateway.admission();
  const apiKey = await apiKeyOf(options, context);
  const { url, offers } = issuerOf(options, issuers, gateway.url);
  const client = new IssuerClient({ url });
  await requireUsable(context, offers);
  const key = chooseKey(await client.directory(), offers, unixSeconds(clock));
  await context.trust.saveGateway(gateway.url.href, key.networkId);
  const supply = context.tokens(key.networkId);
  const kernels = await loadCompiledKernels();
  const fetching = new TokenFetch({
    client,
    key,
    clock,
    kernels,
    findWork: (subject, demand) => findWork(subject, demand, kernels),
    ...(apiKey !== undefined && { apiKey }),
    onWork: (bits) => output.note(`each token takes about ${2 ** bits} hashes of work`),
  });
  // The first request alone shows whether the issuer requires work.
  for (let left = options.count, atOnce = 1; left > 0; left -= atOnce, atOnce = CONCURRENCY) {
    const fetches = Array.from({ length: Math.min(left, atOnce) }, () => fetching.fetch());
    const settled = await Promise.allSettled(fetches);
    await supply.add(settled.flatMap((one) => one.status === "fulfilled" ? [one.value] : []));
    for (const one of settled) if (one.status === "rejected") throw one.reason;
  }
  const available = await supply.count();
  output.result(
    { network_id: key.networkId, issuer: key.issuerName, fetched: options.count, available },
    ({ network_id, issuer, fetched, available }) => [
      `Fetched ${fetched} of ${issuer}; ${available} for ${network_id}`,
    ],
  );
  return 0;
}

/**
 * Requires that this gateway may receive tokens of the network that it states. Tokens of a pinned
 * network are only for the gateways that it was pinned for. `pin_differs`, `gateway_refused`.
 */
async function requireUsable(
  context: CommandContext,
  offers: readonly OfferedIssuer[],
): Promise<void> {
  for (const { challenge: { originInfo: id } } of offers) {
    if (!isNetworkId(id)) {
      throw new CountersignError(
        "gateway_refused",
        "Cannot fetch tokens: the gateway's challenge does not contain a network id",
      );
    }
    if (await requireKnownNetwork(context, id)) continue;
    if (await context.trust.pin(id) === undefined) continue;
    throw new CountersignError(
      "pin_differs",
      `Cannot fetch tokens of ${id}: it is pinned, but not for ${context.gateway.url.href} ` +
        `(if this is a gateway of ${id}: ${context.commandLine("network --pin")})`,
    );
  }
}

/** The issuer to use, and its offers. An API key is sent only to an issuer that the user names. */
function issuerOf(
  { issuer, apiKeyFile }: TokenOptions,
  offers: readonly OfferedIssuer[],
  gatewayUrl: URL,
): { readonly url: URL; readonly offers: readonly OfferedIssuer[] } {
  if (issuer !== undefined) return { url: typedUrl(issuer, { insecure: false }), offers };
  const named = apiKeyFile === undefined ? namedIssuer(offers, gatewayUrl) : undefined;
  if (named !== undefined) return named;
  const reason = apiKeyFile === undefined
    ? "the gateway names no issuer of its own; if it takes tokens of another one, give --issuer URL"
    : "with --api-key-file, name the issuer with --issuer URL";
  throw new CountersignError("usage", `Cannot fetch tokens: ${reason}`);
}

async function apiKeyOf(
  { apiKeyFile }: TokenOptions,
  { io }: CommandContext,
): Promise<string | undefined> {
  if (apiKeyFile === undefined) return undefined;
  return await loadToken(
    { kind: "file", path: io.resolvePath(apiKeyFile) },
    { env: io.env },
  );
}
