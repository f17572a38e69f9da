import { Clapperboard, Pause, Play, StepBack, StepForward } from 'lucide-react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Slider } from '#ui/components/Slider.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useSession } from '#ui/page/session.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FilmBar.module.css'
import { FilmTrack } from './FilmTrack.tsx'
import { type FilmControls, placeOf, useFilm } from './use-film.ts'

const css = classNames(styles)

const TAKEN = { later: 'taken back later', before: 'something was taken back' } as const

/** A film's slider over all partial blocks, and the way out of it. */
export function FilmBar() {
  const film = useFilm()
  const { film: own } = useSession()
  return (
    <section className={css('bar')} aria-label="Film">
      <div className={css('row')}>
        <p className={css('name')}>
          <Clapperboard size={16} aria-hidden="true" className={css('icon')} />
          <strong>Film</strong>
          {own && <span className={css('file')}>{othersText(own.name, LONGEST_NAME)}</span>}
        </p>
        {film && <Controls film={film} />}
        {own?.leave && <LeaveButton leave={own.leave} />}
      </div>
    </section>
  )
}

function LeaveButton({ leave }: { leave: () => void }) {
  const go = useGo()
  return (
    <div className={css('leave')}>
      <Button
        size="small"
        onClick={() => {
          go('/')
          leave()
        }}
      >
        Leave the film
      </Button>
    </div>
  )
}

function Controls({ film }: { film: FilmControls }) {
  const { moments, at, playing, error, go, step, togglePlay } = film
  const { count, hiddenBlocks } = moments
  const { number, index, taken } = placeOf(moments, at)
  useShortcut('ArrowLeft', () => step(-1), 'repeats')
  useShortcut('ArrowRight', () => step(1), 'repeats')
  useShortcut('Home', () => go(0))
  useShortcut('End', () => go(count - 1))
  useShortcut(' ', togglePlay)
  const isFirst = at === 0
  const isLast = at === count - 1
  return (
    <>
      <div className={css('buttons')}>
        <Button size="small" disabled={isFirst} onClick={() => step(-1)} title="One partial block back (←)">
          <StepBack size={14} aria-hidden="true" />
          <span className="visually-hidden">Back</span>
        </Button>
        <Button size="small" onClick={togglePlay} title={playing ? 'Pause (Space)' : 'Play (Space)'}>
          {playing ? <Pause size={14} aria-hidden="true" /> : <Play size={14} aria-hidden="true" />}
          <span className="visually-hidden">{playing ? 'Pause' : 'Play'}</span>
        </Button>
        <Button size="small" disabled={isLast} onClick={() => step(1)} title="One partial block on (→)">
          <StepForward size={14} aria-hidden="true" />
          <span className="visually-hidden">Forward</span>
        </Button>
      </div>
      <div className={css('slider')}>
        <FilmTrack moments={moments} at={at} />
        <Slider
          label="Moment"
          words={`block ${number}, partial block ${partialNumber(index)}${taken ? `, ${TAKEN[taken]}` : ''}, moment ${at + 1} of ${count}`}
          max={count - 1}
          value={at}
          isDrawn
          // From the middle of the first column to that of the last.
          style={{ inset: `0 calc((100% - 16px) / ${2 * count})`, width: `calc(100% - (100% - 16px) / ${count})` }}
          onChange={go}
        />
      </div>
      <p className={css('place')}>
        <strong>
          Block {formatInteger(number)}, partial block {partialNumber(index)}
        </strong>
        <span className={css('of')}>
          {playing ? 'playing' : 'paused'} · {formatInteger(at + 1)} of {formatInteger(count)}
          {taken
            ? `, ${TAKEN[taken]}`
            : isFirst && hiddenBlocks > 0
              ? ': states of older blocks are not in the file'
              : ''}
        </span>
      </p>
      {error && <ErrorNote error={error} />}
    </>
  )
}
