import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import { Button } from '#ui/components/Button.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { partialNumber } from '#ui/format/partial-number.ts'
import { answerPins, chooseMethod, unpin, useConsole } from '#ui/screens/rpc-console/store/console-store.ts'
import type { ChainMoment, PinnedAnswer, PinnedRequest } from '#ui/screens/rpc-console/store/pinned-reducer.ts'
import { valueHint } from '#ui/screens/rpc-console/values/value-hint.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { followPins } from './follow-pins.ts'
import styles from './PinsPanel.module.css'

const css = classNames(styles)

/**
 * Requests that run again at every new partial block; shown only if there are any.
 *
 * @param provider - A provider whose calls are not logged, or the log would hold nothing else.
 */
export function PinsPanel({ provider }: { provider: BlinknetProvider }) {
  const pins = useConsole((state) => state.pins)
  usePinnedAnswers(provider)
  if (pins.length === 0) return undefined
  return (
    <Panel title="Pinned" about="Kept up to date; not in the log">
      <ul className={css('pins')} aria-label="Pinned requests">
        {pins.map((pinned) => (
          <PinRow key={pinned.id} pinned={pinned} />
        ))}
      </ul>
    </Panel>
  )
}

function usePinnedAnswers(provider: BlinknetProvider): void {
  useEffect(
    () =>
      followPins({
        provider,
        pins: () => useConsole.getState().pins,
        moment: () => {
          const { live } = useFeed.getState()
          return live && { blockNumber: live.number, partialIndex: live.index }
        },
        subscribe(listener) {
          const ofChain = useFeed.subscribe((now, before) => {
            if (now.live !== before.live) listener()
          })
          const ofPins = useConsole.subscribe((now, before) => {
            if (now.pins.length > before.pins.length) listener()
          })
          return () => {
            ofChain()
            ofPins()
          }
        },
        commit: answerPins,
      }),
    [provider],
  )
}

function PinRow({ pinned }: { pinned: PinnedRequest }) {
  const { id, method, params, answer, lastChange, changedNow } = pinned
  const request = `${method} ${JSON.stringify(params)}`
  return (
    <li className={css('pin', changedNow && 'changed')}>
      <div className={css('head')}>
        <button type="button" className={css('request')} title={request} onClick={() => chooseMethod(method, params)}>
          {request}
        </button>
        <Button size="small" aria-label={`Unpin ${method}`} onClick={() => unpin(id)}>
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
      <p className={css('answer', answer?.ok === false && 'refused')}>{answer ? answerText(answer) : 'Asking…'}</p>
      <p className={css('words')}>
        {pinWords(pinned)}
        {pinned.changes > 0 && ` ${formatCount(pinned.changes, 'change')} in ${formatCount(pinned.runs, 'run')}.`}
      </p>
      {lastChange && (
        <ul className={css('places')} aria-label={`Changes in ${method}`}>
          {lastChange.places.map(({ path, before, after }) => (
            <li key={path}>
              {path !== '' && <code>{path} </code>}
              {valueText(before)} → {valueText(after)}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** How many characters of an answer fit on its card. */
const MAX_ANSWER = 240
const MAX_VALUE = 48

/** A value on one line, shortened, with its decimal value. */
export function valueText(value: unknown, limit = MAX_VALUE): string {
  if (value === undefined) return 'nothing'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const hint = typeof value === 'string' ? valueHint(value, undefined) : undefined
  const short = othersText(text, limit)
  return hint === undefined ? short : `${short} (${hint})`
}

/** The node's answer, on one line. */
export function answerText(answer: PinnedAnswer): string {
  return answer.ok ? valueText(answer.result, MAX_ANSWER) : `Refused: ${othersText(answer.message, MAX_ANSWER)}`
}

/** Whether and when the answer changed, as a sentence. */
export function pinWords({ runs, lastChange, changedNow }: PinnedRequest): string {
  if (runs === 0) return 'Not run yet.'
  if (!lastChange) return runs === 1 ? 'Run once.' : `The same in all ${formatCount(runs, 'run')}.`
  return changedNow ? `Changed with ${momentWords(lastChange.at)}.` : `Unchanged since ${momentWords(lastChange.at)}.`
}

function momentWords({ blockNumber, partialIndex }: ChainMoment): string {
  return `partial block ${partialNumber(partialIndex)} of #${blockNumber}`
}
