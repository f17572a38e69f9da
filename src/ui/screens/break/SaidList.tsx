import { ArrowLeft, ArrowLeftRight, Diamond, MonitorSmartphone, X } from 'lucide-react'
import { classNames } from '#ui/styles/class-names.ts'
import { PlaceSign } from './PlaceMark.tsx'
import styles from './SaidList.module.css'
import { type SaidRow, saidRows } from './said-rows.ts'
import type { DappOutcome } from './scenario/run-dapp.ts'
import { timeOf } from './words.ts'

const css = classNames(styles)

/** Calls, answers and events of one run, what the dapp showed and where the payment was, in order. */
export function SaidList({ run, label }: { run: DappOutcome; label: string }) {
  return (
    <ol className={css('list')} aria-label={label}>
      {saidRows(run).map((row, i) => (
        // The lines of a run never change.
        <li key={i} className={css('row', row.kind)}>
          <span className={css('time')}>{timeOf(row.tick)}</span>
          <Sign row={row} />
          <Words row={row} />
        </li>
      ))}
    </ol>
  )
}

const SIGNS = {
  show: MonitorSmartphone,
  event: ArrowLeft,
  crash: X,
  call: ArrowLeftRight,
  fault: Diamond,
  chain: ArrowLeft,
}

function Sign({ row: { kind, truth } }: { row: SaidRow }) {
  if (truth) return <PlaceSign place={truth} />
  const Icon = SIGNS[kind]
  return <Icon size={13} aria-hidden="true" />
}

function Words({ row: { kind, what, answer, isError, times, until } }: { row: SaidRow }) {
  const again = times > 1 && (
    <span className={css('again')}>
      {' '}
      × {times} until {timeOf(until)}
    </span>
  )
  switch (kind) {
    case 'show':
      return (
        <span>
          The dapp shows <strong>“{what}”</strong>
        </span>
      )
    case 'fault':
      return (
        <span>
          The fault strikes: <strong>{what}</strong>
        </span>
      )
    case 'chain':
      return (
        <span>
          On the chain: <strong>{what}</strong>
        </span>
      )
    case 'crash':
      return (
        <span className={css('error')}>
          The dapp’s code ends with an error: <strong>{what}</strong>
        </span>
      )
    case 'event':
      return (
        <span>
          Event: {what}
          {again}
        </span>
      )
    case 'call':
      return (
        <span>
          <code>{what}</code> → <span className={css(isError && 'error')}>{answer}</span>
          {again}
        </span>
      )
  }
}
