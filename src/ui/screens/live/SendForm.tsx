import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { DEV_ACCOUNTS } from '#client/dev-accounts.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Field, fieldClass } from '#ui/components/Field.tsx'
import { Panel } from '#ui/components/Panel.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { chooseSender, useSender } from '#ui/own/sender.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { parseTransfer, type TransferInput } from '#ui/own/transfer-form.ts'
import { quickRecipient, useSend } from '#ui/own/use-send.ts'
import { balanceQuery } from '#ui/queries/accounts.ts'
import { useProvider } from '#ui/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SendForm.module.css'

const css = classNames(styles)

/** A transfer by choice; what was typed stays, whatever the node answers. */
export function SendForm() {
  const sender = useSender((state) => state.index)
  const [input, setInput] = useState<TransferInput>({ to: quickRecipient(0), value: '0.01' })
  const [checked, setChecked] = useState(false)
  const { mutate, reset, error, isPending } = useSend()
  const accounts = useId()
  const fields = parseTransfer(input)
  const errors = checked && !fields.ok ? fields.errors : {}

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    reset()
    if (fields.ok) mutate(fields)
  }

  return (
    <Panel title="Send a transfer" aside="signed in this page">
      <form className={css('form')} onSubmit={submit} noValidate>
        <Field label="From" hint={<Balance index={sender} />}>
          {(props) => (
            <select
              {...props}
              className={fieldClass}
              value={sender}
              onChange={(event) => chooseSender(Number(event.target.value))}
            >
              {DEV_ACCOUNTS.map(({ index, name, address }) => (
                <option key={index} value={index}>
                  {name} · {address.slice(0, 6)}…{address.slice(-4)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Amount in ETH" error={errors.value}>
          {(props) => (
            <input
              {...props}
              className={fieldClass}
              inputMode="decimal"
              autoComplete="off"
              value={input.value}
              onChange={(event) => setInput({ ...input, value: event.target.value })}
            />
          )}
        </Field>
        <div className={css('wide')}>
          <Field label="To" error={errors.to}>
            {(props) => (
              <input
                {...props}
                className={`${fieldClass} mono`}
                list={accounts}
                spellCheck={false}
                autoComplete="off"
                value={input.to}
                onChange={(event) => setInput({ ...input, to: event.target.value })}
              />
            )}
          </Field>
          <datalist id={accounts}>
            {DEV_ACCOUNTS.map(({ name, address }) => (
              <option key={address} value={address} label={name} />
            ))}
          </datalist>
        </div>
        {error && (
          <div className={css('wide')}>
            <ErrorNote error={error} />
          </div>
        )}
        <div className={css('wide', 'submit')}>
          <Button type="submit" disabled={isPending}>
            Sign and send
          </Button>
          <p className={css('note')}>{TEST_KEYS}</p>
        </div>
      </form>
    </Panel>
  )
}

function Balance({ index }: { index: number }) {
  const account = DEV_ACCOUNTS[index]
  const version = useFeed((feed) => feed.live?.hash)
  const { data } = useQuery(balanceQuery(useProvider(), account?.address ?? '0x', version ?? ''))
  return <>Pending balance {data === undefined ? '…' : formatEth(data)}</>
}
