import type { WalletRequest } from '#client/wallet/wallet-requests.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { TestKeys, Waiting } from './DialogNotes.tsx'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** Asks whether an account may be delegated to the wallet's contract (EIP-7702), as bundles of calls need it. */
export function UpgradeDialog({
  dapp,
  others,
  request: { account, delegate },
  onUpgrade,
  onRefuse,
}: {
  dapp: string
  others: number
  request: WalletRequest & { kind: 'upgrade' }
  onUpgrade: () => void
  onRefuse: () => void
}) {
  return (
    <Dialog
      title="Upgrade the account?"
      onDismiss={onRefuse}
      actions={
        <>
          <Button onClick={onRefuse}>Reject</Button>
          <Button look="primary" onClick={onUpgrade}>
            Upgrade
          </Button>
        </>
      }
    >
      <p>
        <strong className={css('dapp')}>{dapp}</strong> wants to send several calls as one transaction. For that{' '}
        <Address address={account} link={false} says={false} /> becomes delegated to this contract of the wallet
        (EIP-7702):
      </p>
      <FieldList>
        <FieldRow name="Delegated to" raw={delegate}>
          <Address address={delegate} full link={false} />
        </FieldRow>
      </FieldList>
      <p>
        A call to the account then runs the contract’s code, which makes calls for the account itself and for nobody
        else. The account keeps its key and all that it has. It stays delegated until it signs another delegation.
      </p>
      <p className="note">What is sent is the next question.</p>
      <TestKeys />
      <Waiting others={others} />
    </Dialog>
  )
}
