import { type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Dialog.module.css'
import { Modal } from './Modal.tsx'

const css = classNames(styles)

/**
 * A modal dialog. The focus starts at its title, so that a key meant for the page does not press one of its buttons.
 *
 * @param onDismiss - Called on Esc or the browser's back action.
 * @param actions - Its buttons, the main one last.
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
  const heading = useRef<HTMLHeadingElement>(null)
  // Runs after the dialog has opened.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Modal className={css('dialog')} name={{ labelledBy: id }} onDismiss={onDismiss}>
      <h2 ref={heading} id={id} tabIndex={-1} className={css('title')}>
        {title}
      </h2>
      <div className={css('body')}>{children}</div>
      <div className={css('actions')}>{actions}</div>
    </Modal>
  )
}
