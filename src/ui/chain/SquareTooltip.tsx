import { createPortal } from 'react-dom'
import { findDevAccount } from '#client/signing/dev-accounts.ts'
import type { Address } from '#primitives/hex.ts'
import { mediumHex, shortHex } from '#ui/format/hex.ts'
import { formatEth } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SquareTooltip.module.css'
import { StateChip } from './StateChip.tsx'
import type { Square } from './squares/square.ts'

const css = classNames(styles)

/** The square under the pointer. Its position is in CSS pixels of the window. */
export interface HoveredSquare {
  readonly square: Square
  readonly tx: NonNullable<Square['tx']>
  readonly x: number
  readonly y: number
}

/** Details of a square's transaction, beside the pointer. */
export function SquareTooltip({ hovered: { square, tx, x, y } }: { hovered: HoveredSquare }) {
  // On the side with more room.
  const left = x < window.innerWidth / 2
  const place = left ? { left: x + 14 } : { right: document.documentElement.clientWidth - x + 14 }
  return createPortal(
    <div className={css('tooltip')} style={{ ...place, top: y + 16 }} aria-hidden="true">
      <span className="mono">{mediumHex(tx.hash)}</span>
      <StateChip status={square.status} outcome={square.reverted ? 'reverted' : undefined} />
      <span>
        {formatEth(tx.value)} <span className="muted">{nameOf(tx.from)} →</span>{' '}
        <span className="muted">{tx.to ? nameOf(tx.to) : 'new contract'}</span>
      </span>
    </div>,
    document.body,
  )
}

function nameOf(address: Address): string {
  return findDevAccount(address)?.name ?? shortHex(address)
}
