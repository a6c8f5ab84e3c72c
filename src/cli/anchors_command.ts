/**
 * `anchors`: lists the external anchors of a hash, and saves them as files.
 *
 * @module
 */

import type { GatewayAnswer } from "../client/gateway_connection.ts";
import type { AnchorSummary } from "../client/gateway_answers.ts";
import { GatewayRefusal } from "../proof/format/gateway_refusal.ts";
import type { CommandContext } from "./command_context.ts";
import { defineCommand } from "./define_command.ts";
import { FOLDER, hashArgument, optional } from "./options.ts";
import { type Line, tableLines, timeText } from "./output.ts";
import { saveAnchors, type SavedAnchors } from "./saved_anchors.ts";

interface ListedAnchors extends GatewayAnswer<readonly AnchorSummary[]> {
  /** What the gateway answered instead of a list. Absent if it knows the hash. */
  readonly absence?: string;
}

/** A 404 is shown as an empty list (protocol.md "Command line"). */
export const anchors = defineCommand("anchors", {
  options: {
    hash: hashArgument,
    save: optional("--save", FOLDER, "Write files for the providers' own tools into this folder."),
  },
  async run({ hash, save }, context) {
    const listed = await anchorsOrNone(context, hash);
    const { text, value, absence } = listed;
    const { output } = context;
    if (save === undefined) {
      // The list of a gateway that refuses it is empty.
      output.document(text, value, (anchors) => listLines(anchors, absence));
      return 0;
    }
    const saved = await saveAnchors(context, { hash, text, folder: save });
    const bundle = context.commandLine(`bundle ${hash}`);
    output.result(
      { hash, anchors: value, ...(absence !== undefined && { absence }), ...saved, bundle },
      (shown) => [...listLines(shown.anchors, shown.absence), ...savedLines(shown)],
    );
    return 0;
  },
});

function listLines(anchors: ListedAnchors["value"], absence: string | undefined): Line[] {
  if (anchors.length === 0) {
    return [`No external anchors: ${absence ?? "the gateway knows the hash and has none"}.`];
  }
  const showsService = anchors.some(({ service }) => service !== undefined);
  const columns = (provider: string, service: string, status: string, time: string) =>
    showsService ? [provider, service, status, time] : [provider, status, time];
  return [
    ...tableLines(
      columns("provider", "service", "status", "time"),
      anchors.map(({ provider, service = "", status, timestamp }) =>
        columns(provider, service, status, timeText(timestamp))
      ),
    ),
    "Not verified: only the gateway says so. countersign verify-proof --anchors verifies them.",
  ];
}

function savedLines(
  { files, unknown, bundle }: SavedAnchors & { readonly bundle: string },
): Line[] {
  if (files.length === 0 && unknown.length === 0) return [];
  return [
    ...files.flatMap(({ path, command }) => [
      `saved: ${path}`,
      ...(command === undefined ? [] : [`  verify: ${command}`]),
    ]),
    ...unknown.map((provider) =>
      `not saved: an anchor of ${provider}, a provider that this version does not know`
    ),
    "Each proof covers the .checkpoint file. The bundle proves that the hash is in its tree: keep",
    `the bundle too (${bundle}).`,
  ];
}

async function anchorsOrNone(
  { gateway }: CommandContext,
  hash: string,
): Promise<ListedAnchors> {
  try {
    return await gateway.anchors(hash);
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || error.status !== 404) throw error;
    const answer = error.reason === undefined ? "404" : `404 ${error.reason}`;
    return { text: "[]", value: [], absence: `the gateway answered ${answer}` };
  }
}
