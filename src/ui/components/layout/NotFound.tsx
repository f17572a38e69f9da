import type { ReactNode } from 'react'
import { AppLink } from '#ui/components/AppLink.tsx'
import { MessageScreen } from '#ui/components/layout/MessageScreen.tsx'
import { useTitle } from '#ui/page/navigation.ts'

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
          <AppLink to="/explore">Explore blocks, transactions and accounts</AppLink>
          <AppLink to="/send">Send a transaction</AppLink>
        </>
      }
    >
      {children}
    </MessageScreen>
  )
}
