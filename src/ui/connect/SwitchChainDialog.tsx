import { useState } from 'react'
import type { WalletRequest } from '#client/wallet/wallet-requests.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { Waiting } from './DialogNotes.tsx'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** Asks whether a dapp's wallet may go to another chain. */
export function SwitchChainDialog({
  dapp,
  others,
  request: { names, chainId },
  onSwitch,
  onRefuse,
}: {
  dapp: string
  others: number
  request: WalletRequest & { kind: 'switch-chain' }
  /** @param chosen - Index of the chain among the names. */
  onSwitch: (chosen: number) => void
  onRefuse: () => void
}) {
  const [chosen, setChosen] = useState(0)
  const shown = names.map((name) => othersText(name, LONGEST_NAME))
  return (
    <Dialog
      title="Switch the chain?"
      onDismiss={onRefuse}
      actions={
        <>
          <Button onClick={onRefuse}>Reject</Button>
          <Button look="primary" onClick={() => onSwitch(chosen)}>
            Switch
          </Button>
        </>
      }
    >
      <p>
        <strong className={css('dapp')}>{dapp}</strong> wants its wallet to be on <strong>{shown[chosen]}</strong>{' '}
        (chain {Number(chainId)}). This page goes on showing the chain that it shows now.
      </p>
      {shown.length > 1 && (
        <SelectField
          label="Chain"
          hint={`${shown.length} chains have this id.`}
          value={chosen}
          onChange={(value) => setChosen(Number(value))}
        >
          {shown.map((name, i) => (
            <option key={names[i]} value={i}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <Waiting others={others} />
    </Dialog>
  )
}
