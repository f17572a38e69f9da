import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Abi, AbiFunction } from 'viem'
import type { Address as AddressHex, Hash } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import type { GuessedContract } from '#ui/decode/code-functions.ts'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider, useSession } from '#ui/page/session.ts'
import { codeQuery, creatorQuery } from '#ui/queries/contracts.ts'
import type { Proxy } from '#ui/queries/proxies.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ContractView.module.css'
import { DealTokens } from './DealTokens.tsx'
import { EventList } from './EventList.tsx'
import { GuessNote } from './GuessNote.tsx'
import { ReadFunction } from './ReadFunction.tsx'
import { useGuess } from './use-guess.ts'
import { rememberImplementation, useProxy } from './use-proxy.ts'
import { WriteFunction } from './WriteFunction.tsx'

const css = classNames(styles)

/**
 * A contract on the chain: its read functions, write functions and events. A proxy also has those of the contract whose
 * code it runs.
 *
 * @param guess - If the contract's functions are a guess by its code.
 */
export function ContractView({
  address,
  contract,
  guess,
}: {
  address: AddressHex
  contract: KnownContract
  guess?: GuessedContract
}) {
  const proxy = useProxy(address)
  const contracts = useContracts()
  const implementation = proxy?.implementation
  const known = implementation && contracts.get(implementation)
  const guessBehind = useGuess(known ? undefined : implementation)
  const behind = known ?? guessBehind?.contract
  // A proxy's own few functions tell nothing beside those of the contract whose code it runs.
  const guessed = guessBehind ?? (proxy ? undefined : guess)
  useEffect(() => rememberImplementation(address, implementation), [address, implementation])
  const { fork } = useSession()
  const { reads, writes } = functionsOf(behind ? joinAbis(behind.abi, contract.abi) : contract.abi)
  const { accounts } = useCapabilities()
  const version = useFeed((feed) => feed.live?.number ?? 0)
  const { data: code } = useQuery(codeQuery(useProvider(), address, version))
  return (
    <div className={css('view')}>
      <p className={css('address')}>
        <Address address={address} full />
        <CopyButton value={address} label="Address of the contract" />
      </p>
      <Creator address={address} deployment={contract.deployment} />
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
          <ul className={css('list')}>
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
              <ul className={css('list')}>
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

/** Who created the contract, and when, from the page's memory or its own chain. */
function Creator({ address, deployment }: { address: AddressHex; deployment: Hash | undefined }) {
  const { provider, remote } = useSession()
  const isAsked = deployment === undefined && remote === undefined
  const found = useQuery({ ...creatorQuery(provider, address), enabled: isAsked })
  const hash = deployment ?? found.data?.hash
  return hash ? <CreatedBy hash={hash} /> : null
}

function CreatedBy({ hash }: { hash: Hash }) {
  const { data } = useTransaction(hash)
  if (!data?.tx) return null
  return (
    <p className={css('address')}>
      <span className="muted">Created by</span>
      <Address address={data.tx.from} />
      <AppLink to={`/tx/${hash}`}>in this transaction</AppLink>
    </p>
  )
}

/** The contract whose code a proxy runs. */
function ProxyNote({
  proxy: { kind, implementation, beacon, admin },
  name,
  isGuessed,
}: {
  proxy: Proxy
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

const PROXIES: Readonly<Record<Proxy['kind'], string>> = {
  'EIP-1967': 'This is a proxy (EIP-1967).',
  beacon: 'This is a proxy with a beacon (EIP-1967).',
  minimal: 'This is a minimal proxy (EIP-1167), which cannot be changed.',
  ZeppelinOS: 'This is a proxy (ZeppelinOS).',
  'EIP-1822': 'This is a proxy (EIP-1822).',
  Safe: 'This is a Safe.',
}

/** Both ABIs. If both have a function with the same signature, that of the first counts. */
function joinAbis(first: Abi, second: Abi): Abi {
  const signatures = new Set(first.filter((item) => item.type === 'function').map(signatureOf))
  return [...first, ...second.filter((item) => item.type !== 'function' || !signatures.has(signatureOf(item)))]
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
