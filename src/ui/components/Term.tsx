import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { GLOSSARY, type TermId } from './glossary.ts'
import { Popover } from './Popover.tsx'
import styles from './Term.module.css'

const css = classNames(styles)

/** Milliseconds the pointer may take from the word to its definition. */
const BRIDGE_MS = 150

/**
 * A word with its definition, shown on hover, focus or tap.
 *
 * @param then - Punctuation that follows. WebKit may break the line after a button, so the two are kept together here.
 */
export function Term({ of: id, then, children }: { of: TermId; then?: string; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  const word = useRef<HTMLButtonElement>(null)
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(leaving.current), [])
  const { meaning } = GLOSSARY[id]

  function enter(): void {
    clearTimeout(leaving.current)
    setOpen(true)
  }
  function leave(): void {
    clearTimeout(leaving.current)
    leaving.current = setTimeout(() => setOpen(false), BRIDGE_MS)
  }

  const button = (
    <button
      ref={word}
      type="button"
      className={css('term')}
      // ARIA 1.3 has it for every role.
      // oxlint-disable-next-line jsx-a11y/role-supports-aria-props
      aria-description={meaning}
      onClick={enter}
      onPointerEnter={({ pointerType }) => {
        if (pointerType === 'mouse') enter()
      }}
      onPointerLeave={({ pointerType }) => {
        if (pointerType === 'mouse') leave()
      }}
      onFocus={({ currentTarget }) => {
        if (currentTarget.matches(':focus-visible')) enter()
      }}
      onBlur={leave}
    >
      {children}
    </button>
  )
  return (
    <>
      {then === undefined ? (
        button
      ) : (
        <span className={css('kept')}>
          {button}
          {then}
        </span>
      )}
      {open && <Definition of={id} word={word} onEnter={enter} onLeave={leave} onClose={() => setOpen(false)} />}
    </>
  )
}

/** Visible only: the word itself has the definition as its description. */
function Definition({
  of: id,
  word,
  onEnter,
  onLeave,
  onClose,
}: {
  of: TermId
  word: RefObject<HTMLElement | null>
  onEnter: () => void
  onLeave: () => void
  onClose: () => void
}) {
  return (
    <Popover
      anchor={word}
      className={css('definition')}
      aria-hidden="true"
      onPointerEnter={onEnter}
      onPointerLeave={onLeave}
      onClose={onClose}
    >
      <strong className={css('word')}>{GLOSSARY[id].word}</strong>
      {GLOSSARY[id].meaning}
    </Popover>
  )
}
