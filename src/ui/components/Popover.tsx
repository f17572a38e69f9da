import { type ComponentPropsWithoutRef, type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Popover.module.css'

const css = classNames(styles)

interface PopoverProps extends Omit<ComponentPropsWithoutRef<'span'>, 'popover' | 'onToggle'> {
  /** The element beside which it opens. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly className: string
  readonly onClose: () => void
}

/** A popover beside an element, open as long as it is rendered. A press elsewhere or Escape closes it. */
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

/** Pixels between a popover and its anchor, and the least distance to the window's edge. */
const GAP = 6

/**
 * Places an open popover below its anchor, or above it if there is more room, and always within the window. The popover
 * must be `position: fixed`.
 */
export function placePopover(popover: HTMLElement, anchor: Element): void {
  const box = anchor.getBoundingClientRect()
  // The document's clientWidth includes the scrollbar's gutter.
  const { offsetWidth: windowWidth, clientHeight } = document.documentElement
  const { offsetWidth, offsetHeight, style } = popover
  const below = box.bottom + GAP
  const isRoomBelow = below + offsetHeight + GAP <= clientHeight || box.top < clientHeight - box.bottom
  const furthest = windowWidth - offsetWidth - GAP
  style.top = `${isRoomBelow ? below : Math.max(GAP, box.top - GAP - offsetHeight)}px`
  style.left = `${Math.max(GAP, Math.min(box.left, furthest))}px`
}

/** Keeps a popover open beside its anchor while it is rendered; asks to close it when something scrolls. */
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
    // The popover would stay behind when its anchor moves. A scroll that began before it opened is reported only now.
    const giveUp = () => {
      const box = anchor.current?.getBoundingClientRect()
      if (!box || box.top !== top || box.left !== left) close()
    }
    window.addEventListener('scroll', giveUp, { capture: true })
    return () => window.removeEventListener('scroll', giveUp, { capture: true })
  }, [popover, anchor])
}
