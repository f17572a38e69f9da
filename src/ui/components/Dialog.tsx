import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Dialog.module.css'

const css = classNames(styles)

/**
 * A modal dialog. It begins at its title, so that no key that was meant for the page presses one of its buttons.
 *
 * @param onDismiss - Esc, or the browser's own way back.
 * @param actions - Its buttons, the one that does something last.
 */
export function Dialog({
  title,
  onDismiss,
  actions,
  children,
}: {
  title: string
  onDismiss: () => void
  actions: ReactNode
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    heading.current?.focus()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={css('dialog')}
      aria-labelledby={id}
      onCancel={(event) => {
        // A file chooser that was closed tells of it by an event of the same name, which bubbles.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onDismiss()
      }}
      onClose={() => {
        if (dialog.current?.open === false) onDismiss()
      }}
    >
      <h2 ref={heading} id={id} tabIndex={-1} className={css('title')}>
        {title}
      </h2>
      <div className={css('body')}>{children}</div>
      <div className={css('actions')}>{actions}</div>
    </dialog>
  )
}
