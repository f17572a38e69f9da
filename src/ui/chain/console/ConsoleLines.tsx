import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { ShowMore } from '#ui/components/ShowMore.tsx'
import { useTellFound } from '#ui/components/use-tell-found.ts'
import type { Subject } from '#ui/execution/subject.ts'
import { LONGEST_NAME, othersLines, othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useCapabilities, useProvider } from '#ui/page/session.ts'
import { consoleQuery } from '#ui/queries/executions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ConsoleLines.module.css'

const css = classNames(styles)

/** Lines that are drawn at first. */
const SHOWN = 20
/** Characters of a line that are drawn. */
const LONGEST = 2_000

/**
 * What an execution wrote with `console.log`; nothing if it wrote nothing, or the chain does not tell.
 *
 * @param version - As of the run's query.
 * @param panel - Whether it stands in a panel of its own.
 * @param onFound - Called when it is known what it wrote.
 */
export function ConsoleLines({
  subject,
  version,
  panel = false,
  onFound,
}: {
  subject: Subject
  version: string
  panel?: boolean
  onFound?: () => void
}) {
  const { devnet } = useCapabilities()
  const { data, isPending } = useQuery({ ...consoleQuery(useProvider(), subject, version), enabled: devnet })
  useTellFound(!devnet || !isPending, onFound)
  const [shown, setShown] = useState(SHOWN)
  if (!data || data.lines.length === 0) return null
  const list = (
    <div className={css('console')}>
      <ol className={css('lines')} aria-label="Console">
        {data.lines.slice(0, shown).map(({ text, signature }, i) => (
          <li
            key={i}
            className={css('line')}
            title={signature === null ? 'No console has this function' : othersText(signature, LONGEST_NAME)}
          >
            <bdi>{othersLines(text, LONGEST)}</bdi>
          </li>
        ))}
      </ol>
      <ShowMore left={data.lines.length - shown} onMore={() => setShown(shown + 8 * SHOWN)} />
      {data.more > 0 && (
        <p className="note">{formatCount(data.more, 'further line')} had no room in the node’s answer.</p>
      )}
    </div>
  )
  if (!panel) return list
  return (
    <Panel title="Console" aside={formatCount(data.lines.length + data.more, 'line')}>
      {list}
    </Panel>
  )
}
