import { isObject } from '#primitives/json-object.ts'

/** What a page has done that a judge looks at. Times are milliseconds since the Unix epoch, by the machine's clock. */
export type PageNote =
  /** Lines that the page shows from now on, and no longer. */
  | {
      readonly kind: 'lines'
      readonly atMs: number
      readonly shown: readonly string[]
      readonly gone: readonly string[]
    }
  /** The person has clicked, or pressed Enter or Space. */
  | { readonly kind: 'press'; readonly atMs: number; readonly busy: readonly BusyPart[] }

/** A look at a page that stands still. */
export interface PageLook {
  /** Each line of text that can be seen, once. */
  readonly lines: readonly string[]
  /** Controls that nobody can use, and signs that something is under way, each by its place in the page. */
  readonly busy: readonly BusyPart[]
}

/** A part of a page that is busy. */
export interface BusyPart {
  /** Where it stands, whatever it says: `main>button:2`. */
  readonly place: string
  /** What it says, or its role. */
  readonly text: string
  readonly why: 'disabled' | 'busy' | 'progress'
}

/** Most characters of a line that are kept, and most lines of a page. */
const MAX_LINE = 200
const MAX_LINES = 2_000
/** Most characters of a place in a page. */
const MAX_PLACE = 1_000

/** What the functions for pages are given: they cross over as text, so they name nothing outside of themselves. */
export interface PageLimits {
  readonly maxLine: number
  readonly maxLines: number
}

export const PAGE_LIMITS: PageLimits = { maxLine: MAX_LINE, maxLines: MAX_LINES }

/** Runs in the page. */
export function lookAtPage({ maxLine, maxLines }: PageLimits): PageLook {
  const lines = new Set<string>()
  for (const line of (document.body?.innerText ?? '').split('\n')) {
    const trimmed = line.trim()
    if (trimmed !== '' && lines.size < maxLines) lines.add(trimmed.slice(0, maxLine))
  }
  function placeOf(element: Element): string {
    const parts: string[] = []
    for (let at: Element | null = element; at && at !== document.body; at = at.parentElement) {
      const tag = at.localName
      const siblings = [...(at.parentElement?.children ?? [])].filter((each) => each.localName === tag)
      parts.unshift(`${tag}:${siblings.indexOf(at)}`)
    }
    return parts.join('>')
  }
  const controls = 'button, input, select, textarea, [role=button]'
  const progress = 'progress, [role=progressbar]'
  const busy: BusyPart[] = []
  for (const element of document.querySelectorAll<HTMLElement>(`${controls}, ${progress}, [aria-busy=true]`)) {
    if (busy.length >= maxLines) break
    const isSeen = element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
    if (!isSeen) continue
    const why =
      element.getAttribute('aria-busy') === 'true'
        ? 'busy'
        : element.matches(progress)
          ? 'progress'
          : element.matches(':disabled, [aria-disabled=true]')
            ? 'disabled'
            : undefined
    const name = (element.getAttribute('aria-label') ?? element.innerText ?? '').trim() || element.localName
    if (why) busy.push({ place: placeOf(element), text: name.slice(0, maxLine), why })
  }
  return { lines: [...lines], busy }
}

/** What {@link watchPage} is given. */
export interface PageWatch extends PageLimits {
  /** Name of the function that the test has put into the page. */
  readonly binding: string
}

/** A note within the limits, whatever a page tells; `undefined` if it is none. */
export function readNote(note: unknown): PageNote | undefined {
  if (!isObject(note) || typeof note['atMs'] !== 'number') return undefined
  const { kind, atMs, shown, gone, busy } = note
  if (kind === 'lines') return { kind, atMs, shown: linesOf(shown), gone: linesOf(gone) }
  if (kind !== 'press' || !Array.isArray(busy)) return undefined
  const parts = busy.slice(0, MAX_LINES).filter((part): part is BusyPart => isObject(part))
  return { kind, atMs, busy: parts.map(({ place, text, why }) => ({ place: cut(place), text: cut(text), why })) }
}

const cut = (text: unknown): string => String(text).slice(0, MAX_PLACE)

function linesOf(lines: unknown): readonly string[] {
  if (!Array.isArray(lines)) return []
  return lines.slice(0, MAX_LINES).map((line) => String(line).slice(0, MAX_LINE))
}

/** The script that {@link watchPage} is in each document, before the dapp's. */
export function watchScript(watch: PageWatch): string {
  return `(${String(watchPage)})(${JSON.stringify(watch)}, ${String(lookAtPage)})`
}

/** Runs in each document, and tells what happens there. */
function watchPage({ binding, ...limits }: PageWatch, look: typeof lookAtPage): void {
  const tell = (window as unknown as Record<string, ((note: PageNote) => Promise<void>) | undefined>)[binding]
  if (!tell || window.top !== window) return
  let known = new Set<string>()
  let isDue = false
  const now = () => performance.timeOrigin + performance.now()
  // Telling ends with the test.
  const say = (note: PageNote) => void tell?.(note).catch(() => {})
  function compare(): void {
    isDue = false
    const lines = new Set(look(limits).lines)
    const shown = [...lines].filter((line) => !known.has(line))
    const gone = [...known].filter((line) => !lines.has(line))
    known = lines
    if (shown.length > 0 || gone.length > 0) say({ kind: 'lines', atMs: now(), shown, gone })
  }
  function changed(): void {
    if (isDue) return
    isDue = true
    setTimeout(compare)
  }
  new MutationObserver(changed).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
  document.addEventListener('DOMContentLoaded', changed)
  function pressed(event: Event): void {
    if (!event.isTrusted) return
    if (event instanceof KeyboardEvent && event.key !== 'Enter' && event.key !== ' ') return
    say({ kind: 'press', atMs: now(), busy: look(limits).busy })
  }
  addEventListener('pointerdown', pressed, true)
  addEventListener('keydown', pressed, true)
}
