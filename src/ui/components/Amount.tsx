import { useRef, useState } from 'react'
import { formatInteger } from '#ui/format/numbers.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Amount.module.css'
import { CopyButton } from './CopyButton.tsx'
import { Popover } from './Popover.tsx'

const css = classNames(styles)

/**
 * A rounded amount that shows its wei when pressed.
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
      {open && (
        <Popover
          anchor={amount}
          className={css('exact')}
          role="group"
          aria-label="Exact amount"
          onClose={() => setOpen(false)}
        >
          <span role="status">{formatInteger(wei)} wei</span>
          <CopyButton value={String(wei)} label="Wei" />
        </Popover>
      )}
    </>
  )
}
