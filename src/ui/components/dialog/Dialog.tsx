import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
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
  const body = useRef<HTMLDivElement>(null)
  const scrolls = useScrolls(body)
  // Runs after the dialog has opened.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Modal className={css('dialog')} name={{ labelledBy: id }} onDismiss={onDismiss}>
      <h2 ref={heading} id={id} tabIndex={-1} className={css('title')}>
        {title}
      </h2>
      {/* biome-ignore lint/a11y/useSemanticElements: it holds no fields. */}
      <div ref={body} className={css('body')} {...(scrolls && { role: 'group', tabIndex: 0, 'aria-labelledby': id })}>
        {children}
      </div>
      <div className={css('actions')}>{actions}</div>
    </Modal>
  )
}

/** Whether an element has more content than it shows: then the keyboard must be able to scroll it. */
function useScrolls(ref: RefObject<HTMLElement | null>): boolean {
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    const look = () => setScrolls(element.scrollHeight > element.clientHeight + 1)
    const observer = new ResizeObserver(look)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [ref])
  return scrolls
}
