import { type ComponentPropsWithoutRef, type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Popover.module.css'

const css = classNames(styles)

interface PopoverProps extends Omit<ComponentPropsWithoutRef<'span'>, 'popover' | 'onToggle'> {
  /** The element that it belongs to and stands beside. */
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

/** Pixels between what opens and what it belongs to, and at the least to the window's edge. */
const GAP = 6

/**
 * Puts an open popover under the element that it belongs to, or above it where there is more room; within the window
 * either way. It has to be `position: fixed`.
 */
export function placePopover(popover: HTMLElement, anchor: Element): void {
  const box = anchor.getBoundingClientRect()
  // Its clientWidth takes the gutter of the scrollbar in.
  const { offsetWidth: windowWidth, clientHeight } = document.documentElement
  const { offsetWidth, offsetHeight, style } = popover
  const below = box.bottom + GAP
  const isRoomBelow = below + offsetHeight + GAP <= clientHeight || box.top < clientHeight - box.bottom
  const furthest = windowWidth - offsetWidth - GAP
  style.top = `${isRoomBelow ? below : Math.max(GAP, box.top - GAP - offsetHeight)}px`
  style.left = `${Math.max(GAP, Math.min(box.left, furthest))}px`
}

/** Has a popover stand open beside what it belongs to as long as it is there; asks to close it when something scrolls. */
export function useShownPopover(
  popover: RefObject<HTMLElement | null>,
  anchor: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const close = useEffectEvent(onClose)
  useLayoutEffect(() => {
    if (!popover.current || !anchor.current) return undefined
    popover.current.showPopover()
    placePopover(popover.current, anchor.current)
    const { top, left } = anchor.current.getBoundingClientRect()
    // It would stay behind where the anchor goes; what scrolled before it opened is told only now.
    const giveUp = () => {
      const box = anchor.current?.getBoundingClientRect()
      if (!box || box.top !== top || box.left !== left) close()
    }
    window.addEventListener('scroll', giveUp, { capture: true })
    return () => window.removeEventListener('scroll', giveUp, { capture: true })
  }, [popover, anchor])
}
