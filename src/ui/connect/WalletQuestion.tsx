import type { PendingWalletRequest, WalletAnswer } from '#client/wallet/wallet-requests.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { ConnectDialog } from './ConnectDialog.tsx'
import { SignDialog } from './SignDialog.tsx'
import { SwitchChainDialog } from './SwitchChainDialog.tsx'
import { UpgradeDialog } from './UpgradeDialog.tsx'

/** One question of a dapp, in the dialog for its kind. */
export function WalletQuestion({
  pending: { dapp, request },
  others,
  onAnswer,
}: {
  pending: PendingWalletRequest
  others: number
  onAnswer: (answer: WalletAnswer) => void
}) {
  const shared = {
    dapp: othersText(dapp, LONGEST_NAME),
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
  if (request.kind === 'switch-chain') {
    return (
      <SwitchChainDialog
        {...shared}
        request={request}
        onSwitch={(chosen) => onAnswer({ approved: true, accounts: [], remember: false, chosen })}
      />
    )
  }
  if (request.kind === 'upgrade') {
    return (
      <UpgradeDialog
        {...shared}
        request={request}
        onUpgrade={() => onAnswer({ approved: true, accounts: [], remember: false })}
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
