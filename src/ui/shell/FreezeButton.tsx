import { Snowflake } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { freezeView, unfreezeView, useFrozenView } from '#ui/feed/store.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'

/** Has the screen stand still while the chain goes on, which is not the same as a chain that pauses. */
export function FreezeButton({ wordClass }: { wordClass: string }) {
  const frozen = useFrozenView((view) => view.sinceMs !== undefined)
  const toggle = () => (frozen ? unfreezeView() : freezeView())
  useShortcut('f', toggle)
  return (
    <Button
      size="small"
      onClick={toggle}
      aria-pressed={frozen}
      aria-keyshortcuts="f"
      title={frozen ? 'Follow the chain again (F)' : 'The screen stands still, the chain goes on (F)'}
    >
      <Snowflake size={14} aria-hidden="true" />
      <span className={wordClass}>Freeze view</span>
    </Button>
  )
}
