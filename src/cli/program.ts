/**
 * One run of the program: parse the command line, run its command, report failures.
 *
 * Exit codes: 0 done, 1 failed or invalid, 2 the command line is wrong.
 *
 * @module
 */

import { runParser } from "@optique/core/facade";
import { formatMessage, message } from "@optique/core/message";
import { loadBls } from "../crypto/best_bls.ts";
import { CountersignError } from "../errors.ts";
import { type CliProcess, CommandContext, usesColour } from "./command_context.ts";
import { commandTree, type Invocation } from "./command_tree.ts";
import { Output } from "./output.ts";
import { VERSION } from "../server/version.ts";

const NAME = "countersign";
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const MIN_COLUMNS = 60;

/** Runs `args` and returns the exit code. Throws unexpected errors. */
export async function runProgram(args: readonly string[], process: CliProcess): Promise<number> {
  const invocation = parseArguments(args, process);
  if (typeof invocation === "number") return invocation;
  const context = new CommandContext(process, invocation.global, await loadBls());
  try {
    return await invocation.run(context);
  } catch (error) {
    if (!(error instanceof CountersignError)) throw error;
    context.output.failure(error);
    return error.code === "usage" ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** Thrown by the parser's callbacks to end parsing with an exit code. */
class ParsingEnded {
  readonly exitCode: number;

  constructor(exitCode: number) {
    this.exitCode = exitCode;
  }
}

/** The invocation of `args`, or the exit code after printing help, a version or an error. */
function parseArguments(args: readonly string[], process: CliProcess): Invocation | number {
  const { io, columns = 0 } = process;
  const onShow = (): never => {
    throw new ParsingEnded(0);
  };
  try {
    return runParser(commandTree, NAME, args.length === 0 ? ["--help"] : args, {
      brief:
        message`Attest files with a threshold of witnesses, and verify without trusting anyone.`,
      help: { command: true, option: { names: ["-h", "--help"] }, onShow },
      version: { value: VERSION, option: true, onShow },
      completion: { command: true, onShow },
      usageLine: [{ type: "literal", value: "COMMAND" }, { type: "ellipsis" }],
      commandList: "top-level",
      termWidth: "auto",
      aboveError: "none",
      colors: usesColour(process),
      // In a narrower terminal, the terminal wraps the lines.
      ...(columns >= MIN_COLUMNS && { maxWidth: columns }),
      stdout: (text) => io.out(text),
      // reportUsage prints the error in the requested format.
      stderr: () => {},
      onError(_exitCode, error): never {
        reportUsage(args, process, formatMessage(error));
        throw new ParsingEnded(EXIT_USAGE);
      },
    });
  } catch (ended) {
    if (ended instanceof ParsingEnded) return ended.exitCode;
    throw ended;
  }
}

function reportUsage(args: readonly string[], { io }: CliProcess, text: string): void {
  const format = asksForJson(args) ? "json" : "text";
  const line = text.split("\n").filter((part) => part !== "").join(" ");
  const output = new Output(io, { format, colour: false });
  output.failure(new CountersignError("usage", line));
  if (format === "text") io.err(`See: ${NAME} --help`);
}

/** True if a line that does not parse requests JSON. */
function asksForJson(args: readonly string[]): boolean {
  return args.includes("--output=json") ||
    args.some((arg, i) => arg === "--output" && args[i + 1] === "json");
}
