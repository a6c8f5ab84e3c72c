/** Quotes `word` where a POSIX shell would change it. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
