import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import { SendFailure } from '#ui/chain/failure/SendFailure.tsx'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { Button } from '#ui/components/Button.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { useSender } from '#ui/own/sender.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { parseTransfer, type TransferInput } from '#ui/own/transfer-form.ts'
import { quickRecipient, useSend } from '#ui/own/use-send.ts'
import { useProvider } from '#ui/page/session.ts'
import { balanceQuery } from '#ui/queries/accounts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SendForm.module.css'

const css = classNames(styles)

/** A form for a transfer; its fields keep their values, whatever the node answers. */
export function SendForm() {
  const sender = useSender((state) => state.index)
  const isImpersonating = useSender((state) => state.other !== undefined)
  const [input, setInput] = useState<TransferInput>({ to: quickRecipient(0), value: '0.01' })
  const [checked, setChecked] = useState(false)
  const { mutate, reset, error, isPending } = useSend()
  const fields = parseTransfer(input)
  const errors = checked && !fields.ok ? fields.errors : {}

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    reset()
    if (fields.ok) mutate({ ...fields, fromAnyone: true })
  }

  return (
    <Panel title="Send a transfer" about={isImpersonating ? 'Sent without a key' : 'Signed in this page'}>
      <form className={css('form')} onSubmit={submit} noValidate>
        <SenderField hint={<Balance index={sender} />} checked={checked} />
        <TextField
          label="Amount in ETH"
          look="number"
          error={errors.value}
          value={input.value}
          onChange={(value) => setInput({ ...input, value })}
        />
        <div className={css('wide')}>
          <TextField
            label="To"
            look="address"
            error={errors.to}
            value={input.to}
            onChange={(to) => setInput({ ...input, to })}
          />
        </div>
        {error && (
          <div className={css('wide', 'failure')}>
            <SendFailure error={error} />
          </div>
        )}
        <div className={css('wide', 'submit')}>
          <Button type="submit" disabled={isPending}>
            {isImpersonating ? 'Send impersonated' : 'Sign & send'}
          </Button>
          {!isImpersonating && <p className={`${css('note')} note`}>{TEST_KEYS}</p>}
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
