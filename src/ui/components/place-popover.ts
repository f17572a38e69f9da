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
