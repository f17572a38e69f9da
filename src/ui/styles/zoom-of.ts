/** How much larger than its style sheet says an element is drawn: pixels of the window for each of its own. */
export function zoomOf(element: HTMLElement): number {
  return element.offsetWidth === 0 ? 1 : element.getBoundingClientRect().width / element.offsetWidth
}
