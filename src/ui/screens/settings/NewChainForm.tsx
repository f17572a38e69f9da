import { type FormEvent, useState } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { CopyButton } from '#ui/components/CopyButton.tsx'
import { Segmented } from '#ui/components/form/Segmented.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { type NewChainField, type NewChainInput, newChainAddress } from './new-chain.ts'
import styles from './SettingsScreen.module.css'

const css = classNames(styles)

const CLOCKS = [
  { value: 'auto', label: 'Automatic clock' },
  { value: 'manual', label: 'Manual clock' },
] as const

const FIELDS: readonly { readonly field: NewChainField; readonly label: string; readonly placeholder: string }[] = [
  { field: 'name', label: 'Name', placeholder: 'none: in memory only' },
  { field: 'seed', label: 'Seed', placeholder: '1' },
  { field: 'chainId', label: 'Chain id', placeholder: '31337' },
  { field: 'partialMs', label: 'Milliseconds per tick', placeholder: '200' },
  { field: 'partials', label: 'Partial blocks per block', placeholder: '10' },
  { field: 'speed', label: 'Speed', placeholder: '1' },
]

const EMPTY: NewChainInput = {
  name: '',
  seed: '',
  chainId: '',
  partialMs: '',
  partials: '',
  speed: '',
  clock: 'auto',
}

/** Creates the address of a chain with other options, and opens it. The current chain is not changed. */
export function NewChainForm() {
  const [input, setInput] = useState(EMPTY)
  const made = newChainAddress(input, import.meta.env.BASE_URL, location.search)
  const errors = made.ok ? {} : made.errors

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (made.ok) location.assign(made.address)
  }

  return (
    <form className={css('form')} onSubmit={submit} noValidate>
      <div className={css('fields')}>
        {FIELDS.map(({ field, label, placeholder }) => (
          <TextField
            key={field}
            label={label}
            placeholder={placeholder}
            look={field === 'name' ? 'mono' : 'number'}
            autoCapitalize="none"
            error={errors[field]}
            value={input[field]}
            onChange={(text) => setInput({ ...input, [field]: text })}
          />
        ))}
      </div>
      <Segmented
        legend="Clock"
        options={CLOCKS}
        value={input.clock}
        onChange={(clock) => setInput({ ...input, clock })}
      />
      <p className="note">
        With a manual clock, nothing happens until you press Step, and others can reproduce your blocks exactly. If a
        chain with this name is already stored, it keeps its options.
      </p>
      <div className={css('open')}>
        <Button type="submit" disabled={!made.ok}>
          Open this chain
        </Button>
        {made.ok && (
          <span className={css('address')}>
            <code>{made.address}</code>
            <CopyButton value={`${location.origin}${made.address}`} label="Link to the chain" />
          </span>
        )}
      </div>
    </form>
  )
}
