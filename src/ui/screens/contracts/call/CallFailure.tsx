import type { ReactNode } from 'react'
import type { Address } from '#primitives/hex.ts'
import type { FailureKind } from '#solidity/stack/failure.ts'
import { RevertView } from '#ui/chain/decoded/RevertView.tsx'
import { RefusedCallTrace } from '#ui/chain/failure/RefusedCallTrace.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { decodeRevert, type Revert } from '#ui/decode/decode-revert.ts'
import { revertData } from '#ui/execution/refused-call.ts'
import { useContracts } from '#ui/queries/use-contracts.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Function.module.css'

const css = classNames(styles)

/** What the revert data already says, in the words of a stack trace, so that the stack trace need not repeat it. */
const TOLD: Readonly<Record<Revert['kind'], FailureKind>> = {
  silent: 'bare',
  text: 'reason',
  panic: 'panic',
  custom: 'custom-error',
  unknown: 'unknown-error',
  stopped: 'other',
}

/** Why a call failed before anything was sent, with the contract's reason if it was the contract that refused. */
export function CallFailure({
  error,
  address,
  children,
}: {
  error: unknown
  address: Address | null
  children?: ReactNode
}) {
  const contracts = useContracts()
  const data = revertData(error)
  if (data === undefined) return <ErrorNote error={error} />
  const revert = decodeRevert(contracts, [address], data)
  return (
    <div role="alert" className={css('failure')}>
      <RevertView revert={revert} />
      {children}
      <RefusedCallTrace error={error} told={TOLD[revert.kind]} />
    </div>
  )
}
