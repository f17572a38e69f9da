import { type ReactNode, useState } from 'react'
import { DEV_ACCOUNTS, findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { shortHex } from '#ui/format/hex.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { useReadOnly } from '#ui/page/session.ts'
import { useFollowImpersonated } from '#ui/queries/impersonated.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AccountField.module.css'
import { AccountOptions } from './AccountOptions.tsx'
import { ImpersonatedNote } from './ImpersonatedNote.tsx'
import { findAccount, type KnownAccount, useKnownAccounts } from './known-accounts.ts'

const css = classNames(styles)

/** The option that stands for an account that is not in the list. */
const ANY = 'any'
const NONE = 'none'
/** Characters of an address: what is shorter is still being typed. */
const ADDRESS_LENGTH = 42

/**
 * Chooses an account: one of the development accounts, or any other, for which the chain sends without its key.
 *
 * @param value - In lower case; `undefined` while none is entered.
 * @param hint - About a development account.
 * @param checked - Whether to say that no account is entered yet.
 * @param none - The name of the choice of no account, if that is one.
 */
export function AccountField({
  value,
  onChange,
  hint,
  checked = false,
  none,
}: {
  value: Address | undefined
  onChange: (account: Address | undefined) => void
  hint?: ReactNode
  checked?: boolean
  none?: string
}) {
  useFollowImpersonated()
  const impersonated = useImpersonated()
  const known = useKnownAccounts()
  const readOnly = useReadOnly()
  const [typing, setTyping] = useState(value === undefined && none === undefined)
  const isOpen = typing || (value === undefined && none === undefined)
  const own = value && findDevAccount(value)
  const stranger = own ? undefined : value
  const listed = [...new Set([...impersonated, ...(stranger ? [stranger] : [])])]

  function choose(chosen: string): void {
    setTyping(chosen === ANY)
    if (chosen === ANY || chosen === NONE) onChange(undefined)
    else onChange(chosen.startsWith('0x') ? (chosen as Address) : DEV_ACCOUNTS[Number(chosen)]?.address)
  }

  return (
    <div className={css('account')}>
      <Field label="From" hint={isOpen || stranger ? undefined : hint}>
        {(props) => (
          <select
            {...props}
            className={fieldClass}
            value={isOpen ? ANY : own ? String(own.index) : (stranger ?? NONE)}
            onChange={(event) => choose(event.target.value)}
          >
            {none !== undefined && <option value={NONE}>{none}</option>}
            {readOnly ? (
              <AccountOptions />
            ) : (
              <>
                <optgroup label="Development accounts">
                  <AccountOptions />
                </optgroup>
                {listed.length > 0 && (
                  <optgroup label="Impersonated">
                    {listed.map((address) => (
                      <option key={address} value={address}>
                        {nameOf(address, known)} · impersonated
                      </option>
                    ))}
                  </optgroup>
                )}
                <option value={ANY}>Any other account…</option>
              </>
            )}
          </select>
        )}
      </Field>
      {isOpen && <AnyAccount known={known} checked={checked} onChange={onChange} />}
      {stranger && <ImpersonatedNote address={stranger} />}
    </div>
  )
}

function nameOf(address: Address, known: readonly KnownAccount[]): string {
  const name = known.find((each) => each.address === address)?.name
  return name === undefined ? shortHex(address) : `${name} · ${shortHex(address)}`
}

/** Enters an account by its address or by a name; it is chosen as soon as it is whole. */
function AnyAccount({
  known,
  checked,
  onChange,
}: {
  known: readonly KnownAccount[]
  checked: boolean
  onChange: (account: Address | undefined) => void
}) {
  const [text, setText] = useState('')
  const [left, setLeft] = useState(false)
  const found = findAccount(text, known)
  const own = found.ok ? findDevAccount(found.address) : undefined
  const isWhole = left || text.trim().length >= ADDRESS_LENGTH

  function change(next: string): void {
    setText(next)
    setLeft(false)
    const account = findAccount(next, known)
    onChange(account.ok ? account.address : undefined)
  }

  return (
    <div onBlur={() => setLeft(text.trim() !== '')}>
      <TextField
        label="Address or name"
        look="address"
        choices={known}
        placeholder="0x…"
        hint={
          own
            ? `That is ${own.name}: this page has its key, and signs with it.`
            : 'Any account or contract, without its key: paste its address, or type a name that this page knows.'
        }
        error={!found.ok && (checked || isWhole) ? found.error : undefined}
        value={text}
        onChange={change}
      />
    </div>
  )
}
