import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { RefusedCallTrace } from '#ui/chain/failure/RefusedCallTrace.tsx'
import { SendFailure } from '#ui/chain/failure/SendFailure.tsx'
import { SenderField } from '#ui/chain/SenderField.tsx'
import { Button } from '#ui/components/Button.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import type { DraftKind } from '#ui/compose/draft.ts'
import { type Composed, useComposition } from '#ui/compose/use-composition.ts'
import { useSendComposed } from '#ui/compose/use-send-composed.ts'
import { viemSnippet } from '#ui/compose/viem-snippet.ts'
import { refusedCallOf } from '#ui/execution/refused-call.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { senderAddress } from '#ui/own/sender.ts'
import { TEST_KEYS } from '#ui/own/test-keys.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'
import { Consequences } from './Consequences.tsx'
import { GasFields } from './GasFields.tsx'
import { keepSent } from './last-sent.ts'
import { Sent } from './Sent.tsx'
import { SignedPreview } from './SignedPreview.tsx'
import { TargetFields } from './TargetFields.tsx'

const css = classNames(styles)
/** As wide as a usual balance, so that lines break where they will. */
const UNKNOWN = '\u2007'.repeat(15)

/** A form for a transaction that the page signs, with the resulting bytes beside it. */
export function Composer({ kind }: { kind: Exclude<DraftKind, 'raw'> }) {
  const composed = useComposition(kind)
  const { sender, errors, composition, facts, tx, raw } = composed
  const isImpersonating = sender.other !== undefined
  const copies = composition?.copies ?? 1
  const provider = useProvider()
  const [checked, setChecked] = useState(false)
  const { mutate, reset, data: sent, error, isPending } = useSendComposed()

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // Synchronously, so that the first field with an error can get the focus.
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    reset()
    keepSent(provider, undefined)
    if (composition && !composed.estimateError)
      mutate({ sender, composition, complete: composed.complete }, { onSuccess: (done) => keepSent(provider, done) })
  }

  const press = isImpersonating ? 'Send impersonated' : 'Sign & send'
  const shown = checked ? errors : {}
  const problem = composed.factsError ?? error
  return (
    <>
      <div className={css('pair')}>
        <div className={css('made')}>
          <Panel title="Transaction" about={isImpersonating ? 'Sent without a key' : 'Signed in this page'}>
            <form className={css('form')} onSubmit={submit} noValidate>
              <div className={css('wide')}>
                <SenderField
                  hint={`Pending balance ${facts ? formatEth(facts.balance) : UNKNOWN}. ${TEST_KEYS}`}
                  checked={checked}
                />
              </div>
              <TargetFields kind={kind} errors={shown} />
              <GasFields composed={composed} errors={shown} />
              {refusedCallOf(composed.estimateError) && (
                <div className={css('wide', 'refused')}>
                  <RefusedCallTrace error={composed.estimateError} />
                </div>
              )}
              {tx && facts && <Consequences tx={tx} facts={facts} copies={copies} />}
              {problem ? (
                <div className={css('wide', 'refused')}>
                  <SendFailure error={problem} />
                </div>
              ) : undefined}
              <div className={css('wide', 'actions')}>
                <Button type="submit" look="primary" disabled={isPending}>
                  {isPending ? 'Sending…' : `${press}${copies > 1 ? ` ${copies}` : ''}`}
                </Button>
              </div>
            </form>
          </Panel>
          <Sent isNew={sent !== undefined} />
        </div>
        <SignedPreview raw={raw} snippet={tx && viemSnippet(tx, sender)} waitingFor={whyNoBytes(composed)} />
      </div>
    </>
  )
}

function whyNoBytes({ sender, composition, estimateError }: Composed): string {
  if (senderAddress(sender) === undefined) return 'Choose a sender first.'
  if (sender.other !== undefined) {
    return 'Nothing is signed: this page has no key of the sender. The chain takes the transaction as it is.'
  }
  if (!composition) return 'Fill in every field to see the signed bytes.'
  return estimateError ? 'Enter a gas limit to see the signed bytes.' : 'Signing…'
}
