import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { AbiFunction } from 'viem'
import type { Address, Hash } from '#primitives/hex.ts'
import { ConsoleLines } from '#ui/chain/console/ConsoleLines.tsx'
import { TokenAmount } from '#ui/chain/decoded/TokenAmount.tsx'
import { Button } from '#ui/components/Button.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { sendCall } from '#ui/compose/send-call.ts'
import { encodeCallOf } from '#ui/decode/encode-values.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { amountArguments } from '#ui/decode/token-amounts.ts'
import { revertData } from '#ui/execution/refused-call.ts'
import { useSender } from '#ui/own/sender.ts'
import { sendingAccount } from '#ui/own/sending-account.ts'
import { useProvider } from '#ui/page/session.ts'
import { versionOf } from '#ui/queries/executions.ts'
import { useTransaction } from '#ui/queries/transactions.ts'
import { SentTransaction } from '#ui/screens/send/SentTransaction.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { ArgumentFields } from './ArgumentFields.tsx'
import { CallFailure } from './CallFailure.tsx'
import styles from './Function.module.css'
import { RevertReason } from './RevertReason.tsx'
import { type FormValues, useCallForm } from './use-call-form.ts'

const css = classNames(styles)

/** An amount as it can be shown; a word has up to 78 digits. */
const WHOLE_NUMBER = /^\d{1,77}$/
/** Gas limit for a call that will fail; unused gas is not paid. */
const GAS_ALL_THE_SAME = 1_000_000n

/** A call of a contract by a transaction. */
export function WriteFunction({ address, item }: { address: Address; item: AbiFunction }) {
  const id = useId()
  const provider = useProvider()
  const { mutate, data, error, variables, isPending, reset } = useMutation({
    mutationFn: async ({ args, value, gas }: FormValues & { readonly gas?: bigint }) =>
      sendCall(provider, {
        sender: sendingAccount(useSender.getState()),
        to: address,
        value,
        data: encodeCallOf(item, args),
        gas,
      }),
  })
  const payable = item.stateMutability === 'payable'
  const form = useCallForm(item.inputs, payable, (values) => mutate(values))
  return (
    <article className={css('function')} aria-labelledby={id}>
      <h4 id={id} className={css('name')}>
        {item.name}
      </h4>
      <form className={css('form')} onSubmit={form.submit} onChange={() => error && reset()} noValidate>
        <ArgumentFields
          parameters={item.inputs}
          texts={form.texts}
          errors={form.argumentErrors}
          onChange={form.setTexts}
        />
        {amountArguments(signatureOf(item)).map((position) => {
          const text = form.texts[position]?.trim() ?? ''
          return WHOLE_NUMBER.test(text) ? (
            <p key={position} className="note">
              {item.inputs[position]?.name ?? 'amount'}: {text}
              <TokenAmount token={address} value={BigInt(text)} />
            </p>
          ) : undefined
        })}
        {payable && (
          <TextField
            label="Amount in ETH"
            look="number"
            hint="Sent to the contract with the call."
            error={form.amountError}
            value={form.amount}
            onChange={form.setAmount}
          />
        )}
        <div className={css('actions')}>
          <Button
            type="submit"
            size="small"
            disabled={isPending}
            aria-label={`${isPending ? 'Sending…' : 'Send'} ${item.name}`}
          >
            {isPending ? 'Sending…' : 'Send'}
          </Button>
        </div>
      </form>
      {error && (
        <CallFailure error={error} address={address}>
          <p className="note">This was a dry run on the pending block. Nothing was sent.</p>
          {variables && revertData(error) !== undefined && (
            <Button size="small" onClick={() => mutate({ ...variables, gas: GAS_ALL_THE_SAME })}>
              Send anyway
            </Button>
          )}
        </CallFailure>
      )}
      {data && <Outcome hash={data} />}
    </article>
  )
}

function Outcome({ hash }: { hash: Hash }) {
  const { data } = useTransaction(hash)
  const receipt = data?.receipt
  return (
    <div className={css('outcome')}>
      <SentTransaction hash={hash} full />
      {receipt && <ConsoleLines subject={{ kind: 'transaction', hash }} version={versionOf(receipt)} />}
      {receipt?.status === '0x0' && <RevertReason hash={hash} block={receipt.blockHash} />}
    </div>
  )
}
