import { ListFilter, X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Filters.module.css'

const css = classNames(styles)

/** Milliseconds after a key before the list follows. */
const TYPING_MS = 300

/** The filters of a list, in a row. */
export function Filters({
  isFiltered,
  onClear,
  children,
}: {
  isFiltered: boolean
  onClear: () => void
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(isFiltered)
  return (
    <search className={css('filters', isOpen && 'open')} aria-label="Filters">
      <button type="button" className={css('toggle')} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <ListFilter size={15} aria-hidden="true" />
        Filters
      </button>
      {children}
      {isFiltered && (
        <Button size="small" onClick={onClear}>
          <X size={14} aria-hidden="true" />
          Clear
        </Button>
      )}
    </search>
  )
}

/** A filter that is typed. */
export function TextFilter({
  label,
  value,
  placeholder,
  problem,
  offers = [],
  onChange,
}: {
  label: string
  value: string
  placeholder: string
  /** Why nothing can be found by the text. */
  problem?: string | undefined
  /** Texts to choose from. */
  offers?: readonly string[]
  onChange: (text: string) => void
}) {
  const id = useId()
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // Another address, as by Clear or a link, has another text.
  if (value !== shown) {
    setShown(value)
    setText(value)
  }
  const commit = useEffectEvent((typed: string) => {
    if (typed !== value) onChange(typed)
  })
  useEffect(() => {
    const timer = setTimeout(() => commit(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div className={css('filter')}>
      <label className={css('field', problem !== undefined && 'wrong')}>
        <span className={css('label')}>{label}</span>
        <input
          className={css('input')}
          value={text}
          placeholder={placeholder}
          list={offers.length > 0 ? `${id}-offers` : undefined}
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          aria-invalid={problem === undefined ? undefined : true}
          aria-describedby={problem === undefined ? undefined : `${id}-problem`}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {offers.length > 0 && (
        <datalist id={`${id}-offers`}>
          {offers.map((offer) => (
            <option key={offer} value={offer} />
          ))}
        </datalist>
      )}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={css('problem')}>
          {problem}
        </p>
      )}
    </div>
  )
}
