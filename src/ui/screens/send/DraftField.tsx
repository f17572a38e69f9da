import type { ReactNode } from 'react'
import { TextField, type TextLook } from '#ui/components/form/TextField.tsx'
import { type Draft, editDraft, useDraft } from '#ui/compose/draft.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'

const css = classNames(styles)

/** The text fields of a draft. */
type TextName = Exclude<keyof Draft, 'args' | 'type' | 'dataBy' | 'authority'>

/** A field of the draft; two numbers share a line. */
export function DraftField({
  name,
  look = 'plain',
  ...rest
}: {
  name: TextName
  label: string
  hint?: ReactNode
  error: string | undefined
  placeholder?: string
  look?: TextLook
}) {
  const value = useDraft((draft) => draft[name])
  return (
    <div className={css(look !== 'number' && 'wide')}>
      <TextField {...rest} look={look} value={value} onChange={(text) => editDraft({ [name]: text })} />
    </div>
  )
}
