import { NODE_PARAMETERS } from '#client/node/node-options-from-url.ts'

/** The parts of `location` that identify the screen and the chain. */
export type AddressParts = Pick<Location, 'pathname' | 'search' | 'hash'>

/** The address of this screen of this chain, without chain options in the address. */
export function addressWithoutOptions(location: AddressParts): string {
  return withQuery(location, (query) => {
    for (const parameter of NODE_PARAMETERS) query.delete(parameter)
  })
}

/** The live screen of the chain with that name. */
export function addressOfChain(location: AddressParts, base: string, chain: string): string {
  return withQuery({ ...location, pathname: base }, (query) => {
    query.delete('fork')
    query.delete('storage')
    query.set('chain', chain)
  })
}

/** The live screen of a chain in memory that belongs to this page alone. */
export function addressInMemory(location: AddressParts, base: string): string {
  return withQuery({ ...location, pathname: base }, (query) => {
    query.delete('fork')
    query.set('storage', 'off')
  })
}

function withQuery({ pathname, search, hash }: AddressParts, change: (query: URLSearchParams) => void): string {
  const query = new URLSearchParams(search)
  change(query)
  const text = query.toString()
  // Two leading slashes would make it an address on another host.
  return `${pathname.replace(/^[/\\]+/, '/')}${text === '' ? '' : `?${text}`}${hash}`
}
