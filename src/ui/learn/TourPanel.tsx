import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { FollowingSteps } from './FollowingSteps.tsx'
import { SendStep } from './SendStep.tsx'
import styles from './TourPanel.module.css'
import { holdTour } from './tour-lock.ts'
import { closeTour, stepsOn, useTour } from './tour-store.ts'
import { useTourControls } from './use-tour.ts'

const css = classNames(styles)

/** The tour beside the page, which can be used meanwhile: its steps follow one transaction. */
export function TourPanel() {
  const { step, hash, clock } = useTour()
  const steps = stepsOn(clock)
  const own = useOwnTransactions(({ sent }) => sent.find((tx) => tx.hash === hash))
  const controls = useTourControls()
  const leaving = useMutation({ mutationFn: controls.leave })
  // If the clock cannot be restored, the person can still leave.
  const leave = () => (leaving.error ? closeTour() : leaving.mutate('here'))
  useEffect(holdTour, [])
  useLayoutEffect(makeRoom, [])
  useShortcut('Escape', leave)
  // A new chain does not know the transaction.
  const now = own ? step : 'send'
  const position = steps.indexOf(now)
  return (
    <section aria-label="Guided tour" className={css('panel')}>
      <div className={css('head')}>
        <p className={css('count')}>
          Step {position + 1} of {steps.length}
        </p>
        <div className={css('dots')} aria-hidden="true">
          {steps.map((name, i) => (
            <span key={name} className={css('dot', i <= position && 'done')} />
          ))}
        </div>
        <Button size="small" onClick={leave} aria-label="Leave the tour" aria-keyshortcuts="Escape">
          <X size={14} aria-hidden="true" />
        </Button>
      </div>
      <div className={css('body')}>
        {own && now !== 'send' ? <FollowingSteps own={own} step={now} /> : <SendStep followed={own} />}
        {leaving.error && <ErrorNote error={leaving.error} />}
      </div>
    </section>
  )
}

/** Tells the page to leave room beside its content, so that the panel covers nothing that it points at. */
function makeRoom(): () => void {
  document.documentElement.setAttribute('data-tour', '')
  return () => document.documentElement.removeAttribute('data-tour')
}
