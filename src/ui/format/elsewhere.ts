/** A Node.js server of one's own, as it starts by default. */
export const DEFAULT_SERVER = 'http://127.0.0.1:8545'

/** Why a command for a terminal cannot reach the chain of a page. */
export const NO_PORT = 'Start `npm run node` first: a chain in a tab has no port.'

/** A comment for viem code that reaches the chain of a page. */
export const IN_PAGE =
  '// For a script in this page, bundled with viem. A server has a port, so there use http() with its address.'

/** One word for a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
