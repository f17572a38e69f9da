import { type ReactNode, useLayoutEffect, useRef } from 'react'

/**
 * A native modal dialog without styles. It covers the page and holds the focus until dismissed by Esc, by the browser's
 * back action or, with `lightDismiss`, by a press outside it.
 *
 * @param name - Its accessible name, or the id of the element that has it.
 */
export function Modal({
  className,
  name,
  lightDismiss = false,
  onDismiss,
  children,
}: {
  className: string
  name: { readonly label: string } | { readonly labelledBy: string }
  lightDismiss?: boolean
  onDismiss: () => void
  children: ReactNode
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Closes the dialog while it is still in the document, so that the browser returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // The keyboard's way out is Esc.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      className={className}
      aria-label={'label' in name ? name.label : undefined}
      aria-labelledby={'labelledBy' in name ? name.labelledBy : undefined}
      onCancel={(event) => {
        // A closed file chooser fires an event of the same name, which bubbles.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onDismiss()
      }}
      onClose={() => {
        if (dialog.current?.open === false) onDismiss()
      }}
      onClick={({ target, currentTarget }) => {
        // The content covers the whole dialog, so this press was on the backdrop.
        if (lightDismiss && target === currentTarget) onDismiss()
      }}
    >
      {children}
    </dialog>
  )
}
