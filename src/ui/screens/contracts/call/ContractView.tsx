import { useQuery } from '@tanstack/react-query'
import type { Abi, AbiFunction } from 'viem'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Creator } from '#ui/chain/Creator.tsx'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import { indexOf } from '#ui/decode/abi-index.ts'
import type { GuessedContract } from '#ui/decode/code-functions.ts'
import { joinAbis } from '#ui/decode/join-abis.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/contracts.ts'
import type { Diamond, SingleProxy } from '#ui/queries/proxies.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ContractView.module.css'
import { DealTokens } from './DealTokens.tsx'
import { EventList } from './EventList.tsx'
import { ReadFunction } from './ReadFunction.tsx'
import { useGuess } from './use-guess.ts'
import { useProxy } from './use-proxy.ts'
import { WriteFunction } from './WriteFunction.tsx'

const css = classNames(styles)

/**
 * A contract on the chain: its read functions, write functions and events. A proxy also has those of the contract whose
 * code it runs.
 *
 * @param guess - If the contract's functions are a guess by its code.
 * @param named - Whether its address and its creator stand above; `false` on its own screen, which has both.
 */
export function ContractView({
  address,
  contract,
  guess,
  named = true,
}: {
  address: AddressHex
  contract: KnownContract
  guess?: GuessedContract | undefined
  named?: boolean
}) {
  const found = useProxy(address)
  const contracts = useContracts()
  const diamond = found?.kind === 'diamond' ? found : undefined
  const proxy = found?.kind === 'diamond' ? undefined : found
  const implementation = proxy?.implementation
  const known = diamond ? facetsOf(diamond, contracts) : implementation && contracts.get(implementation)
  const guessBehind = useGuess(known || diamond ? undefined : implementation)
  const behind = known ?? guessBehind?.contract
  // A proxy's own few functions tell nothing beside those of the contract whose code it runs.
  const guessed = guessBehind ?? (found ? undefined : guess)
  const { fork } = useSession()
  const { reads, writes } = functionsOf(behind ? joinAbis(behind.abi, contract.abi) : contract.abi)
  const { accounts } = useCapabilities()
  const version = useFeed((feed) => feed.live?.number ?? 0)
  const { data: code } = useQuery(codeQuery(useProvider(), address, version))
  return (
    <div className={css('view')}>
      {named && (
        <>
          <p className={css('address')}>
            <Address address={address} full />
            <CopyButton value={address} label="Address of the contract" />
          </p>
          {code !== '0x' && (
            <p>
              <Creator address={address} deployment={contract.deployment} />
            </p>
          )}
        </>
      )}
      {diamond && <DiamondNote diamond={diamond} contracts={contracts} />}
      {proxy && <ProxyNote proxy={proxy} name={known?.name} isGuessed={guessBehind !== undefined} />}
      {guessed && <GuessNote guess={guessed} />}
      {fork && isToken(reads, writes) && <DealTokens token={address} />}
      {code === '0x' && (
        <FailureNote
          what="There is no contract at this address."
          why="Its deployment was withdrawn, or it was on another chain. Deploy it again, or press Forget."
        />
      )}
      <div className={css('columns')}>
        <section className={css('column')} aria-label="Read">
          <h3 className={css('title')}>Read</h3>
          {reads.length === 0 && <p className="muted">This contract has no read functions.</p>}
          <ul>
            {reads.map((item) => (
              <li key={signatureOf(item)} className={css('item')}>
                <ReadFunction address={address} item={item} />
              </li>
            ))}
          </ul>
        </section>
        <section className={css('column')} aria-label="Write">
          <h3 className={css('title')}>Write</h3>
          {accounts.length === 0 ? (
            <p className="muted">This endpoint has no development accounts, so the page cannot sign transactions.</p>
          ) : (
            <>
              {writes.length === 0 && <p className="muted">This contract has no write functions.</p>}
              {writes.length > 0 && <SenderField hint="This account signs and pays. Its key is public." />}
              <ul>
                {writes.map((item) => (
                  <li key={signatureOf(item)} className={css('item')}>
                    <WriteFunction address={address} item={item} />
                  </li>
                ))}
              </ul>
            </>
          )}
        </section>
        <section className={css('column')} aria-label="Events">
          <h3 className={css('title')}>Events</h3>
          <EventList address={address} />
        </section>
      </div>
      {contract.source !== undefined && (
        <details>
          <summary>Source code</summary>
          <LongText label="Source">{contract.source}</LongText>
        </details>
      )}
    </div>
  )
}

/** What a diamond has of its facets: the functions that it runs there, and their events and errors. */
function facetsOf({ facets }: Diamond, contracts: Contracts): KnownContract | undefined {
  const abi = facets.flatMap(({ address, selectors }) => {
    const contract = contracts.get(address)
    if (!contract) return []
    const { functions } = indexOf(contract.abi)
    const run = selectors.flatMap((selector) => functions.get(selector)?.item ?? [])
    return [...run, ...contract.abi.filter(({ type }) => type === 'event' || type === 'error')]
  })
  return abi.length === 0 ? undefined : { name: 'Diamond', abi }
}

