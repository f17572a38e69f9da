/** A Node.js server of one's own, as it starts by default. */
export const DEFAULT_SERVER = 'http://127.0.0.1:8545'

/** One word for a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
