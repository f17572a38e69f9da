import { formatCount } from '#ui/format/numbers.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'

/** What the accounts are worth. */
export function TestKeys() {
  return <p className="note">{TEST_KEYS}</p>
}

/** How many questions come after this one. */
export function Waiting({ others }: { others: number }) {
  if (others === 0) return null
  return <p className="note">{formatCount(others, 'more question')} to answer after this one.</p>
}
