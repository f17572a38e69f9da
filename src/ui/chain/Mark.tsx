import { useEffect, useRef } from 'react'
import { useFeed } from '#ui/feed/store.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { mayMove } from '#ui/styles/motion.ts'
import styles from './Mark.module.css'

const css = classNames(styles)

/** Opens and closes: shut for half of the time, in the middle. */
const BLINK: Keyframe[] = [
  { transform: 'scaleY(1)' },
  { transform: 'scaleY(0.1)', offset: 0.35 },
  { transform: 'scaleY(0.1)', offset: 0.65 },
  { transform: 'scaleY(1)' },
]
const BLINK_MS = 160

/** The mark, a half-moon that blinks with each partial block. */
export function Mark() {
  const moon = useRef<SVGSVGElement>(null)
  const beat = useFeed(({ live }) => live && `${live.number}/${live.index}`)
  useEffect(() => {
    if (beat === undefined || document.hidden || !mayMove()) return
    moon.current?.animate(BLINK, { duration: BLINK_MS, easing: 'ease-in-out' })
  }, [beat])
  return (
    <svg ref={moon} width="1.375rem" height="1.375rem" viewBox="0 0 22 22" aria-hidden="true" className={css('mark')}>
      <circle cx="11" cy="11" r="8.75" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <path d="M11 2.25a8.75 8.75 0 0 1 0 17.5z" fill="currentColor" />
    </svg>
  )
}
