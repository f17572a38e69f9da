import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Address } from '#primitives/hex.ts'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { Amount } from '#ui/components/Amount.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Term } from '#ui/components/Term.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatCount, formatEth, formatInteger } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { type Standing as StandingFacts, standingQuery } from '#ui/queries/accounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Standing.module.css'
import { useVersion } from './use-version.ts'

const css = classNames(styles)

/** Sealed and pending balance and nonce, side by side: the difference can still be withdrawn. */
export function Standing({ address, isContract }: { address: Address; isContract: boolean }) {
  const version = useVersion()
  // The pending nonce includes waiting transactions.
  const waiting = useFeed(
    (feed) => [...feed.transactions.values()].filter((tx) => tx.from === address && tx.status === 'mempool').length,
  )
  const { data, error } = useQuery(standingQuery(useProvider(), address, `${version} ${waiting}`))
  if (error) return <ErrorNote error={error} />
  return (
    <dl className={css('standing')}>
      <Figure
        name={
          <span>
            <Term of="sealed">Sealed</Term> balance
          </span>
        }
        sign={<Glyph sign="sealed" />}
      >
        {data && <Eth wei={data.sealed.balance} />}
      </Figure>
      <Pending data={data} />
      <Figure name={<Term of="nonce">Nonce</Term>} sign={undefined}>
        {data && (
          <>
            {formatInteger(data.sealed.nonce)}
            <span className={css('change')}>{nonceWords(data, isContract)}</span>
          </>
        )}
      </Figure>
    </dl>
  )
}

function Pending({ data }: { data: StandingFacts | undefined }) {
  const { preconfirms } = useCapabilities()
  const change = data && data.pending.balance - data.sealed.balance
  return (
    <Figure
      name={
        <span>
          <Term of="pending">Pending</Term> balance
        </span>
      }
      sign={<Glyph sign={preconfirms ? 'preconfirmed' : 'mempool'} />}
    >
      {data && (
        <>
          <Eth wei={data.pending.balance} />
          <span className={css('change')}>{change === undefined || change === 0n ? 'no change' : signed(change)}</span>
        </>
      )}
    </Figure>
  )
}

function Figure({ name, sign, children }: { name: ReactNode; sign: ReactNode; children: ReactNode }) {
  return (
    <div className={css('figure')}>
      <dt className={css('name')}>
        {sign}
        {name}
      </dt>
      <dd className={css('value')}>{children || '…'}</dd>
    </div>
  )
}

function Eth({ wei }: { wei: bigint }) {
  return (
    <span>
      <Amount wei={wei}>{formatEth(wei, 6)}</Amount>
    </span>
  )
}

function signed(wei: bigint): string {
  return wei > 0n ? `+${formatEth(wei, 6)}` : formatEth(wei, 6)
}

function nonceWords({ sealed, pending }: StandingFacts, isContract: boolean): string {
  const more = pending.nonce - sealed.nonce
  // A contract's nonce starts at 1 (EIP-161), and counts the contract's deployments.
  if (isContract) return more > 0 ? `+${more} in the pending block` : 'no change'
  return more > 0 ? `+${formatCount(more, 'transaction')} pending` : 'none pending'
}
