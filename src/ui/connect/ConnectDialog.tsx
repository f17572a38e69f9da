import { type FormEvent, useState } from 'react'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address as AddressHex } from '#primitives/hex.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Impersonated } from '#ui/chain/Impersonated.tsx'
import { findAccount, useKnownAccounts } from '#ui/chain/known-accounts.ts'
import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { useReadOnly } from '#ui/page/session.ts'
import { useFollowImpersonated } from '#ui/queries/impersonated.ts'
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

  const [added, setAdded] = useState<readonly AddressHex[]>([])
  const all = [...added, ...accounts]
  useFollowImpersonated()
  const impersonated = useImpersonated()
  const readOnly = useReadOnly()

  /** The one that a person enters is meant: a dapp takes the first. */
  function add(account: AddressHex): void {
    if (!all.includes(account)) setAdded([account, ...added])
    const isUntouched = added.length === 0 && shared.length === 0
    setChosen(new Set([...(isUntouched ? [] : chosen), account]))
  }

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
            onClick={() => onShare(all.filter((account) => chosen.has(account)))}
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
          {all.map((account) => (
            <li key={account}>
              <CheckField checked={chosen.has(account)} onChange={() => toggle(account)}>
                <Address address={account} link={false} says={false} />
                {(impersonated.has(account) || added.includes(account)) && <Impersonated />}
                {findDevAccount(account) && <span className={css('digits')}>{shortHex(account)}</span>}
              </CheckField>
            </li>
          ))}
        </ul>
      </fieldset>
      {!readOnly && <OtherAccount onAdd={add} />}
      <TestKeys />
      <Waiting others={others} />
    </Dialog>
  )
}

/** Enters any account, which the dapp then has without its key. */
function OtherAccount({ onAdd }: { onAdd: (account: AddressHex) => void }) {
  const known = useKnownAccounts()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState(false)
  const found = findAccount(text, known)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(!found.ok)
    if (!found.ok) return
    onAdd(found.address)
    setText('')
  }

  return (
    <form className={css('other')} onSubmit={submit} noValidate>
      <TextField
        label="Any other account"
        look="address"
        choices={known}
        placeholder="0x… or a name"
        hint="Without its key: it is impersonated, and what it signs is valid on this chain alone."
        error={checked && !found.ok ? found.error : undefined}
        value={text}
        onChange={(next) => {
          setText(next)
          setChecked(false)
        }}
      />
      <Button type="submit">Add</Button>
    </form>
  )
}

/** “A script of this page” within a sentence; a path stays as it is. */
function inSentence(dapp: string): string {
  return dapp.replace(/^A (?=[a-z])/, 'a ')
}
