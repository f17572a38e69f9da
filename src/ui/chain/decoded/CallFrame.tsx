import { useState } from 'react'
import type { RpcCallFrame } from '#rpc-types/methods/debug.ts'
import { Address } from '#ui/chain/Address.tsx'
import { Glyph } from '#ui/chain/Glyph.tsx'
import { type DecodedCall, decodeCall, decodeResult } from '#ui/decode/decode-call.ts'
import { decodeFailure } from '#ui/decode/decode-revert.ts'
import type { Contracts } from '#ui/decode/knowledge.ts'
import { decodedText } from '#ui/decode/value-text.ts'
import { formatExactEth } from '#ui/format/exact-eth.ts'
import { formatInteger } from '#ui/format/numbers.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './CallFrame.module.css'
import { DecodedView } from './DecodedView.tsx'
import { RevertView, revertText } from './RevertView.tsx'
import { Arguments, Bytes } from './Value.tsx'

const css = classNames(styles)

const isCreation = ({ type }: RpcCallFrame) => type === 'CREATE' || type === 'CREATE2'

/** One call: its kind, target, effect and gas; more details when opened. */
export function CallFrame({ frame, total }: { frame: RpcCallFrame; total: number }) {
  const contracts = useContracts()
  const [open, setOpen] = useState(false)
  const call = isCreation(frame) ? undefined : decodeCall(contracts, frame.to ?? null, frame.input)
  const value = BigInt(frame.value ?? '0x0')
  return (
    <div className={css('frame', frame.error !== undefined && 'failed')}>
      <p className={css('line')}>
        <span className={css('type')}>{frame.type}</span>
        {frame.to ? <Address address={frame.to} /> : <span className="muted">a contract that was not created</span>}
        {value > 0n && <span className={css('value')}>{formatExactEth(value)}</span>}
        <Gas used={Number(frame.gasUsed)} total={total} />
      </p>
      {frame.error !== undefined && (
        <p className={css('error')}>
          <Glyph sign="reverted" size={10} /> reverted <bdi>{revertText(decodeFailure(contracts, frame))}</bdi>
        </p>
      )}
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)} className={css('details')}>
        <summary>
          <code>{summaryOf(frame, call)}</code>
        </summary>
        {open && <Details frame={frame} call={call} contracts={contracts} />}
      </details>
    </div>
  )
}

function summaryOf(frame: RpcCallFrame, call: DecodedCall | undefined): string {
  if (isCreation(frame)) return 'code of a new contract'
  if (call) return decodedText(call)
  if (frame.input === '0x') return frame.type === 'SELFDESTRUCT' ? 'sends its balance away' : 'no data'
  return `${frame.input.slice(0, 10)}… not decoded`
}

function Gas({ used, total }: { used: number; total: number }) {
  const share = total === 0 ? 0 : Math.min(1, used / total)
  return (
    <span className={css('gas')} title={`${formatInteger(used)} gas, with what it called in turn`}>
      <span className={css('bar')} aria-hidden="true">
        <span className={css('fill')} style={{ width: `${share * 100}%` }} />
      </span>
      {formatInteger(used)} gas
    </span>
  )
}

function Details({
  frame,
  call,
  contracts,
}: {
  frame: RpcCallFrame
  call: DecodedCall | undefined
  contracts: Contracts
}) {
  const result =
    frame.error === undefined && !isCreation(frame)
      ? decodeResult(contracts, frame.to ?? null, frame.input, frame.output ?? '0x')
      : undefined
  return (
    <div className={css('content')}>
      {call && <DecodedView decoded={call} token={frame.to} />}
      {result && (
        <div>
          <p className={css('caption')}>Result</p>
          <Arguments args={result} />
        </div>
      )}
      {frame.error !== undefined && <RevertView revert={decodeFailure(contracts, frame)} />}
      <dl className={css('fields')}>
        <div className={css('field')}>
          <dt>From</dt>
          <dd>
            <Address address={frame.from} />
          </dd>
        </div>
        <div className={css('field')}>
          <dt>Gas limit</dt>
          <dd>{formatInteger(BigInt(frame.gas))}</dd>
        </div>
        <div className={css('field')}>
          <dt>Input</dt>
          <dd>
            <Bytes bytes={frame.input} label="Input" />
          </dd>
        </div>
        <div className={css('field')}>
          <dt>Output</dt>
          <dd>
            <Bytes bytes={frame.output ?? '0x'} label="Output" />
          </dd>
        </div>
      </dl>
    </div>
  )
}
