import { infiniteQueryOptions } from '@tanstack/react-query'
import { type BlinknetProvider, ProviderRpcError } from '#client/session/provider.ts'
import type { Address } from '#primitives/hex.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { wellKnownName } from '#ui/decode/known-names.ts'
import type { Names } from './resolve.ts'

export type AccountKind = 'accounts' | 'contracts'

/** An account in the list. */
export interface AccountItem {
  readonly address: Address
  /** As this page calls it. */
  readonly name: string | undefined
  /** Wei. */
  readonly balance: bigint
  readonly nonce: number
  /** Bytes. */
  readonly codeSize: number
  readonly delegatedTo: Address | null
}

interface AccountPage {
  readonly items: readonly AccountItem[]
  /** The last account that was looked at; `null` at the end. */
  readonly next: Address | null
  /** What the list lacks, in a sentence. */
  readonly note?: string
}

export interface AccountWishes {
  readonly kind: AccountKind
  /** Accounts that come first. */
  readonly names: Names
  /** Accounts that are shown where the chain cannot list its own. */
  readonly seen: readonly Address[]
  /** The beginning of an address, or a part of a name; empty for all. */
  readonly text: string
  /** Whether the chain can list its accounts. */
  readonly isListed: boolean
}

/** Accounts or contracts in pages: those with a name on the first, then those of the chain's state in its own order. */
export const accountsQuery = (provider: BlinknetProvider, wishes: AccountWishes) =>
  infiniteQueryOptions({
    queryKey: ['devnet_listAccounts', wishes.kind, wishes.text, wishes.names, wishes.isListed],
    initialPageParam: null as Address | null,
    queryFn: ({ pageParam }) => fetchPage(provider, wishes, pageParam),
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous, query) => (query?.queryKey[1] === wishes.kind ? previous : undefined),
    gcTime: 30_000,
  })

async function fetchPage(
  provider: BlinknetProvider,
  { kind, names, seen, text, isListed }: AccountWishes,
  after: Address | null,
): Promise<AccountPage> {
  const isWanted = wantedBy(text)
  const named = new Map(names.map(([name, address]) => [address, name]))
  const nameOf = (address: Address) => named.get(address) ?? wellKnownName(address)
  const isOfKind = ({ codeSize, delegatedTo }: AccountItem) =>
    (kind === 'contracts') === (codeSize > 0 && delegatedTo === null)
  const whole = wholeAddress(text)
  const first = [...named.keys(), ...(whole && !named.has(whole) ? [whole] : [])]
  const read = async (addresses: readonly Address[]) =>
    (await Promise.all(addresses.map((address) => fetchAccount(provider, address, nameOf(address))))).filter(
      (item) => isOfKind(item) && isWanted(item),
    )
  const known = after === null ? await read(first) : []
  if (!isListed) return { items: [...known, ...(await read(newOf(seen, first)))], next: null, note: UNLISTED }
  try {
    const { accounts, next } = await provider.request({
      method: 'devnet_listAccounts',
      params: after ? [{ isContract: kind === 'contracts' }, after] : [{ isContract: kind === 'contracts' }],
    })
    const listed = accounts
      .filter(({ address }) => !first.includes(address))
      .map(
        ({ balance, nonce, ...account }): AccountItem => ({
          ...account,
          name: nameOf(account.address),
          balance: BigInt(balance),
          nonce: Number(nonce),
        }),
      )
    return { items: [...known, ...listed.filter(isWanted)], next: whole ? null : next }
  } catch (error) {
    // A fork does not know the accounts of the chain that it continues, and an older node has no such method.
    if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
    return { items: [...known, ...(await read(newOf(seen, first)))], next: null, note: UNLISTED }
  }
}

const UNLISTED = 'This chain cannot list its accounts. These are the ones that this page knows or has seen.'

const newOf = (addresses: readonly Address[], known: readonly Address[]) =>
  addresses.filter((address) => !known.includes(address))

function wholeAddress(text: string): Address | undefined {
  const wanted = text.trim().toLowerCase()
  return /^0x[\da-f]{40}$/.test(wanted) ? (wanted as Address) : undefined
}

/** Whether an account is one that is looked for: by the beginning of its address, or a part of its name. */
export function wantedBy(text: string): (item: Pick<AccountItem, 'address' | 'name'>) => boolean {
  const wanted = text.trim().toLowerCase()
  return ({ address, name }) =>
    wanted === '' || address.startsWith(wanted) || (name?.toLowerCase().includes(wanted) ?? false)
}

async function fetchAccount(
  provider: BlinknetProvider,
  address: Address,
  name: string | undefined,
): Promise<AccountItem> {
  const [balance, nonce, code] = await Promise.all([
    provider.request({ method: 'eth_getBalance', params: [address, 'pending'] }),
    provider.request({ method: 'eth_getTransactionCount', params: [address, 'pending'] }),
    provider.request({ method: 'eth_getCode', params: [address, 'pending'] }),
  ])
  const delegate = /^0xef0100([\da-f]{40})$/.exec(code)?.[1]
  return {
    address,
    name,
    balance: BigInt(balance),
    nonce: Number(nonce),
    codeSize: (code.length - 2) / 2,
    delegatedTo: delegate === undefined ? null : `0x${delegate}`,
  }
}
