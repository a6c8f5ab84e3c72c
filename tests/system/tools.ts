/**
 * Other people's programs, run for the tests that need them. One that is missing fails its test.
 *
 * @module
 */

/** What a program wrote, and how it ended. */
export interface ToolResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `program` to its end. */
export async function runTool(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): Promise<ToolResult> {
  const { code, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd: options.cwd,
    env: { ...options.env, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
