import type { Hash } from '#primitives/hex.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Sent.module.css'
import { SentTransaction } from './SentTransaction.tsx'

const css = classNames(styles)

/** How many timelines are shown in full. */
const IN_FULL = 3

/** Sent transactions, with the progress of each. */
export function Sent({
  hashes,
  failure,
  failureTitle,
}: {
  hashes: readonly Hash[]
  failure: unknown
  failureTitle: string | undefined
}) {
  const { devnet } = useCapabilities()
  const one = devnet ? 'measured in the node' : 'this endpoint records no times'
  return (
    <Panel title="Sent" aside={hashes.length > 1 ? formatCount(hashes.length, 'transaction') : one}>
      <ul className={css('list')}>
        {hashes.map((hash, i) => (
          <li key={hash} className={css('item')}>
            <SentTransaction hash={hash} full={i < IN_FULL} helps={i === 0} />
          </li>
        ))}
      </ul>
      {failureTitle && failure !== undefined && <p className={css('title')}>{failureTitle}</p>}
      {failure !== undefined && <ErrorNote error={failure} />}
    </Panel>
  )
}
