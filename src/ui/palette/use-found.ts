import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowRightLeft, Box, CircleUserRound } from 'lucide-react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address, Hash } from '#primitives/hex.ts'
import type { Wanted } from '#ui/feed/highlight.ts'
import { useFeed } from '#ui/feed/store.ts'
import { explainError } from '#ui/format/explain-error.ts'
import { mediumHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useProvider } from '#ui/page/session.ts'
import type { Command } from './command.ts'

/** What a search text matches on the chain. */
export interface Found {
  readonly commands: readonly Command[]
  /** Why there is no match, or what is missing; `undefined` if the text is not a search of the chain. */
  readonly note: string | undefined
  /** The match to highlight among the squares. */
  readonly wanted: Wanted | undefined
}

const NOTHING: Found = { commands: [], note: undefined, wanted: undefined }

/** No match, with a reason. */
const nothing = (note: string): Found => ({ ...NOTHING, note })

/** Looks up a number, a hash or an address. */
export function useFound(text: string): Found {
  const lookup = parseLookup(text)
  const go = useGo()
  const sealedTo = useFeed((feed) => feed.sealed[0]?.number)
  const live = useFeed((feed) => feed.live?.number)
  const byHash = useHash(lookup)
  const findBeginning = useBeginning(go, sealedTo ?? 0, live)
  switch (lookup.kind) {
    case 'words':
      return NOTHING
    case 'digits':
      return nothing(lookup.why)
    case 'beginning':
      return findBeginning(lookup)
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
      if (!byHash.data) return nothing('Asking the node…')
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

/** The most matches of the beginning of a hash. */
const MAX_MATCHES = 6

/** Finds what the page has seen whose hash or number begins like this. */
function useBeginning(go: (path: string) => void, sealedTo: number, live: number | undefined) {
  const transactions = useFeed((feed) => feed.transactions)
  const sealed = useFeed((feed) => feed.sealed)
  return ({ digits, number, why }: Lookup & { kind: 'beginning' }): Found => {
    const start = `0x${digits}`
    const txs = [...transactions.keys()].filter((hash) => hash.startsWith(start)).toReversed()
    const blocks = sealed.filter(({ hash }) => hash.startsWith(start))
    const numbered =
      number !== undefined && (number <= sealedTo || number === live)
        ? findBlock(number, sealedTo, live, go).commands
        : []
    const commands = [
      ...txs.map(
        (hash): Command => ({
          id: hash,
          group: 'Found',
          icon: ArrowRightLeft,
          label: 'Transaction',
          detail: mediumHex(hash),
          run: () => go(`/tx/${hash}`),
        }),
      ),
      ...blocks.map(
        (block): Command => ({
          ...blockEntry(block.number, block.hash),
          id: block.hash,
          group: 'Found',
          run: () => go(`/block/${block.hash}`),
        }),
      ),
    ].slice(0, MAX_MATCHES)
    const [only] = txs
    const note = commands.length + numbered.length > 0 ? undefined : why
    return { commands: [...commands, ...numbered], note, wanted: txs.length === 1 ? only : undefined }
  }
}

function findBlock(number: number, sealedTo: number, live: number | undefined, go: (path: string) => void): Found {
  if (number <= sealedTo || number === live) {
    const state = number === live ? 'pending' : 'sealed'
    return found(number, blockEntry(number, state), () => go(`/block/${number}`))
  }
  return nothing(`There is no block #${formatInteger(number)} yet. Latest sealed: #${formatInteger(sealedTo)}.`)
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

/** Looks up a hash; `version` changes with every sealed block. */
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

/** What a search text refers to. */
export type Lookup =
  | { readonly kind: 'block'; readonly number: number }
  /** The hash of a transaction or a block; only the node knows which. */
  | { readonly kind: 'hash'; readonly hash: Hash }
  | { readonly kind: 'address'; readonly address: Address }
  /** The beginning of a hash, or a number in hex. */
  | { readonly kind: 'beginning'; readonly digits: string; readonly number: number | undefined; readonly why: string }
  /** Starts with 0x, but no hash does. */
  | { readonly kind: 'digits'; readonly why: string }
  /** Words, or an empty text. */
  | { readonly kind: 'words' }

const ADDRESS_DIGITS = 40
const HASH_DIGITS = 64
/** Keeps every block number exact, and rejects digits of something longer. */
const MAX_NUMBER_DIGITS = 13

/** Parses a search: `7`, `#7`, `1,024`, an address, a hash or its beginning, without `0x` if that is unambiguous. */
export function parseLookup(text: string): Lookup {
  const query = text.trim()
  const decimal = /^#?((?:\d{1,3}(?:,\d{3})+)|\d+)$/.exec(query)?.[1]?.replaceAll(',', '')
  if (decimal !== undefined && decimal.length <= MAX_NUMBER_DIGITS) return { kind: 'block', number: Number(decimal) }
  const hex = /^(0x)?([0-9a-f]*)$/i.exec(query)
  const digits = hex?.[2]?.toLowerCase()
  if (digits === undefined) return /^0x/i.test(query) ? notHexadecimal(query) : { kind: 'words' }
  if (digits.length === HASH_DIGITS) return { kind: 'hash', hash: `0x${digits}` }
  if (digits.length === ADDRESS_DIGITS) return { kind: 'address', address: `0x${digits}` }
  if (hex?.[1] === undefined) return { kind: 'words' }
  if (digits.length === 0) return { kind: 'digits', why: 'After 0x: 40 digits for an address, 64 for a hash.' }
  if (digits.length > HASH_DIGITS) return { kind: 'digits', why: wrongLength(digits) }
  const number = digits.length < MAX_NUMBER_DIGITS ? Number(`0x${digits}`) : undefined
  return {
    kind: 'beginning',
    digits,
    number,
    why: `Nothing that this page has seen begins with 0x${digits}. ${wrongLength(digits)}`,
  }
}

function wrongLength(digits: string): string {
  return `An address has 40 hexadecimal digits, a hash has 64. This has ${formatCount(digits.length, 'digit')}.`
}

function notHexadecimal(query: string): Lookup {
  const character = /[^0-9a-f]/i.exec(query.slice(2))?.[0] ?? ''
  return { kind: 'digits', why: `“${character}” is not a hexadecimal digit. Those are 0–9 and a–f.` }
}
