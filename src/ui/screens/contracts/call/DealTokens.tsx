import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { parseUnits } from 'viem'
import { chainKeyOf } from '#client/session/chain-key.ts'
import { DEV_ACCOUNTS } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { AccountOptions } from '#ui/chain/AccountOptions.tsx'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Field, fieldClass } from '#ui/components/form/Field.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { useSender } from '#ui/own/sender.ts'
import { useSession } from '#ui/page/session.ts'
import { tokenWordsQuery } from '#ui/queries/tokens.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './DealTokens.module.css'

const css = classNames(styles)

/** A number of tokens. Commas stand before each third digit: `1,5` may be meant as 1.5. */
const AMOUNT = /^(?:\d{1,60}|\d{1,3}(?:,\d{3}){1,20})(?:\.\d+)?$/

/** What may stand among the page's own words and in its button; what else a contract calls itself may not. */
const SYMBOL = /^\S{1,20}$/

/** Gives a development account tokens of a fork, by an edit of the token’s storage. */
export function DealTokens({ token }: { token: Address }) {
  const session = useSession()
  const { provider } = session
  const { data: words, error } = useQuery(tokenWordsQuery(provider, chainKeyOf(session), token))
  const [amount, setAmount] = useState('1,000,000')
  const [checked, setChecked] = useState(false)
  const [index, setIndex] = useState(useSender((sender) => sender.index))
  const account = DEV_ACCOUNTS[index]
  const symbol = words?.symbol !== undefined && SYMBOL.test(words.symbol) ? words.symbol : 'tokens'
  const value = unitsOf(amount, words?.decimals)
  const dealing = useMutation({
    async mutationFn(deal: { to: Address; name: string; units: bigint; said: string }) {
      await provider.request({ method: 'anvil_dealERC20', params: [deal.to, token, String(deal.units)] })
      return `${deal.name} has ${deal.said} now, in the pending block.`
    },
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    if (value === undefined || !account) return
    dealing.mutate({ to: account.address, name: account.name, units: value, said: `${amount.trim()} ${symbol}` })
  }

  return (
    <form className={css('deal')} onSubmit={submit} noValidate aria-label="Give tokens">
      <p className="note">
        This is a fork: you can give your accounts any amount of {symbol}. The token’s storage is changed; on the real
        chain nothing is.
      </p>
      <div className={css('fields')}>
        <TextField
          label={`Amount of ${symbol}`}
          look="number"
          error={checked && value === undefined ? amountRule(words?.decimals) : undefined}
          value={amount}
          onChange={setAmount}
        />
        <Field label="To">
          {(props) => (
            <select
              {...props}
              className={fieldClass}
              value={index}
              onChange={(event) => setIndex(Number(event.target.value))}
            >
              <AccountOptions />
            </select>
          )}
        </Field>
        <Button type="submit" disabled={dealing.isPending || words === undefined}>
          {dealing.isPending ? 'Giving…' : `Give ${symbol}`}
        </Button>
      </div>
      {dealing.data !== undefined && <p role="status">{dealing.data}</p>}
      {(dealing.error ?? error) && <ErrorNote error={dealing.error ?? error} />}
    </form>
  )
}

/** The token's smallest units; `undefined` if it is no amount of it. */
function unitsOf(text: string, decimals = 0): bigint | undefined {
  const plain = text.trim().replaceAll(',', '')
  if (!AMOUNT.test(text.trim()) || (plain.split('.')[1]?.length ?? 0) > decimals) return undefined
  const units = parseUnits(plain, decimals)
  return units < 2n ** 256n ? units : undefined
}

function amountRule(decimals = 0): string {
  return decimals === 0 ? 'A whole number.' : `A number with at most ${decimals} digits after the point.`
}