/** Most facets that are listed. */
const FACETS_SHOWN = 12

/** The contracts whose functions a diamond has. */
function DiamondNote({ diamond: { facets }, contracts }: { diamond: Diamond; contracts: Contracts }) {
  const unknown = facets.filter(({ address }) => !contracts.get(address)).length
  const rest = facets.length - FACETS_SHOWN
  return (
    <div className={css('proxy')}>
      <p className={css('address')}>
        <span>This is a diamond (EIP-2535) with {formatCount(facets.length, 'facet')}, whose code it runs:</span>
        {facets.slice(0, FACETS_SHOWN).map(({ address }) => (
          <Address key={address} address={address} />
        ))}
        {rest > 0 && <span className="muted">and {rest} more</span>}
      </p>
      <p className="note">
        {unknown === facets.length
          ? 'The page does not know their ABIs. To call their functions through the diamond, add them: “At address…” on Contracts.'
          : 'The functions below are those of its facets. They are called at the diamond’s address, which has the state.'}
        {unknown > 0 && unknown < facets.length && ` The page does not know the ABI of ${unknown} of them.`}
      </p>
    </div>
  )
}

/** The contract whose code a proxy runs. */
function ProxyNote({
  proxy: { kind, implementation, beacon, admin },
  name,
  isGuessed,
}: {
  proxy: SingleProxy
  name: string | undefined
  /** Whether the functions of that contract are a guess. */
  isGuessed: boolean
}) {
  return (
    <div className={css('proxy')}>
      <p className={css('address')}>
        <span>{PROXIES[kind]} It runs the code of</span>
        <Address address={implementation} />
      </p>
      {beacon && (
        <p className={css('address')}>
          <span className="muted">Its beacon, which names that contract:</span>
          <Address address={beacon} />
        </p>
      )}
      {admin && (
        <p className={css('address')}>
          <span className="muted">Its admin, who can replace that contract:</span>
          <Address address={admin} />
        </p>
      )}
      <p className="note">
        {name === undefined && !isGuessed
          ? 'The page does not know that contract’s ABI. To call its functions through the proxy, add its address and ABI: “At address…” on Contracts.'
          : `The functions below are those of ${name ?? 'that contract'}. They are called at the proxy’s address, which has the state.`}
      </p>
    </div>
  )
}

const PROXIES: Readonly<Record<SingleProxy['kind'], string>> = {
  'EIP-1967': 'This is a proxy (EIP-1967).',
  beacon: 'This is a proxy with a beacon (EIP-1967).',
  minimal: 'This is a minimal proxy (EIP-1167), which cannot be changed.',
  ZeppelinOS: 'This is a proxy (ZeppelinOS).',
  'EIP-1822': 'This is a proxy (EIP-1822).',
  Safe: 'This is a Safe.',
}

/** Whether they are those of an ERC-20 token. */
function isToken(reads: readonly AbiFunction[], writes: readonly AbiFunction[]): boolean {
  return (
    reads.some((item) => signatureOf(item) === 'balanceOf(address)') &&
    writes.some((item) => signatureOf(item) === 'transfer(address,uint256)')
  )
}

/** An ABI's functions, by how they are called. */
export interface ContractFunctions {
  /** Called without a transaction. */
  readonly reads: readonly AbiFunction[]
  /** Called by a transaction. */
  readonly writes: readonly AbiFunction[]
}

export function functionsOf(abi: Abi): ContractFunctions {
  const functions = abi.filter((item) => item.type === 'function')
  const isRead = ({ stateMutability }: AbiFunction) => stateMutability === 'view' || stateMutability === 'pure'
  return { reads: functions.filter(isRead), writes: functions.filter((item) => !isRead(item)) }
}

/** How many interfaces are named. */
const NAMED = 5

/** Says that functions are a guess, what the contract seems to be, and what is missing. */
function GuessNote({ guess: { contract, of, unknown } }: { guess: GuessedContract }) {
  const known = contract.abi.length
  return (
    <div>
      <p className="note">
        {known === 0
          ? 'The page does not know this contract’s ABI, nor any of the functions in its code.'
          : `The page does not know this contract’s ABI. ${formatCount(known, 'function')} in its code ${known === 1 ? 'is' : 'are'} known by selector: ${namesOf(of)}. This is a guess, as other functions can have the same selector.`}{' '}
        Add its sources (<AppLink to="/contracts">Contracts</AppLink> or the tab Source) to be sure.
      </p>
      {unknown.length > 0 && (
        <details>
          <summary>{formatCount(unknown.length, 'other function')}, by selector</summary>
          <p className="mono">{unknown.join(' ')}</p>
        </details>
      )}
    </div>
  )
}

function namesOf(of: readonly string[]): string {
  const more = of.length - NAMED
  return [...of.slice(0, NAMED), ...(more > 0 ? [`${more} more`] : [])].join(', ')
}
