import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { placePopover } from './place-popover.ts'

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
