import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, type ReactNode } from 'react'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { LoadedPart } from '#ui/components/LoadedPart.tsx'
import { Term } from '#ui/components/Term.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { type NonceGap, nonceWords, waitingWords } from '#ui/own/nonce-gap.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { nonceGapQuery } from '#ui/queries/nonce-gaps.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './NonceGapNote.module.css'

const css = classNames(styles)

/** Loaded with the first gap that is shown: the live screen seldom has one. */
const LazyFill = lazy(async () => ({ default: (await import('./FillNonceGap.tsx')).FillNonceGap }))

function FillNonceGap(props: ComponentProps<typeof LazyFill>) {
  return (
    <LoadedPart waiting={null}>
      <LazyFill {...props} />
    </LoadedPart>
  )
}

/**
 * The nonce gap of an account, kept up to date; `undefined` if there is none.
 *
 * @param below - Only the gap before this nonce; the account's whole gap by default.
 */
function useNonceGap(address: AddressHex, below?: number): NonceGap | undefined {
  const { devnet } = useCapabilities()
  const version = useFeed((feed) => {
    const waiting = [...feed.transactions.values()].filter((tx) => tx.from === address && tx.status === 'mempool')
    return `${feed.live?.hash} ${waiting.length}`
  })
  const { data } = useQuery({ ...nonceGapQuery(useProvider(), address, below, version), enabled: devnet })
  return data ?? undefined
}

/** How to close the nonce gap before a transaction, if there is one. */
export function TransactionGap({ from, nonce }: { from: AddressHex; nonce: number }) {
  const gap = useNonceGap(from, nonce)
  if (!gap) return null
  return (
    <div className={css('note')}>
      <FillNonceGap gap={gap} below={nonce} />
    </div>
  )
}

/** What to do about the nonce gap a transaction waits behind; `otherwise` if there is none. */
export function WaitingNote({ from, nonce, otherwise }: { from: AddressHex; nonce: number; otherwise: ReactNode }) {
  const gap = useNonceGap(from, nonce)
  if (!gap) return otherwise
  return (
    <div className={css('note')}>
      <p className="muted">
        Waiting for {nonceWords(gap.missing)} from the same sender: a{' '}
        <Term of="nonce-gap" then=".">
          nonce gap
        </Term>
      </p>
      <FillNonceGap gap={gap} below={nonce} />
    </div>
  )
}

/** The nonce gap of an account, if it has one: how many transactions wait, for which nonces, and what to do. */
export function AccountGap({ address }: { address: AddressHex }) {
  const gap = useNonceGap(address)
  if (!gap) return null
  return (
    <div className={css('note', 'framed')} role="status">
      <p>
        {waitingWords(gap.waiting)} in the mempool for {nonceWords(gap.missing)} of this account: a{' '}
        <Term of="nonce-gap" then=".">
          nonce gap
        </Term>
      </p>
      <FillNonceGap gap={gap} />
    </div>
  )
}

/** One account's nonce gap in a list of accounts. */
export function GapLine({ gap }: { gap: NonceGap }) {
  return (
    <div className={css('note')}>
      <p>
        <Address address={gap.address} /> lacks {nonceWords(gap.missing)}
      </p>
      <FillNonceGap gap={gap} brief />
    </div>
  )
}
