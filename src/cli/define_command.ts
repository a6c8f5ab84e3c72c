/**
 * The definition of a command: its options, its help, and the function that runs it.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { map } from "@optique/core/modifiers";
import type { InferValue, Parser } from "@optique/core/parser";
import { command } from "@optique/core/primitives";
import type { CommandContext } from "./command_context.ts";
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

export interface CommandDefinition<O extends Options> {
  /** One line for the list of commands. */
  readonly brief: string;
  readonly description?: string;
  readonly options: O;
  readonly run: (options: ValuesOf<O>, context: CommandContext) => Promise<number>;
}

/** A parser of the command line of `name`; its value runs the command. */
export function defineCommand<O extends Options>(
  name: string,
  { brief, description, options, run }: CommandDefinition<O>,
) {
  return command(name, runnable(options, run), {
    brief: plain(brief),
    ...(description !== undefined && { description: plain(description) }),
  });
}

/** A parser of `options`; its value calls `run` with them. */
export function runnable<O extends Options>(options: O, run: CommandDefinition<O>["run"]) {
  // TypeScript does not infer the values of generic options.
  const parser = object(options) as unknown as Parser<"sync", ValuesOf<O>, unknown>;
  return map(parser, (values): Run => (context) => run(values, context));
}
