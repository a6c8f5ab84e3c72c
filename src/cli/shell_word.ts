/** Quotes `word` where a POSIX shell would change it. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The name of a file, quoted, that no command takes for an option. */
export function fileWord(name: string): string {
  return shellWord(name.startsWith("-") ? `./${name}` : name);
}
