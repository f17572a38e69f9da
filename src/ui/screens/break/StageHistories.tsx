import { useEffect, useState } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { usePins } from './pins.ts'
import { runPinned } from './run-pinned.ts'
import { Screens } from './Screens.tsx'
import styles from './StageHistories.module.css'
import { Strip } from './Strip.tsx'
import type { ScenarioHistory } from './scenario/scenario.ts'
import { endOf } from './time-parts.ts'
import { useReplay } from './use-replay.ts'
import { titleOf } from './words.ts'

const css = classNames(styles)

/** For the stage: up to three histories side by side, in the same time. */
export function StageHistories() {
  const [attempt, setAttempt] = useState(0)
  return <PinnedHistories key={attempt} onAgain={() => setAttempt(attempt + 1)} />
}

function PinnedHistories({ onAgain }: { onAgain: () => void }) {
  const pins = usePins()
  const [histories, setHistories] = useState<readonly ScenarioHistory[]>()
  const [failure, setFailure] = useState<{ readonly error: unknown }>()
  useEffect(() => {
    const cancel = new AbortController()
    runPinned(pins, cancel.signal).then(
      (found) => {
        if (!cancel.signal.aborted) setHistories(found)
      },
      (error: unknown) => {
        if (!cancel.signal.aborted) setFailure({ error })
      },
    )
    return () => cancel.abort()
  }, [pins])
  if (failure) {
    return (
      <section className={css('waiting')} aria-label="Histories">
        <ErrorNote error={failure.error} />
        <Button onClick={onAgain}>Try again</Button>
      </section>
    )
  }
  if (!histories) {
    return (
      <section className={css('waiting')} aria-label="Histories" aria-busy="true">
        <p>The payment is made, once for each history…</p>
      </section>
    )
  }
  return <SideBySide histories={histories} />
}

function SideBySide({ histories }: { histories: readonly ScenarioHistory[] }) {
  const end = endOf(histories)
  const { at, playing, play, seek } = useReplay(end, true)
  const again = () => {
    seek(0)
    play()
  }
  useShortcut('a', again)
  return (
    <div className={css('stage')} aria-busy={playing}>
      <div className={css('columns')}>
        {histories.map((history) => (
          <section key={history.fate} className={css('history')} aria-label={titleOf(history.schedule)}>
            <h2 className={css('title')}>{titleOf(history.schedule)}</h2>
            <Screens history={history} at={Math.floor(at)} judged={at >= end} />
            <div className={css('strip')}>
              <Strip history={history} end={end} at={at} size="low" />
            </div>
          </section>
        ))}
      </div>
      <div className={css('foot')} data-speaker>
        <Button size="small" onClick={again} aria-keyshortcuts="a">
          Again <Kbd>A</Kbd>
        </Button>
        <AppLink to="/break" className={css('all')}>
          All histories
        </AppLink>
      </div>
    </div>
  )
}
