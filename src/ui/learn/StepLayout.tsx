import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './TourPanel.module.css'
import { goToStep, stepsOn, useTour } from './tour-store.ts'

const css = classNames(styles)

/**
 * One step: its text, what it waits for or what has happened, and its buttons. The focus starts at its title.
 *
 * @param region - Accessible name of the part of the screen that it explains.
 * @param said - What it waits for, or what has happened; announced when it changes.
 * @param actions - Its buttons, the one that continues last.
 */
export function StepLayout({
  title,
  region,
  said,
  reached,
  actions,
  children,
}: {
  title: string
  region?: string
  said: ReactNode
  reached: boolean
  actions: ReactNode
  children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const liveBlock = useFeed((feed) => feed.live?.number)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  // The parts of the screen may be new elements after each block.
  useEffect(() => {
    if (region === undefined || liveBlock === undefined) return undefined
    return pointAt(region)
  }, [region, liveBlock])
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className={css('title')}>
        {title}
      </h2>
      <div className={css('text')}>{children}</div>
      <div className={css('actions')}>
        <p role="status" className={css('said', reached && 'reached')}>
          {said}
        </p>
        <BackButton />
        {actions}
      </div>
    </>
  )
}

function BackButton() {
  const before = useTour(({ step, clock }) => {
    const steps = stepsOn(clock)
    return steps[steps.indexOf(step) - 1]
  })
  if (before === undefined) return null
  return <Button onClick={() => goToStep(before)}>Back</Button>
}

const POINTED = 'data-pointed'

/**
 * Highlights the part of the screen with that accessible name, and scrolls it into view.
 *
 * @returns Removes the highlight.
 */
function pointAt(name: string): () => void {
  const region = [...document.querySelectorAll('main section')].find((section) => nameOf(section) === name)
  region?.setAttribute(POINTED, '')
  region?.scrollIntoView({ block: 'nearest' })
  return () => region?.removeAttribute(POINTED)
}

function nameOf(section: Element): string | undefined {
  const by = section.getAttribute('aria-labelledby')
  const named = by === null ? undefined : document.getElementById(by)?.textContent
  return section.getAttribute('aria-label') ?? named ?? undefined
}
