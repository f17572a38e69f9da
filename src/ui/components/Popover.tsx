import { type ComponentPropsWithoutRef, type RefObject, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Popover.module.css'
import { useShownPopover } from './use-shown-popover.ts'

const css = classNames(styles)

interface PopoverProps extends Omit<ComponentPropsWithoutRef<'span'>, 'popover' | 'onToggle'> {
  /** What it belongs to, and stands beside. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly className: string
  readonly onClose: () => void
}

/** Something beside a word, above everything else, as long as it is rendered; a press elsewhere or Escape closes it. */
export function Popover({ anchor, className, onClose, ...rest }: PopoverProps) {
  const popover = useRef<HTMLSpanElement>(null)
  useShownPopover(popover, anchor, onClose)
  return (
    <span
      {...rest}
      ref={popover}
      popover="auto"
      className={`${css('popover')} ${className}`}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
    />
  )
}
