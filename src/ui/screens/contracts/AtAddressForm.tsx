import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { joinAbis } from '#ui/decode/join-abis.ts'
import { rememberContract } from '#ui/decode/known-contracts.ts'
import { parseAbiJson } from '#ui/decode/parse-abi.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { parseRecipient } from '#ui/own/transfer-form.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './AtAddressForm.module.css'
import { selectContract } from './deploy/deploy.ts'
import { keyOf } from './deploy/link-libraries.ts'
import { useWorkbench } from './project/workbench.ts'

const css = classNames(styles)

/** The choice to paste an ABI. */
const PASTED = ''

/** Adds a contract that is already on the chain. */
export function AtAddressForm({ onDone }: { onDone: () => void }) {
  const compiled = useWorkbench(({ compilation }) => compilation?.output.contracts)
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [abiOf, setAbiOf] = useState(PASTED)
  const [abiText, setAbiText] = useState('')
  const [isReplacing, setIsReplacing] = useState(false)
  const [checked, setChecked] = useState(false)
  const recipient = parseRecipient(address.trim())
  const chosen = compiled?.find((contract) => keyOf(contract) === abiOf)
  const contracts = useContracts()
  const found = recipient.ok ? contracts.get(recipient.address) : undefined
  const wellKnown = found?.wellKnown ? found : undefined
  /** What the page knows at this address already. */
  const present = wellKnown ? undefined : found
  const known = chosen ?? (abiText.trim() === '' ? wellKnown : undefined)
  const abi = known ? { ok: true as const, abi: known.abi } : parseAbiJson(abiText)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (!recipient.ok || !abi.ok) return
    rememberContract(
      recipient.address,
      present && !isReplacing
        ? { ...present, name: name.trim() || present.name, abi: joinAbis(abi.abi, present.abi) }
        : { name: name.trim() || known?.name || 'Contract', abi: abi.abi },
    )
    selectContract(recipient.address)
    onDone()
  }

  return (
    <form className={css('form')} onSubmit={submit} noValidate aria-label="Contract at an address">
      <TextField
        label="Address of the contract"
        look="mono"
        error={checked && !recipient.ok ? recipient.error : undefined}
        value={address}
        onChange={setAddress}
      />
      <TextField
        label="Name"
        hint={present && !isReplacing ? `Leave it empty to keep ${present.name}.` : 'Any name you like.'}
        value={name}
        onChange={setName}
      />
      {present && (
        <div className={css('wide')}>
          <p className="note" role="status">
            The page knows this contract as {present.name}, with{' '}
            {formatCount(present.abi.filter(({ type }) => type === 'function').length, 'function')}. The ABI is added to
            that, so a diamond or a proxy may have several.
          </p>
          <CheckField checked={isReplacing} onChange={setIsReplacing}>
            Replace what the page knows of it instead
          </CheckField>
        </div>
      )}
      {compiled && compiled.length > 0 && (
        <SelectField label="ABI of" value={abiOf} onChange={setAbiOf}>
          <option value={PASTED}>paste one below</option>
          {compiled.map((contract) => (
            <option key={keyOf(contract)} value={keyOf(contract)}>
              {contract.name} ({contract.file})
            </option>
          ))}
        </SelectField>
      )}
      {!chosen && (
        <div className={css('wide')}>
          <TextField
            label="ABI as JSON"
            look="area"
            hint={
              wellKnown
                ? `Leave it empty: the page knows the ABI of ${wellKnown.name}.`
                : 'The compiler’s JSON list of functions, events and errors.'
            }
            error={checked && !abi.ok ? abi.error : undefined}
            value={abiText}
            onChange={setAbiText}
          />
        </div>
      )}
      <div className={css('wide', 'actions')}>
        <Button type="submit">Add</Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  )
}
