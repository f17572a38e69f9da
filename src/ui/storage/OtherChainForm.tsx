import { type FormEvent, useState } from 'react'
import { CHAIN_NAME_RULE, isChainName } from '#client/node/node-options-from-url.ts'
import { Button } from '#ui/components/Button.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { addressOfChain } from './page-address.ts'
import styles from './StoredChainScreen.module.css'

const css = classNames(styles)

/** Opens another chain of this browser by name; an unknown one is started. */
export function OtherChainForm() {
  const [name, setName] = useState('')
  const [checked, setChecked] = useState(false)
  const isName = isChainName(name)

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (isName) location.assign(addressOfChain(location, import.meta.env.BASE_URL, name))
  }

  return (
    <form onSubmit={submit} noValidate className={css('other')}>
      <TextField
        label="Open another chain"
        hint="Its name. If there is no such chain, a new one is started."
        error={checked && !isName ? `A name has ${CHAIN_NAME_RULE}.` : undefined}
        look="mono"
        autoCapitalize="none"
        value={name}
        onChange={setName}
      />
      <div className={css('open')}>
        <Button type="submit">Open</Button>
      </div>
    </form>
  )
}
