/**
 * Errors of `node:fs`.
 *
 * @module
 */

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EEXIST: "it already exists",
  EISDIR: "it is a folder",
  ELOOP: "its symbolic links form a loop",
  ENAMETOOLONG: "its name is too long",
  ENOENT: "there is no such file",
  ENOSPC: "disk full",
  ENOTDIR: "a part of this path is a file, not a folder",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
};

/** The code of an error of `node:fs`, such as `ENOENT`; `undefined` for other errors. */
export function systemCode(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : undefined;
}

/** True for Deno's error, or one caused by it, for a path that its permissions do not include. */
export function isNotPermitted(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "NotCapable" || isNotPermitted(error.cause);
}

/** The meaning of an error of `node:fs`, if it is a common one. */
export function knownProblem(cause: unknown): string | undefined {
  if (isNotPermitted(cause)) return "permission denied";
  const code = systemCode(cause);
  return code === undefined ? undefined : PROBLEMS[code];
}

/** The meaning of an error of `node:fs`. */
export function systemProblem(cause: unknown): string {
  const known = knownProblem(cause) ?? systemCode(cause);
  if (known !== undefined) return known;
  return cause instanceof Error ? cause.name : "unknown error";
}
