import { useQuery } from '@tanstack/react-query'
import { isGuest } from '#client/session/capabilities.ts'
import type { Address as AddressHex, Hash } from '#primitives/hex.ts'
import { AppLink } from '#ui/components/AppLink.tsx'
import { explainError } from '#ui/format/explain-error.ts'
import { shortHex } from '#ui/format/hex.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { creatorQuery } from '#ui/queries/contracts.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Address } from './Address.tsx'
import styles from './Creator.module.css'

const css = classNames(styles)

/**
 * Who created a contract, an account or another contract, and in which transaction; part of a paragraph.
 *
 * @param deployment - The transaction that the page deployed it with, where it did.
 */
export function Creator({ address, deployment }: { address: AddressHex; deployment?: Hash | undefined }) {
  const capabilities = useCapabilities()
  // Not part of what every endpoint has, and not for guests of a room.
  const isAsked = capabilities.devnet && !isGuest(capabilities)
  const { data: found, error } = useQuery({ ...creatorQuery(useProvider(), address), enabled: isAsked })
  if (found) return <CreatedBy creator={found.creator} hash={found.hash} />
  if (deployment) return <Deployment hash={deployment} />
  if (!isAsked) return null
  return (
    <Unknown>
      {error
        ? `Who created it is not known. ${explainError(error).what}`
        : found === null
          ? 'No transaction created it: its code was there from the first block, or was set by hand.'
          : 'Created by…'}
    </Unknown>
  )
}

/** As high as the line that may take its place. */
function Unknown({ children }: { children: string }) {
  return (
    <span className={css('creator')}>
      <span className="muted">{children}</span>
    </span>
  )
}

function Deployment({ hash }: { hash: Hash }) {
  const { data } = useTransaction(hash)
  if (data?.tx) return <CreatedBy creator={data.tx.from} hash={hash} />
  return data ? null : <Unknown>Created by…</Unknown>
}

function CreatedBy({ creator, hash }: { creator: AddressHex; hash: Hash }) {
  return (
    <span className={css('creator')}>
      <span className="muted">Created by</span>
      <Address address={creator} />
      <span className="muted">in</span>
      <AppLink to={`/tx/${hash}`} className="mono">
        {shortHex(hash)}
      </AppLink>
    </span>
  )
}
