import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { mayMove } from '#ui/styles/motion.ts'
import { zoomOf } from '#ui/styles/zoom-of.ts'

const MORPH: KeyframeAnimationOptions = { duration: 300, easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)', fill: 'backwards' }

const AFTER_FIRST_VIEW_MS = 800

let createFlight: typeof import('./seal-flight.ts').createFlight | undefined

/** Loads the picture that flies while the first block is being built. Until then, and if it does not come, none flies. */
async function loadFlight(): Promise<void> {
  createFlight = (await import('./seal-flight.ts')).createFlight
}

/**
 * Animates the seal when the chain seals the next block: the pending block shrinks into the first entry of the list, the
 * others make room, and the new pending block grows from empty. Only if the two are side by side and fully visible;
 * otherwise it would fly over text that a person reads. Only transforms and opacity are animated.
 *
 * @param sealed - The newest sealed block.
 */
export function useSealMorph(
  list: RefObject<HTMLElement | null>,
  livePanel: RefObject<HTMLElement | null>,
  sealed: SealedSummary | undefined,
): void {
  const head = sealed?.number
  const shown = useRef(head)
  const running = useRef<readonly Animation[]>([])
  const places = useRef<Places>(new Map())
  useEffect(() => {
    // After the first view, which it would delay.
    const timer = setTimeout(() => loadFlight().catch(() => {}), AFTER_FIRST_VIEW_MS)
    return () => clearTimeout(timer)
  }, [])
  useLayoutEffect(() => {
    const isNext = shown.current !== undefined && head === shown.current + 1
    shown.current = head
    if (!list.current || !livePanel.current || !mayMove()) return
    for (const animation of running.current) animation.cancel()
    const before = places.current
    places.current = placesOf(list.current)
    // Several blocks at once are not animated: the page returned, or time was skipped.
    running.current = isNext && sealed ? play(list.current, livePanel.current, before, places.current, sealed) : []
    // oxlint-disable-next-line react/exhaustive-deps -- A block is sealed once; what the page learns of it later moves nothing.
  }, [head, list, livePanel])
}

/** Where entries of a list are in it, by their `data-key`, in pixels of the window. */
type Places = ReadonlyMap<string, { readonly left: number; readonly top: number }>

function placesOf(list: HTMLElement): Places {
  const { left, top } = list.getBoundingClientRect()
  return new Map(
    [...list.children].map((entry) => {
      const box = entry.getBoundingClientRect()
      return [entry.getAttribute('data-key') ?? '', { left: box.left - left, top: box.top - top }]
    }),
  )
}

function play(
  list: HTMLElement,
  livePanel: HTMLElement,
  before: Places,
  after: Places,
  sealed: SealedSummary,
): readonly Animation[] {
  const [row, ...others] = list.children
  if (!(row instanceof HTMLElement) || !isInSight(livePanel, row)) return []
  const zoom = zoomOf(row)
  const animations: Animation[] = []
  // A single keyframe would mean the end of an animation, not its start; so each ends with the element as it is.
  const animate = (element: Element | undefined, ...frames: Keyframe[]) => {
    if (element) animations.push(element.animate([...frames, {}], MORPH))
  }
  const flight = createFlight?.(row, livePanel, sealed)
  // The picture keeps its proportions all the way, and is never enlarged: it is drawn at the size at which it starts.
  if (flight) {
    animations.push(flight.element.animate([{ opacity: 1 }, { opacity: 1, offset: 0.55 }, flight.landed], MORPH))
  }
  animate(part(row, 'squares'), { opacity: 0 }, { opacity: 0, offset: 0.55 })
  // Only after the old row is gone and the squares have passed, so that nothing overlaps.
  for (const name of ['number', 'count']) animate(part(row, name), { opacity: 0 }, { opacity: 0, offset: 0.97 })
  for (const other of others) {
    const key = other.getAttribute('data-key') ?? ''
    const [was, is] = [before.get(key), after.get(key)]
    if (!was || !is || (was.left === is.left && was.top === is.top)) continue
    // One that changes its row would cross others.
    const crosses = was.left !== is.left && was.top !== is.top
    if (crosses) animate(other, { opacity: 0 }, { opacity: 0, offset: 0.97 })
    else animate(other, { transform: `translate(${(was.left - is.left) / zoom}px, ${(was.top - is.top) / zoom}px)` })
  }
  animate(part(livePanel, 'squares'), { opacity: 0, transform: 'scaleY(0.6)' })
  animate(part(livePanel, 'number'), { opacity: 0 })
  const letPresses = letPressesThrough(row)
  void Promise.allSettled(animations.map(({ finished }) => finished)).then(() => {
    flight?.element.remove()
    letPresses()
  })
  return animations
}

/** Until the new row is drawn, the row before it is still in its place: a press there means that one. */
function letPressesThrough(row: Element): () => void {
  const link = row.querySelector('a')
  if (!link) return () => {}
  link.style.pointerEvents = 'none'
  return () => {
    link.style.pointerEvents = ''
  }
}

/**
 * Whether the path from the pending block to the row crosses nothing else: they are side by side, below anything
 * sticky.
 */
function isInSight(livePanel: HTMLElement, row: Element): boolean {
  const [from, to] = [livePanel.getBoundingClientRect(), row.getBoundingClientRect()]
  const header = document.querySelector('body header')
  const top = header && getComputedStyle(header).position === 'sticky' ? header.getBoundingClientRect().bottom : 0
  const isShown = ({ top: above, bottom, left, right }: DOMRect) =>
    above >= top && bottom <= window.innerHeight && left >= 0 && right <= window.innerWidth
  return to.left >= from.right && isShown(from) && isShown(to)
}

function part(container: Element, name: string): Element | undefined {
  return container.querySelector(`[data-morph="${name}"]`) ?? undefined
}
