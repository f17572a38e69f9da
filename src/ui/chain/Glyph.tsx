import type { FeedStatus } from '#ui/feed/feed-state.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Glyph.module.css'

const css = classNames(styles)

/** The sign of a state: hollow, half, solid, crossed or dashed. Only decoration, as words beside it name the state. */
export function Glyph({ sign, size = 12 }: { sign: FeedStatus | 'reverted'; size?: number }) {
  return (
    <svg
      className={css('glyph', sign)}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 12 12"
      aria-hidden="true"
    >
      {sign === 'reverted' ? (
        <path d="M2.5 2.5l7 7m0-7l-7 7" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      ) : (
        <circle
          cx="6"
          cy="6"
          r="4.75"
          fill={sign === 'sealed' ? 'currentColor' : 'none'}
          stroke="currentColor"
          strokeWidth="1.5"
          strokeDasharray={sign === 'dropped' || sign === 'replaced' ? '2 2' : undefined}
        />
      )}
      {sign === 'preconfirmed' && <path d="M6 1.25a4.75 4.75 0 0 1 0 9.5z" fill="currentColor" />}
    </svg>
  )
}
