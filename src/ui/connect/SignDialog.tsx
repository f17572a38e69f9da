import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AskedCall, SigningRequest } from '#client/wallet/wallet-requests.ts'
import { isObject } from '#primitives/json-object.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Impersonated } from '#ui/chain/Impersonated.tsx'
import { Button } from '#ui/components/Button.tsx'
import { LongText } from '#ui/components/CodeBlock.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { FieldList, FieldRow } from '#ui/components/FieldList.tsx'
import { CheckField } from '#ui/components/form/CheckField.tsx'
import { cutText, LONGEST_BLOCK } from '#ui/format/contract-text.ts'
import { formatExactEth } from '#ui/format/exact-eth.ts'
import { formatCount } from '#ui/format/numbers.ts'
import { useImpersonated } from '#ui/own/impersonated.ts'
import { useProvider } from '#ui/page/session.ts'
import { useFollowImpersonated } from '#ui/queries/impersonated.ts'
import { statusQuery } from '#ui/queries/status.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { TestKeys, Waiting } from './DialogNotes.tsx'
import { describeData } from './describe-data.ts'
import styles from './WalletDialog.module.css'

const css = classNames(styles)

/** Asks whether an account may sign what a dapp wants signed. */
export function SignDialog({
  dapp,
  others,
  request,
  onSign,
  onRefuse,
}: {
  dapp: string
  others: number
  request: SigningRequest
  onSign: (remember: boolean) => void
  onRefuse: () => void
}) {
  const [remember, setRemember] = useState(false)
  useFollowImpersonated()
  const isImpersonated = useImpersonated((all) => all.has(request.account))
  const { title, action, what } = wordsOf(request)
  return (
    <Dialog
      title={title}
      onDismiss={onRefuse}
      actions={
        <>
          <Button onClick={onRefuse}>Reject</Button>
          <Button look="primary" onClick={() => onSign(remember)}>
            {action}
          </Button>
        </>
      }
    >
      <p>
        <strong className={css('dapp')}>{dapp}</strong> {what}{' '}
        <Address address={request.account} link={false} says={false} />
        {isImpersonated && (
          <>
            {' '}
            <Impersonated />
          </>
        )}
        .
      </p>
      <Content request={request} />
      <CheckField checked={remember} onChange={setRemember}>
        Don’t ask again for this page
      </CheckField>
      {isImpersonated ? <WithoutKey request={request} /> : <TestKeys />}
      <Waiting others={others} />
    </Dialog>
  )
}

function wordsOf(request: SigningRequest): { title: string; action: string; what: string } {
  if (request.kind === 'message') {
    return { title: 'Sign a message?', action: 'Sign', what: 'wants this message signed by' }
  }
  if (request.kind === 'typed-data') {
    return { title: 'Sign typed data?', action: 'Sign', what: 'wants this data signed by' }
  }
  const one = request.calls.length === 1
  if (request.together) {
    const calls = formatCount(request.calls.length, 'call')
    const what = `wants ${one ? 'this call' : 'these calls'} made in one transaction, all or none, from`
    return { title: `Send ${calls} as one transaction?`, action: 'Send', what }
  }
  const noun = one ? 'a transaction' : `${request.calls.length} transactions`
  if (!request.sent) {
    return { title: `Sign ${noun}?`, action: 'Sign', what: 'can send what you sign here at any time. The sender is' }
  }
  return { title: `Send ${noun}?`, action: 'Send', what: `wants to send ${one ? 'this' : 'these, one by one,'} from` }
}

/** What becomes of it, where the account has no key. */
function WithoutKey({ request }: { request: SigningRequest }) {
  const { data: status } = useQuery(statusQuery(useProvider()))
  if (request.kind === 'transactions') {
    return <p className="note">The chain sends for this account without its key. Nothing is signed.</p>
  }
  if (status && status.options?.impersonatedSignatures !== true) {
    return (
      <p className="note">
        This chain does not sign for an account without its key, so it will refuse. One that is started with{' '}
        <code>impersonatedSignatures</code> does.
      </p>
    )
  }
  return (
    <p className="note">
      The account has no key here. What is signed is <strong>valid on this chain alone</strong>, in its contracts.
      Nowhere else is it a signature.
    </p>
  )
}

function Content({ request }: { request: SigningRequest }) {
  // Content from a dapp is always shown as text, never as markup.
  switch (request.kind) {
    case 'message':
      return <Asked label="Message" text={request.message} />
    case 'typed-data':
      return <Asked label="Typed data" text={messageFirst(request.typedData)} />
    case 'transactions':
      return (
        <ol className={css('calls')}>
          {request.calls.map((call, i) => (
            // Calls may repeat but never change while the dialog is open, so their index is the key.
            <li key={i}>
              <Call call={call} />
            </li>
          ))}
        </ol>
      )
  }
}

/** Typed data in full; its types, which are long and say the least, come last. */
function messageFirst(data: unknown): string {
  if (!isObject(data)) return JSON.stringify(data, undefined, 2) ?? ''
  const { types, ...said } = data
  return JSON.stringify({ ...said, types }, undefined, 2)
}

/** The content to sign; long content is cut, with the number of hidden characters. */
function Asked({ label, text }: { label: string; text: string }) {
  const more = text.length - LONGEST_BLOCK
  return (
    <>
      <LongText label={label}>{cutText(text, LONGEST_BLOCK)}</LongText>
      {more > 0 && (
        <p>
          <strong>{formatCount(more, 'more character')} are not shown here.</strong> Do not sign what you have not read.
        </p>
      )}
    </>
  )
}

function Call({ call: { to, value, data } }: { call: AskedCall }) {
  const known = describeData(to, data)
  return (
    <FieldList>
      {to ? (
        <FieldRow name="To" raw={to}>
          <Address address={to} full link={false} />
        </FieldRow>
      ) : (
        <FieldRow name="To">a new contract</FieldRow>
      )}
      <FieldRow name="Value" raw={String(value)}>
        {formatExactEth(value)}
      </FieldRow>
      {known && <FieldRow name="Effect">{known}</FieldRow>}
      {data !== '0x' && (
        <FieldRow name="Data" raw={data} mono>
          {data.length > 202 ? `${data.slice(0, 202)}…` : data}
        </FieldRow>
      )}
    </FieldList>
  )
}
