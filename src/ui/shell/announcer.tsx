import { useEffect, useState } from 'react'
import type { Hash } from '#primitives/hex.ts'
import type { FeedState } from '#ui/feed/feed-state.ts'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { onAnnouncement } from '#ui/page/announce.ts'

const QUIET_MS = 2_000

/** The page's only polite live region: at most one message per 2 s, the newest wins. */
export function Announcer() {
  const [message, setMessage] = useState('')
  useEffect(() => {
    let waiting: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function say(text: string): void {
      // Words that were just spoken are spoken again only if the text changes: by a space at its end.
      setMessage((before) => (before === text ? `${text}\u00a0` : text))
      timer = setTimeout(() => {
        timer = undefined
        const next = waiting
        waiting = undefined
        if (next) say(next)
      }, QUIET_MS)
    }
    const unsubscribe = useFeed.subscribe((after, before) => {
      const own = useOwnTransactions.getState().sent.map((tx) => tx.hash)
      const text = announcement(before, after, own)
      if (text) tell(text)
    })
    const stopListening = onAnnouncement(tell)
    function tell(text: string): void {
      if (timer) waiting = text
      else say(text)
    }
    return () => {
      stopListening()
      unsubscribe()
      clearTimeout(timer)
    }
  }, [])
  return (
    <div aria-live="polite" className="visually-hidden">
      {message}
    </div>
  )
}

/**
 * The screen reader announcement for a commit: the newest step of an own transaction, otherwise a seal with
 * transactions; `undefined` if there is nothing to announce.
 */
export function announcement(before: FeedState, after: FeedState, own: readonly Hash[]): string | undefined {
  for (const hash of own) {
    const tx = after.transactions.get(hash)
    if (!tx || tx.status === before.transactions.get(hash)?.status) continue
    const name = `Transaction ${shortHex(hash)}`
    const outcome = tx.outcome === 'reverted' ? ', reverted' : ''
    if (tx.status === 'preconfirmed') return `${name} pre-confirmed in block ${tx.blockNumber}${outcome}`
    if (tx.status === 'sealed') return `${name} sealed in block ${tx.blockNumber}${outcome}`
    if (tx.status === 'dropped' || tx.status === 'replaced') return `${name} ${tx.status}`
  }
  const newest = after.sealed[0]
  const isNew = newest !== undefined && newest.number !== before.sealed[0]?.number
  if (!isNew || !newest.transactionCount) return undefined
  return `Block ${newest.number} sealed with ${formatCount(newest.transactionCount, 'transaction')}`
}
