/** Address of a Node.js server with default options. */
export const DEFAULT_SERVER = 'http://127.0.0.1:8545'

/** Why a terminal command cannot reach a chain in a page. */
export const NO_PORT = 'Start `npm run node` first: a chain in a tab has no port.'

/** A comment for viem code that uses a chain in a page. */
export const IN_PAGE =
  '// For a script in this page, bundled with viem.\n// A server has a port: there use http() with its address.'

/** Quotes any text as one word for a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
