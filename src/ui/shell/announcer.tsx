import { useEffect, useState } from 'react'
import { useFeed } from '#ui/feed/store.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { announcement } from './announcement.ts'

const QUIET_MS = 2_000

/** The page's one polite live region: at most one message in 2 s, the newest wins. */
export function Announcer() {
  const [message, setMessage] = useState('')
  useEffect(() => {
    let waiting: string | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    function say(text: string): void {
      setMessage(text)
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
      if (!text) return
      if (timer) waiting = text
      else say(text)
    })
    return () => {
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
