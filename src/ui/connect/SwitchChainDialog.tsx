import type { WalletRequest } from '#client/wallet/wallet-requests.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Waiting } from './DialogNotes.tsx'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** Asks whether a dapp's wallet may go to another chain. */
export function SwitchChainDialog({
  dapp,
  others,
  request: { name, chainId },
  onSwitch,
  onRefuse,
}: {
  dapp: string
  others: number
  request: WalletRequest & { kind: 'switch-chain' }
  onSwitch: () => void
  onRefuse: () => void
}) {
  return (
    <Dialog
      title="Switch the chain?"
      onDismiss={onRefuse}
      actions={
        <>
          <Button onClick={onRefuse}>Reject</Button>
          <Button look="primary" onClick={onSwitch}>
            Switch
          </Button>
        </>
      }
    >
      <p>
        <strong className={css('dapp')}>{dapp}</strong> wants its wallet to be on{' '}
        <strong>{othersText(name, LONGEST_NAME)}</strong> (chain {Number(chainId)}). This page goes on showing the chain
        that it shows now.
      </p>
      <Waiting others={others} />
    </Dialog>
  )
}
