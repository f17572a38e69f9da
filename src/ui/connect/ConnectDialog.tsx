import { useState } from 'react'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { TestKeys, Waiting } from './DialogNotes.tsx'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** Asks which accounts a dapp may see. */
export function ConnectDialog({
  dapp,
  others,
  accounts,
  shared,
  onShare,
  onRefuse,
}: {
  dapp: string
  others: number
  accounts: readonly AddressHex[]
  shared: readonly AddressHex[]
  onShare: (accounts: readonly AddressHex[]) => void
  onRefuse: () => void
}) {
  const [chosen, setChosen] = useState<ReadonlySet<AddressHex>>(
    () => new Set(shared.length > 0 ? shared : accounts.slice(0, 1)),
  )

  function toggle(account: AddressHex): void {
    const next = new Set(chosen)
    if (!next.delete(account)) next.add(account)
    setChosen(next)
  }

  return (
    <Dialog
      title={`Connect to ${inSentence(dapp)}?`}
      onDismiss={onRefuse}
      actions={
        <>
          <Button onClick={onRefuse}>Reject</Button>
          <Button
            look="primary"
            disabled={chosen.size === 0}
            onClick={() => onShare(accounts.filter((account) => chosen.has(account)))}
          >
            Connect {formatCount(chosen.size, 'account')}
          </Button>
        </>
      }
    >
      <p>
        <strong className={css('dapp')}>{dapp}</strong> wants to see your accounts on this chain and to request
        signatures from them.
      </p>
      <fieldset>
        <legend className="visually-hidden">Accounts to connect</legend>
        <ul className={css('accounts')}>
          {accounts.map((account) => (
            <li key={account}>
              <CheckField checked={chosen.has(account)} onChange={() => toggle(account)}>
                <Address address={account} link={false} />
                {findDevAccount(account) && <span className={css('digits')}>{shortHex(account)}</span>}
              </CheckField>
            </li>
          ))}
        </ul>
      </fieldset>
      <TestKeys />
      <Waiting others={others} />
    </Dialog>
  )
}

/** “A script of this page” within a sentence; a path stays as it is. */
function inSentence(dapp: string): string {
  return dapp.replace(/^A (?=[a-z])/, 'a ')
}
