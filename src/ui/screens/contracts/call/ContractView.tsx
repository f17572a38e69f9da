import { useQuery } from '@tanstack/react-query'
import type { Abi, AbiFunction } from 'viem'
import type { Address as AddressHex, Hash } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { AppLink } from '#ui/components/AppLink.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { useFeed } from '#ui/feed/store.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { codeQuery } from '#ui/queries/contracts.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ContractView.module.css'
import { EventList } from './EventList.tsx'
import { ReadFunction } from './ReadFunction.tsx'
import { WriteFunction } from './WriteFunction.tsx'

const css = classNames(styles)

/** A contract on the chain: its read functions, write functions and events. */
export function ContractView({ address, contract }: { address: AddressHex; contract: KnownContract }) {
  const { reads, writes } = functionsOf(contract.abi)
  const { accounts } = useCapabilities()
  const version = useFeed((feed) => feed.live?.number ?? 0)
  const { data: code } = useQuery(codeQuery(useProvider(), address, version))
  return (
    <div className={css('view')}>
      <p className={css('address')}>
        <Address address={address} full />
        <CopyButton value={address} label="Address of the contract" />
      </p>
      {contract.deployment && <Creator deployment={contract.deployment} />}
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

function Creator({ deployment }: { deployment: Hash }) {
  const { data } = useTransaction(deployment)
  if (!data?.tx) return null
  return (
    <p className={css('address')}>
      <span className="muted">Created by</span>
      <Address address={data.tx.from} />
      <AppLink to={`/tx/${deployment}`}>in this transaction</AppLink>
    </p>
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
