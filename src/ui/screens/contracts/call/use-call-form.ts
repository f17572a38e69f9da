import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AbiParameter } from 'viem'
import { parseArguments } from '#ui/compose/call-data.ts'
import { parseAmount } from '#ui/own/transfer-form.ts'

/** The values of a call's form, once every field is valid. */
export interface FormValues {
  readonly args: readonly unknown[]
  /** Wei. */
  readonly value: bigint
}

const NO_ERRORS: readonly undefined[] = []

/**
 * The fields of a call: its arguments and, if it is payable, an amount in ETH. Errors are shown from the first attempt
 * on.
 *
 * @param initial - Initial texts.
 */
export function useCallForm(
  parameters: readonly AbiParameter[],
  payable: boolean,
  onSubmit: (values: FormValues) => void,
  initial: readonly string[] = [],
) {
  const [texts, setTexts] = useState(initial)
  const [amount, setAmount] = useState('0')
  const [checked, setChecked] = useState(false)
  const args = parseArguments(parameters, texts)
  const value = payable ? parseAmount(amount.trim()) : 0n

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // Synchronously, so that the first field with an error can get the focus.
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    if (args.ok && typeof value === 'bigint') onSubmit({ args: args.values, value })
  }

  return {
    /** The arguments that the fields have now; `undefined` if one is not valid. */
    args: args.ok ? args.values : undefined,
    texts,
    setTexts,
    amount,
    setAmount,
    argumentErrors: checked && !args.ok ? args.argumentErrors : NO_ERRORS,
    amountError: checked && typeof value === 'string' ? value : undefined,
    submit,
  }
}
