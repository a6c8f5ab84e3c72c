/**
 * One run of the program: parse the command line, run its command, report failures.
 *
 * Exit codes: 0 done, 1 failed or invalid, 2 the command line is wrong, 141 the reader of the output went.
 *
 * @module
 */

import { runParser } from "@optique/core/facade";
import { formatMessage, message } from "@optique/core/message";
import { extractCommandNames } from "@optique/core/usage";
import { CountersignError } from "../base/errors.ts";
import { type CliProcess, usesColour } from "./cli_process.ts";
import { COMMAND_GROUPS, listedCommand } from "./command_list.ts";
import {
  commandIn,
  type CommandTree,
  commandTree,
  commandWords,
  type Invocation,
} from "./command_tree.ts";
import { EXIT_OUTPUT_CLOSED, OutputFailed } from "../server/io.ts";
import { Output, OutputClosed } from "./output.ts";
import { VERSION } from "../base/version.ts";

const NAME = "countersign";
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;
const MIN_COLUMNS = 60;

/** Runs `args` and returns the exit code. Throws unexpected errors. */
export async function runProgram(args: readonly string[], process: CliProcess): Promise<number> {
  try {
    return await runArguments(args, process);
  } catch (error) {
    if (error instanceof OutputClosed) return EXIT_OUTPUT_CLOSED;
    if (!(error instanceof OutputFailed)) throw error;
    process.io.err(`countersign: ${error.message}`);
    return EXIT_FAILED;
  }
}

async function runArguments(args: readonly string[], process: CliProcess): Promise<number> {
  const name = commandIn(args);
  const isForDeno = name !== undefined && listedCommand(name).needsDeno;
  // Help and completion only parse, on any runtime.
  const parses = ["help", "completion"].includes(args[0]!) || args.includes("--help") ||
    args.includes("-h");
  if (isForDeno && !parses && process.runInDeno) return await process.runInDeno(args);
  const tree = await commandTree(name);
  const invocation = parseArguments(args, process, tree);
  if (typeof invocation === "number") return invocation;
  const [{ CommandContext }, { loadBls }] = await Promise.all([
    import("./command_context.ts"),
    import("../proof/crypto/best_bls.ts"),
  ]);
  const context = new CommandContext(
    process,
    { ...invocation.global, action: name && listedCommand(name).action },
    await loadBls(),
  );
  try {
    const code = await invocation.run(context);
    return code === 0 && context.output.isCut ? EXIT_OUTPUT_CLOSED : code;
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
function parseArguments(
  args: readonly string[],
  process: CliProcess,
  tree: CommandTree,
): Invocation | number {
  const { io, columns = 0 } = process;
  const onShow = (): never => {
    throw new ParsingEnded(0);
  };
  // The values of an option are no place for another option.
  const hidden = args[0] === "completion" && !args.at(-1)!.startsWith("-");
  try {
    return runParser(tree, NAME, args.length === 0 ? ["--help"] : args, {
      brief:
        message`Prove that a file existed at a time: independent witnesses sign its hash, and anyone verifies offline.`,
      footer: message`Options and examples of a command: countersign COMMAND --help`,
      help: { command: { group: OTHERS }, option: { names: ["-h", "--help"], hidden }, onShow },
      version: { value: VERSION, option: { names: ["-V", "--version"], hidden }, onShow },
      completion: { command: { group: OTHERS }, onShow },
      usageLine: [{ type: "literal", value: "COMMAND" }, { type: "ellipsis" }],
      sectionOrder: (a, b) => sectionRank(a.title) - sectionRank(b.title),
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
        const text = plainUsageError(formatMessage(error), args, tree);
        reportUsage(args, process, { text, path: commandPath(args, tree) });
        throw new ParsingEnded(EXIT_USAGE);
      },
    });
  } catch (ended) {
    if (ended instanceof ParsingEnded) return ended.exitCode;
    throw ended;
  }
}

const OTHERS = "Other commands";
const TITLES = [...Object.values(COMMAND_GROUPS), OTHERS];

/** Groups of commands first; a command's own arguments and options have no title. */
function sectionRank(title = ""): number {
  const rank = TITLES.indexOf(title);
  return rank === -1 ? TITLES.length + (title === "" ? 0 : 1) : rank;
}

/** The command and subcommand that `args` name, as far as they exist. */
function commandPath(args: readonly string[], { usage }: CommandTree): string {
  const name = commandIn(args);
  if (name === undefined) return "";
  const second = commandWords(args)[1] ?? "";
  const names = extractCommandNames(usage);
  return second !== name && names.has(second) ? `${name} ${second} ` : `${name} `;
}

/** The parser's own words say neither that a command is unknown nor that a subcommand is missing. */
function plainUsageError(
  text: string,
  args: readonly string[],
  { usage }: CommandTree,
): string {
  const name = commandIn(args);
  if (name === undefined) {
    return text.replace(/^Unexpected option or argument: "(?!-)/, 'Unknown command: "');
  }
  if (!text.startsWith("No matching ")) return text;
  const names = [...extractCommandNames(usage)].filter((each) => each !== name);
  return names.length === 0 ? text : `Name a subcommand of ${name}: ${names.join(", ")}.`;
}

function reportUsage(
  args: readonly string[],
  { io }: CliProcess,
  { text, path }: { readonly text: string; readonly path: string },
): void {
  const format = asksForJson(args) ? "json" : "text";
  const line = text.split("\n").filter((part) => part !== "").join(" ");
  const output = new Output(io, { format, colour: false });
  output.failure(new CountersignError("usage", line));
  if (format === "text") io.err(`See: ${NAME} ${path}--help`);
}

/** True if a line that does not parse requests JSON. */
function asksForJson(args: readonly string[]): boolean {
  return args.includes("--output=json") ||
    args.some((arg, i) => arg === "--output" && args[i + 1] === "json");
}
