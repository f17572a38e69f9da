import { useSyncExternalStore } from 'react'
import type { PendingWalletRequest, WalletAnswer, WalletRequests } from '#client/wallet-requests.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { SignDialog } from './SignDialog.tsx'

/** What dapps ask of the person at the page: one question at a time, the oldest first. */
export function WalletDialog({ requests }: { requests: WalletRequests }) {
  const { subscribe, get } = requests.pending
  const [first, ...others] = useSyncExternalStore(subscribe, get)
  if (!first) return null
  return (
    <Question
      key={first.id}
      pending={first}
      others={others.length}
      onAnswer={(answer) => requests.answer(first.id, answer)}
    />
  )
}

function Question({
  pending: { dapp, request },
  others,
  onAnswer,
}: {
  pending: PendingWalletRequest
  others: number
  onAnswer: (answer: WalletAnswer) => void
}) {
  const shared = {
    dapp,
    others,
    onRefuse: () => onAnswer({ approved: false }),
  }
  if (request.kind === 'connect') {
    return (
      <ConnectDialog
        {...shared}
        accounts={request.accounts}
        shared={request.shared}
        onShare={(accounts) => onAnswer({ approved: true, accounts, remember: false })}
      />
    )
  }
  return (
    <SignDialog
      {...shared}
      request={request}
      onSign={(remember) => onAnswer({ approved: true, accounts: [], remember })}
    />
  )
}
