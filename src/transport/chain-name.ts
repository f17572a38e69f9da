/** The chain of a page, or of a call to it, that does not name one. */
export const DEFAULT_CHAIN = 'main'

/** The rules for a chain's name, for people. */
export const CHAIN_NAME_RULE = 'up to 32 lower-case letters, digits and hyphens'

/** Whether `name` can be the name of a chain, as in `?chain=name`. */
export function isChainName(name: string): boolean {
  return /^[a-z0-9-]{1,32}$/.test(name)
}
