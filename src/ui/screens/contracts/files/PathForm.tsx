import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './PathForm.module.css'

const css = classNames(styles)

/** Asks for a path or a name. Enter accepts, Escape cancels. */
export function PathForm({
  label,
  action,
  initial,
  problemWith,
  onDone,
  onCancel,
}: {
  label: string
  action: string
  initial: string
  problemWith: (text: string) => string | undefined
  onDone: (text: string) => void
  onCancel: () => void
}) {
  const [text, setText] = useState(initial)
  const [checked, setChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const entered = text.trim().replace(/^\/+|\/+$/g, '')
  const problem = problemWith(entered)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (problem === undefined) onDone(entered)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape in its field
    <form
      ref={form}
      className={css('form')}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <TextField
        label={label}
        look="mono"
        error={checked ? problem : undefined}
        value={text}
        onChange={setText}
        autoCapitalize="off"
      />
      <div className={css('actions')}>
        <Button type="submit" size="small">
          {action}
        </Button>
        <Button size="small" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
