import type { NodeSession } from './session.ts'

/** What a page stores for a chain in memory is stored under this name, which no chain can have. */
const IN_MEMORY = ':memory'

/** The name under which a page stores things that belong to a session's chain: its own name, or its endpoint's address. */
export function chainKeyOf({
  chain,
  remote,
}: Pick<NodeSession, 'chain'> & { readonly remote?: { readonly endpoint: { readonly url: string } } }): string {
  return chain ?? remote?.endpoint.url ?? IN_MEMORY
}
