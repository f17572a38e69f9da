import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Box, CircleUserRound } from 'lucide-react'
import { findDevAccount } from '#client/dev-accounts.ts'
import type { BlinknetProvider } from '#client/provider.ts'
import type { Hash } from '#primitives/hex.ts'
import type { Wanted } from '#ui/feed/highlight.ts'
import { useFeed } from '#ui/feed/store.ts'
import { explainError } from '#ui/format/explain-error.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useProvider } from '#ui/page/session.ts'
import { useGo } from '#ui/page/use-go.ts'
import type { Command } from './command.ts'
import { type Lookup, parseLookup } from './lookup.ts'

/** What the chain has under the text of a search. */
export interface Found {
  readonly commands: readonly Command[]
  /** Why there is nothing, or what is still to be typed; `undefined` where the text names nothing of a chain. */
  readonly note: string | undefined
  /** What of it squares may stand for. */
  readonly wanted: Wanted | undefined
}

const NOTHING: Found = { commands: [], note: undefined, wanted: undefined }

/** Nothing, for that reason. */
const nothing = (note: string): Found => ({ ...NOTHING, note })

/** Looks up a number, a hash or an address. */
export function useFound(text: string): Found {
  const lookup = parseLookup(text)
  const go = useGo()
  const sealedTo = useFeed((feed) => feed.sealed[0]?.number)
  const live = useFeed((feed) => feed.live?.number)
  const byHash = useHash(lookup)
  switch (lookup.kind) {
    case 'words':
      return NOTHING
    case 'digits':
      return nothing(lookup.why)
    case 'block':
      return findBlock(lookup.number, sealedTo ?? 0, live, go)
    case 'address': {
      const { address } = lookup
      const label = findDevAccount(address)?.name ?? 'Address'
      return found(address, { id: address, icon: CircleUserRound, label, detail: mediumHex(address) }, () =>
        go(`/address/${address}`),
      )
    }
    case 'hash': {
      const { hash } = lookup
      if (byHash.error) return nothing(explainError(byHash.error).what)
      if (!byHash.data) return nothing('Asking the node …')
      const { block, transaction } = byHash.data
      if (transaction) {
        const what = { id: hash, icon: ArrowRightLeft, label: 'Transaction', detail: mediumHex(hash) }
        return found(hash, what, () => go(`/tx/${hash}`))
      }
      if (block !== undefined) return found(block, blockEntry(block, hash), () => go(`/block/${hash}`))
      return nothing(
        'No transaction or sealed block has this hash. The node does not keep the hashes of partial blocks, and it ' +
          'forgets dropped transactions when it stops.',
      )
    }
  }
}

function findBlock(number: number, sealedTo: number, live: number | undefined, go: (path: string) => void): Found {
  if (number <= sealedTo || number === live) {
    const state = number === live ? 'pending' : 'sealed'
    return found(number, blockEntry(number, state), () => go(`/block/${number}`))
  }
  return nothing(`There is no block #${formatInteger(number)} yet: the chain is sealed to #${formatInteger(sealedTo)}.`)
}

function blockEntry(number: number, detail: string) {
  const shown = detail.startsWith('0x') ? mediumHex(detail as Hash) : detail
  return { id: `block-${number}`, icon: Box, label: `Block #${formatInteger(number)}`, detail: shown }
}

function found(wanted: Wanted, what: Pick<Command, 'id' | 'icon' | 'label' | 'detail'>, run: () => void): Found {
  return { commands: [{ ...what, group: 'Found', run }], note: undefined, wanted }
}

function useHash(lookup: Lookup) {
  const provider = useProvider()
  const head = useFeed((feed) => feed.sealed[0]?.hash)
  const hash = lookup.kind === 'hash' ? lookup.hash : undefined
  return useQuery({ ...hashQuery(provider, hash ?? '0x', head ?? ''), enabled: hash !== undefined })
}

/** What has a hash; `version` changes with every sealed block. */
const hashQuery = (provider: BlinknetProvider, hash: Hash, version: string) =>
  queryOptions({
    queryKey: ['lookup', hash, version],
    queryFn: async () => {
      const [transaction, block] = await Promise.all([
        provider.request({ method: 'eth_getTransactionByHash', params: [hash] }),
        provider.request({ method: 'eth_getBlockByHash', params: [hash, false] }),
      ])
      return { transaction: transaction !== null, block: block === null ? undefined : Number(block.number) }
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === hash ? previous : undefined),
    gcTime: 5_000,
  })
