import { othersLines } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CodeBlock.module.css'

const css = classNames(styles)

/** Machine-readable text, never interpreted as markup; invisible characters are spelt out. */
export function CodeBlock({ children }: { children: string }) {
  return <pre className={css('code')}>{othersLines(children, Number.POSITIVE_INFINITY)}</pre>
}

/**
 * Machine-readable text of any length, which scrolls, also by keyboard.
 *
 * @param label - Its accessible name.
 */
export function LongText({ label, children }: { label: string; children: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={css('code', 'long')} role="region" aria-label={label} tabIndex={0}>
      {othersLines(children, Number.POSITIVE_INFINITY)}
    </pre>
  )
}
