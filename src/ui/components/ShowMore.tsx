import { formatInteger } from '#ui/format/numbers.ts'
import { Button } from './Button.tsx'

/**
 * The button below a long list; nothing once all of it is shown.
 *
 * @param left - Items that are not shown yet.
 */
export function ShowMore({ left, onMore }: { left: number; onMore: () => void }) {
  if (left <= 0) return null
  return (
    <div>
      <Button size="small" onClick={onMore}>
        Show more of {formatInteger(left)} left
      </Button>
    </div>
  )
}
