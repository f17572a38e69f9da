import { useEffect, useRef } from 'react'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { type LastSent, useLastSent } from './last-sent.ts'
import styles from './Sent.module.css'
import { SentTransaction } from './SentTransaction.tsx'

const css = classNames(styles)

/** How many timelines are shown in full. */
const IN_FULL = 3

/**
 * What was sent to this chain the last time, with the progress of each, below the button that sent it.
 *
 * @param isNew - Whether it was sent just now: it is then brought into sight.
 */
export function Sent({ isNew }: { isNew: boolean }) {
  const sent = useLastSent(useProvider())
  return sent && <SentList key={sent.hashes[0] ?? ''} sent={sent} isNew={isNew} />
}

function SentList({ sent: { hashes, failure }, isNew }: { sent: LastSent; isNew: boolean }) {
  const { devnet } = useCapabilities()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isNew) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isNew])
  const count = hashes.length > 1 ? formatCount(hashes.length, 'transaction') : undefined
  const failureTitle =
    failure !== undefined && hashes.length > 0
      ? `${formatCount(hashes.length, 'transaction')} sent, then this:`
      : undefined
  return (
    <div ref={place} className={css('place')}>
      <Panel title="Sent" aside={count ?? (devnet ? undefined : 'this endpoint records no times')}>
        <ul className={css('list')}>
          {hashes.map((hash, i) => (
            <li key={hash} className={css('item')}>
              <SentTransaction hash={hash} full={i < IN_FULL} helps={i === 0} />
            </li>
          ))}
        </ul>
        {failureTitle && <p className={css('title')}>{failureTitle}</p>}
        {failure !== undefined && <ErrorNote error={failure} />}
      </Panel>
    </div>
  )
}
