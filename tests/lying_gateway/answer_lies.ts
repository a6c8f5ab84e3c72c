/**
 * Invalid answers: refusals, redirects, other media types, endless bodies.
 *
 * @module
 */

import { utf8 } from "../../src/base/bytes.ts";
import { COMMAND_NAMES } from "./client_commands.ts";
import { refusal, refusing } from "./changes.ts";
import type { Lie } from "./lie.ts";
import { CHECK_NAMES } from "./offline_checks.ts";
import { each, unreadable } from "./expected_reports.ts";
import { type Change, isJson, ROUTES } from "./lying_server.ts";

const JSON_ROUTES = ROUTES.filter(isJson);

/** One that tells every command the same. */
function answering(
  name: string,
  answer: Change["answer"],
  says: Lie["says"],
  to: Lie["to"] = ASKERS,
): Lie {
  return { name, changes: [{ routes: JSON_ROUTES, answer }], says, to };
}

/** The honest answer with another body. */
function withBody(change: (text: string) => string | Uint8Array<ArrayBuffer>): Change["answer"] {
  return async ({ honest }) => {
    const response = await honest();
    const body = change(await response.text());
    return new Response(body, { headers: { "Content-Type": "application/json" } });
  };
}

function json(body: BodyInit, headers: Record<string, string> = {}): Response {
  return new Response(body, { headers: { "Content-Type": "application/json", ...headers } });
}

/** A body that is made as it is read. */
function streamed(pull: (controller: ReadableStreamDefaultController) => void | Promise<void>) {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({ pull });
}

const MEGABYTE = 1 << 20;

async function bomb(): Promise<Uint8Array<ArrayBuffer>> {
  const spaces = new Uint8Array(MEGABYTE).fill(0x20);
  let left = 40;
  const body = streamed((controller) => {
    if (left-- > 0) controller.enqueue(spaces);
    else controller.close();
  });
  const packed = body.pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).bytes();
}

const BOMB = await bomb();

const TOO_LONG = "1 gateway_refused: the answer of HOST exceeds 33554432 bytes";

/** For each route, the command that requests it first. */
const ASKERS = [
  "stamp",
  "stamp several",
  "status",
  "bundle",
  "proof",
  "anchors",
  "config",
  "network",
  "pin at first",
  "verify-proof",
  "sth verify",
  "sth of a size",
  "consistency verify",
  "log proof of a size",
] as const;

function notJson(found: string): Lie["says"] {
  return each(`1 gateway_refused: the answer is ${found}, not application/json`, ...ASKERS);
}

const NO_INTEGER = "expected an integer from 0 to 2^53 - 1";

/** Told to a few alone, since each costs a time-out or many bytes. */
const FEW = ["status", "sth verify"] as const;

