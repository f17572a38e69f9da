import { type RefObject, useRef, useState } from 'react'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Amount.module.css'
import { CopyButton } from './CopyButton.tsx'
import { useShownPopover } from './use-shown-popover.ts'

const css = classNames(styles)

/**
 * An amount that tells its wei when it is pressed.
 *
 * @param children - The amount in ETH or gwei, rounded.
 */
export function Amount({ wei, children }: { wei: bigint; children: string }) {
  const [open, setOpen] = useState(false)
  const amount = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={amount} type="button" className={css('amount')} aria-expanded={open} onClick={() => setOpen(!open)}>
        {children}
      </button>
      {open && <Exact wei={wei} amount={amount} onClose={() => setOpen(false)} />}
    </>
  )
}

function Exact({ wei, amount, onClose }: { wei: bigint; amount: RefObject<HTMLElement | null>; onClose: () => void }) {
  const popover = useRef<HTMLSpanElement>(null)
  useShownPopover(popover, amount, onClose)
  return (
    <span
      ref={popover}
      popover="auto"
      role="group"
      aria-label="Exact amount"
      className={css('exact')}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
    >
      <span role="status">{formatInteger(wei)} wei</span>
      <CopyButton value={String(wei)} label="Wei" />
    </span>
  )
}
