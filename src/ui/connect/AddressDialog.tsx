import { type ReactNode, type SyntheticEvent, useId } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AddressDialog.module.css'
import { LeaveButton } from './LeaveButton.tsx'

const css = classNames(styles)

/**
 * A dialog that asks for the address of a chain elsewhere.
 *
 * @param standing - What the page shows now.
 * @param canLeave - Whether to offer the way back to the page's own chain.
 * @param action - Words of the button that submits the fields.
 * @param children - The fields.
 * @param more - Shown below them.
 */
export function AddressDialog({
  title,
  standing,
  canLeave,
  action,
  onSubmit,
  onClose,
  children,
  more,
}: {
  title: string
  standing: ReactNode
  canLeave: boolean
  action: string
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
  more?: ReactNode
}) {
  const form = useId()

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    onSubmit()
  }

  return (
    <Dialog
      title={title}
      onDismiss={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" form={form} look="primary">
            {action}
          </Button>
        </>
      }
    >
      <p className={`${css('standing')} muted`}>{standing}</p>
      {canLeave && (
        <p>
          <LeaveButton size="small" />
        </p>
      )}
      <form id={form} onSubmit={submit} noValidate className={css('form')}>
        {children}
      </form>
      {more}
    </Dialog>
  )
}