export const answerLies: readonly Lie[] = [
  {
    name: "everything withheld",
    changes: refusing(JSON_ROUTES, 404, "hash_unknown"),
    also: ["anchors save", "verify-proof anchors"],
    says: {
      ...each("1 gateway_refused 404 hash_unknown", ...COMMAND_NAMES),
      // An empty list, which does not show that the hash is known (protocol.md "Command line").
      ...each("0 shown", "anchors", "anchors save"),
      ...each("nothing: 404", ...CHECK_NAMES.filter((name) => name !== "check of the checkpoint")),
    },
  },
  answering(
    "a refusal with another fault's code",
    refusal(500, "hash_unknown"),
    each("1 gateway_refused 500 hash_unknown", ...ASKERS),
  ),
  answering(
    "a refusal with a code that there is not",
    refusal(400, "\u001b[2Jyour_fault"),
    each("1 gateway_refused 400 without a code", ...ASKERS),
  ),
  answering(
    "busy for ever",
    refusal(503, "overloaded"),
    each("1 gateway_refused 503 overloaded", ...ASKERS),
  ),
  answering(
    "a redirect elsewhere",
    ({ elsewhere }) => Response.redirect(elsewhere, 307),
    each("1 gateway_refused 307 not followed", ...ASKERS),
  ),
  answering(
    "a redirect to itself",
    ({ url }) => Response.redirect(url, 302),
    each("1 gateway_refused 302 not followed", ...ASKERS),
  ),
  answering(
    "not modified",
    () => new Response(null, { status: 304 }),
    each("1 gateway_refused 304 without a code", ...ASKERS),
  ),
  answering("no content", () => new Response(null, { status: 204 }), notJson("of no media type")),
  answering(
    "an empty answer",
    () => json(""),
    unreadable("not a JSON value", ASKERS),
  ),
  answering(
    "a page",
    () => new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } }),
    notJson("text/html"),
  ),
  answering("the truth as a page", async ({ honest }) => {
    const response = await honest();
    return new Response(response.body, { headers: { "Content-Type": "text/html" } });
  }, notJson("text/html")),
  answering(
    "a problem that is said to be a result",
    () =>
      Response.json({ code: "hash_unknown", status: 404, title: "x", detail: "No" }, {
        headers: { "Content-Type": "application/problem+json" },
      }),
    notJson("application/problem+json"),
  ),
  answering(
    "an answer that stops",
    withBody(() => '{"hash'),
    unreadable("invalid or unterminated string", ASKERS),
  ),
  answering(
    "two answers in one",
    withBody((text) => text + text),
    unreadable("text after the value", ASKERS),
  ),
  answering(
    "a member twice",
    withBody((text) => text.replace("{", '{"hash":"","hash":"",')),
    unreadable('duplicate member "hash"', ASKERS),
  ),
  answering(
    "numbers that are none",
    withBody((text) => text.replaceAll(/:\d+/g, ":1e400")),
    {
      "status": `1 malformed_bundle: ${NO_INTEGER}`,
      "bundle": `1 malformed_bundle: ${NO_INTEGER}`,
      "sth verify": `1 malformed_bundle: ${NO_INTEGER}`,
      "network": `1 malformed_configuration: ${NO_INTEGER}`,
      "anchors": `1 gateway_refused: ${NO_INTEGER}`,
    },
    ["status", "bundle", "sth verify", "network", "anchors"],
  ),
  answering(
    "bytes that are no text",
    withBody((text) => {
      const bytes = utf8(text);
      bytes[bytes.length >> 1] = 0xff;
      return bytes;
    }),
    each("1 gateway_refused: bytes are not UTF-8", ...ASKERS),
  ),
  answering(
    "a list without end of lists",
    withBody(() => "[".repeat(100_000)),
    unreadable("more than 32 levels", ASKERS),
  ),
  answering("null", withBody(() => "null"), {
    ...unreadable("expected an object", ASKERS),
    "stamp several": "1 malformed_bundle: expected a list",
    "anchors": "1 gateway_refused: expected a list",
  }),
  answering(
    "an answer without end",
    () => json(streamed((controller) => controller.enqueue(new Uint8Array(MEGABYTE).fill(0x20)))),
    each(TOO_LONG, ...FEW),
    FEW,
  ),
  answering(
    "a small answer that unpacks without end",
    () => json(BOMB, { "Content-Encoding": "gzip" }),
    each(TOO_LONG, ...FEW),
    FEW,
  ),
  answering("an answer that breaks off", () => {
    let isFirst = true;
    const body = streamed((controller) => {
      if (isFirst) controller.enqueue(utf8("{"));
      else controller.close();
      isFirst = false;
    });
    return json(body, { "Content-Length": "1000" });
  }, each("1 gateway_unreachable: HOST broke off its answer", ...ASKERS)),
  {
    ...answering(
      "an answer that drips",
      () =>
        json(streamed(async (controller) => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          controller.enqueue(utf8(" "));
        })),
      each(
        "1 gateway_unreachable: no answer from HOST within 15 s",
        ...FEW,
      ),
      FEW,
    ),
    isSlow: true,
  },
];
