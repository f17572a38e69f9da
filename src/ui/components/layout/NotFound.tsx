import type { ReactNode } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import inline from '#ui/components/inline-button.module.css'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { useTitle } from '#ui/page/navigation.ts'
import { openDialog } from '#ui/page/shell-dialog.ts'

/** Shown for something in the address that the chain does not have. */
export function NotFound({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <MessageScreen
      title={title}
      sign
      actions={
        <>
          <AppLink to="/">Back to the live chain</AppLink>
          <button
            type="button"
            className={`${inline['button']} ${inline['link']}`}
            onClick={() => openDialog('palette')}
          >
            Search blocks, transactions and accounts
          </button>
          <AppLink to="/send">Send a transaction</AppLink>
        </>
      }
    >
      {children}
    </MessageScreen>
  )
}
