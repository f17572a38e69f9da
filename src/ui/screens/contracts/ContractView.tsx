import { useQuery } from '@tanstack/react-query'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/components/Address.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { FailureNote } from '#ui/components/ErrorNote.tsx'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { useFeed } from '#ui/feed/store.ts'
import { SenderField } from '#ui/own/SenderField.tsx'
import { codeQuery } from '#ui/queries/contracts.ts'
import { useCapabilities, useProvider } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ContractView.module.css'
import { functionsOf } from './contract-functions.ts'
import { EventList } from './EventList.tsx'
import { ReadFunction } from './ReadFunction.tsx'
import { WriteFunction } from './WriteFunction.tsx'

const css = classNames(styles)

/** A contract on the chain: what can be asked of it and done with it, and what it says. */
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
      {code === '0x' && (
        <FailureNote
          what="There is no contract at this address."
          why="Its deployment was taken back, or it was on another chain. Deploy it again, or forget it."
        />
      )}
      <div className={css('columns')}>
        <section className={css('column')} aria-label="Read">
          <h3 className={css('title')}>Read</h3>
          {reads.length === 0 && <p className="muted">It has no function that only reads.</p>}
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
            <p className="muted">This endpoint has none of the development accounts, so the page cannot sign for it.</p>
          ) : (
            <>
              {writes.length === 0 && <p className="muted">It has no function that changes anything.</p>}
              {writes.length > 0 && <SenderField hint="Whose transactions these are. The accounts’ keys are public." />}
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
          <summary>Its source, as it was compiled</summary>
          <LongText label="Source">{contract.source}</LongText>
        </details>
      )}
    </div>
  )
}
