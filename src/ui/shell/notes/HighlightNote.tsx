import { Search } from 'lucide-react'
import { useLocation } from 'wouter'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import { Button } from '#ui/components/Button.tsx'
import { countWanted, highlight, useHighlight, type Wanted } from '#ui/feed/highlight.ts'
import { useFeed } from '#ui/feed/store.ts'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { FloatingNote } from './FloatingNote.tsx'

/** A note about the highlighted squares, if any, with a button to clear the highlight. */
export function HighlightNote() {
  const wanted = useHighlight((state) => state.highlighted)
  const [path] = useLocation()
  if (wanted === undefined) return null
  const isBlocks = path.startsWith('/block/')
  return path === '/' || (isBlocks && typeof wanted !== 'number') ? <Note wanted={wanted} /> : null
}

function Note({ wanted }: { wanted: Wanted }) {
  const count = useFeed((feed) => countWanted(feed, wanted))
  useShortcut('Escape', () => highlight(undefined))
  return (
    <FloatingNote
      name="Highlighted"
      icon={Search}
      what={`${nameOf(wanted)} is highlighted`}
      detail={count === 0 ? 'no squares here' : formatCount(count, 'transaction')}
    >
      <Button size="small" onClick={() => highlight(undefined)}>
        Clear
      </Button>
    </FloatingNote>
  )
}

function nameOf(wanted: Wanted): string {
  if (typeof wanted === 'number') return `Block #${formatInteger(wanted)}`
  return findDevAccount(wanted)?.name ?? shortHex(wanted)
}
