/**
 * The definition of a command: its options, its help, and the function that runs it.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { lineBreak, type Message, text } from "@optique/core/message";
import { map } from "@optique/core/modifiers";
import type { InferValue, Parser } from "@optique/core/parser";
import { command } from "@optique/core/primitives";
import type { CommandContext } from "./command_context.ts";
import { type CommandName, listedCommand } from "./command_list.ts";
import { plain } from "./options.ts";

type Options = Readonly<Record<string, Parser<"sync", unknown, unknown>>>;

/** The parsed values of options; those without a value may be absent. */
export type ValuesOf<O extends Options> =
  & { readonly [K in keyof O as undefined extends InferValue<O[K]> ? never : K]: InferValue<O[K]> }
  & {
    readonly [K in keyof O as undefined extends InferValue<O[K]> ? K : never]?: InferValue<O[K]>;
  };

/** Runs a parsed command and returns its exit code. */
export type Run = (context: CommandContext) => Promise<number>;

/** A parser of a command line; its value runs the command. */
export type CommandParser = Parser<"sync", Run, unknown>;

export interface CommandDefinition<O extends Options> {
  readonly description?: string;
  readonly options: O;
  readonly run: (options: ValuesOf<O>, context: CommandContext) => Promise<number>;
}

/** A parser of the command line of `name`. */
export function defineCommand<O extends Options>(
  name: CommandName,
  { options, run, description }: CommandDefinition<O>,
): CommandParser {
  return namedCommand(name, runnable(options, run), description);
}

/** `name`, a command whose parser is more than options. */
export function namedCommand(
  name: CommandName,
  parser: CommandParser,
  description?: string,
): CommandParser {
  const { brief, examples } = listedCommand(name);
  return command(name, parser, {
    brief: plain(brief),
    ...(description !== undefined && { description: plain(description) }),
    footer: examplesText(examples),
  });
}

function examplesText(examples: readonly string[]): Message {
  const lines = examples.flatMap((line) => [lineBreak(), text(`  countersign ${line}`)]);
  return [text(examples.length === 1 ? "Example:" : "Examples:"), ...lines];
}

/** A parser of the subcommand at `path`, such as "log sth". `brief` is its line in the list of subcommands. */
export function defineSubcommand<O extends Options>(
  path: `${CommandName} ${string}`,
  { brief, options, run, description }: CommandDefinition<O> & { readonly brief: string },
): CommandParser {
  const [parent, name] = path.split(" ") as [CommandName, string];
  const examples = listedCommand(parent).examples.filter((line) => line.startsWith(`${path} `));
  return command(name, runnable(options, run), {
    brief: plain(brief),
    ...(description !== undefined && { description: plain(description) }),
    footer: examplesText(examples),
  });
}

/** A parser of `options`; its value calls `run` with them. */
export function runnable<O extends Options>(
  options: O,
  run: CommandDefinition<O>["run"],
): CommandParser {
  // TypeScript does not infer the values of generic options.
  const parser = object(options) as unknown as Parser<"sync", ValuesOf<O>, unknown>;
  return map(parser, (values): Run => (context) => run(values, context));
}
