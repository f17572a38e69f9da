import type { ReactNode } from 'react'
import { chooseAnySender, leaveSenderOpen, senderAddress, useSender } from '#ui/own/sender.ts'
import { AccountField } from './AccountField.tsx'

/**
 * Chooses who sends: a development account, which signs, or any other account, for which the chain sends without its key.
 *
 * @param hint - About a development account.
 * @param checked - Whether to say that nobody is chosen yet.
 */
export function SenderField({ hint, checked = false }: { hint?: ReactNode; checked?: boolean }) {
  const sender = useSender(senderAddress)
  return (
    <AccountField
      value={sender}
      onChange={(account) => (account ? chooseAnySender(account) : leaveSenderOpen())}
      hint={hint}
      checked={checked}
    />
  )
}
