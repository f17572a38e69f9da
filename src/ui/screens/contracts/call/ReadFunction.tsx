import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { AbiFunction } from 'viem'
import type { Address, Hex } from '#primitives/hex.ts'
import { TokenAmount } from '#ui/chain/decoded/TokenAmount.tsx'
import { Arguments, Bytes, Value } from '#ui/chain/decoded/Value.tsx'
import { Button } from '#ui/components/Button.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { decodeParameters } from '#ui/decode/decode-values.ts'
import { encodeCallOf } from '#ui/decode/encode-values.ts'
import { signatureOf } from '#ui/decode/signature.ts'
import { answersAmount } from '#ui/decode/token-amounts.ts'
import { decodedText } from '#ui/decode/value-text.ts'
import { useFeed } from '#ui/feed/store.ts'
import { senderAddress, useSender } from '#ui/own/sender.ts'
import { useProvider } from '#ui/page/session.ts'
import { readQuery } from '#ui/queries/contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { ArgumentFields } from './ArgumentFields.tsx'
import { CallFailure } from './CallFailure.tsx'
import styles from './Function.module.css'
import { useCallForm } from './use-call-form.ts'

const css = classNames(styles)

/** A read function. One without parameters is called at once, and again at every partial block. */
export function ReadFunction({ address, item }: { address: Address; item: AbiFunction }) {
  const id = useId()
  const simple = item.inputs.length === 0
  const [asked, setAsked] = useState<Asked | undefined>(() =>
    simple ? { data: encodeCallOf(item, []), time: 0 } : undefined,
  )
  const [pinned, setPinned] = useState(false)
  const form = useCallForm(item.inputs, false, ({ args }) =>
    setAsked((before) => ({ data: encodeCallOf(item, args), time: (before?.time ?? 0) + 1 })),
  )
  const isOld = asked && !(form.args && encodeCallOf(item, form.args) === asked.data)
  if (simple && asked) {
    return (
      <article className={css('constant')} aria-labelledby={id}>
        <h4 id={id} className={css('name')}>
          {item.name}
        </h4>
        <Answer address={address} item={item} asked={asked} pinned isOld={false} />
      </article>
    )
  }
  return (
    <article className={css('function')} aria-labelledby={id}>
      <h4 id={id} className={css('name')}>
        {item.name}
      </h4>
      <form className={css('form')} onSubmit={form.submit} noValidate>
        <ArgumentFields
          parameters={item.inputs}
          texts={form.texts}
          errors={form.argumentErrors}
          onChange={form.setTexts}
        />
        {asked && <Answer address={address} item={item} asked={asked} pinned={pinned} isOld={isOld === true} />}
        <div className={css('actions')}>
          <Button type="submit" size="small" aria-label={`${asked ? 'Refresh' : 'Call'}: ${item.name}`}>
            {asked ? 'Refresh' : 'Call'}
          </Button>
          <CheckField checked={pinned} onChange={setPinned}>
            keep up to date
          </CheckField>
        </div>
      </form>
    </article>
  )
}

/** A question that was sent. */
interface Asked {
  readonly data: Hex
  /** How often it was asked before. */
  readonly time: number
}

/** @param isOld - Whether the fields say something else by now. */
function Answer({
  address,
  item,
  asked: { data: call, time },
  pinned,
  isOld,
}: {
  address: Address
  item: AbiFunction
  asked: Asked
  pinned: boolean
  isOld: boolean
}) {
  const from = useSender(senderAddress) ?? ZERO_ADDRESS
  const liveHash = useFeed((feed) => (pinned ? feed.live?.hash : undefined))
  const version = `${time} ${liveHash}`
  const { data: answer, error } = useQuery(readQuery(useProvider(), { from, to: address, data: call }, version))
  const problem = answer && 'error' in answer ? answer.error : error
  return (
    <>
      {isOld && <p className="note">The answer to {askedText(item, call)}, not to what the fields say now:</p>}
      {problem ? (
        <CallFailure error={problem} address={address} />
      ) : (
        // Not announced, since a value may change five times a second.
        <output className={css('answer', isOld && 'old')} aria-live="off" aria-label={`Answer of ${item.name}`}>
          {answer && 'result' in answer ? <Result address={address} item={item} data={answer.result} /> : '…'}
        </output>
      )}
    </>
  )
}

/** `one(x: 12)`. */
function askedText(item: AbiFunction, call: Hex): string {
  const args = decodeParameters(item.inputs, `0x${call.slice(SELECTOR_END)}`)?.args ?? []
  return decodedText({ name: item.name, args })
}

const ZERO_ADDRESS: Address = `0x${'00'.repeat(20)}`
/** Characters of a selector with `0x`. */
const SELECTOR_END = 10

function Result({ address, item, data }: { address: Address; item: AbiFunction; data: Hex }) {
  const { outputs } = item
  const decoded = decodeParameters(outputs, data)
  const [first, ...others] = decoded?.args ?? []
  if (!decoded)
    return data === '0x' ? <span className="muted">empty answer</span> : <Bytes bytes={data} label="Answer" />
  if (first && others.length === 0 && first.name === '') {
    return (
      <>
        <Value value={first.value} label="Answer" />
        {first.value.kind === 'integer' && answersAmount(signatureOf(item)) && (
          <TokenAmount token={address} value={first.value.integer} />
        )}
      </>
    )
  }
  return <Arguments args={decoded.args} />
}
