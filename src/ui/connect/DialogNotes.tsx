import { formatCount } from '#ui/format/numbers.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'

/** A warning that the accounts are for development only. */
export function TestKeys() {
  return <p className="note">{TEST_KEYS}</p>
}

/** Number of questions after this one. */
export function Waiting({ others }: { others: number }) {
  if (others === 0) return null
  return <p className="note">{formatCount(others, 'more question')} to answer after this one.</p>
}
