import { Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Panes.module.css'
import { borderRange, keepSizes, keptSizes, moveBorder } from './pane-sizes.ts'

const css = classNames(styles)

/** One of several panes beside or below each other. */
export interface Pane {
  /** Names the pane for the border after it: “Size of code”. */
  readonly label: string
  readonly content: ReactNode
  /** Share of the room at first; those of all panes are 1 together. */
  readonly share: number
  /** CSS pixels. */
  readonly least: number
  /** Whether the pane scrolls by itself; otherwise its content does. */
  readonly scrolls?: boolean
}

/** How far an arrow key moves a border, as a share of the room; with Shift, five times as far. */
const KEY_STEP = 0.02

/**
 * Panes that fill their room, with borders that can be moved by pointer and by keys; a double click, or Enter, puts them
 * back. Sizes are kept in this browser. In a small window they stand below each other and the page scrolls.
 *
 * @param name - Under which their sizes are kept.
 * @param direction - `row`: beside each other; `column`: below each other.
 */
export function Panes({
  name,
  direction,
  panes,
}: {
  name: string
  direction: 'row' | 'column'
  panes: readonly Pane[]
}) {
  const id = useId()
  const room = useRef<HTMLDivElement>(null)
  /** Where the pointer has taken hold of a border, from the start of its pane, and how far that is from its end. */
  const grip = useRef<{ readonly from: number; readonly offset: number; hasMoved: boolean }>(undefined)
  const [chosen, setChosen] = useState(() => keptSizes(name, panes.length))
  const atFirst = panes.map(({ share }) => share)
  const sizes = chosen?.length === panes.length ? chosen : atFirst
  const isRow = direction === 'row'

  function length(): number {
    const box = room.current?.getBoundingClientRect()
    return (isRow ? box?.width : box?.height) ?? 1
  }

  const least = () => panes.map((pane) => pane.least / length())

  function move(border: number, to: number, isDone: boolean): void {
    const next = moveBorder(sizes, border, to, least())
    setChosen(next)
    if (isDone) keepSizes(name, next)
  }

  function reset(): void {
    setChosen(undefined)
    keepSizes(name, undefined)
  }

  function onPointer(event: PointerEvent<HTMLElement>, border: number): void {
    const box = event.currentTarget.previousElementSibling?.getBoundingClientRect()
    if (!box) return
    const at = isRow ? event.clientX - box.left : event.clientY - box.top
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      grip.current = { from: at, offset: at - (isRow ? box.width : box.height), hasMoved: false }
      return
    }
    if (!grip.current || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { from, offset, hasMoved } = grip.current
    // A mere click moves nothing, so nothing is kept.
    grip.current.hasMoved = hasMoved || at !== from
    if (grip.current.hasMoved) move(border, (at - offset) / length(), event.type === 'pointerup')
  }

  function onKeyDown(event: KeyboardEvent, border: number): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const [low, high] = borderRange(sizes, border, least())
    const step = KEY_STEP * (event.shiftKey ? 5 : 1)
    const size = sizes[border] ?? 0
    const to = {
      [isRow ? 'ArrowLeft' : 'ArrowUp']: size - step,
      [isRow ? 'ArrowRight' : 'ArrowDown']: size + step,
      Home: low,
      End: high,
    }[event.key]
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) reset()
    else move(border, to, true)
  }

  const tracks = panes.map(({ least: px }, i) => `minmax(${px}px, ${sizes[i]}fr)`).join(' var(--border-track) ')
  return (
    <div
      ref={room}
      data-panes
      className={css('panes', direction)}
      style={{ '--tracks': tracks } as Record<string, string>}
    >
      {panes.map(({ label, content, scrolls = true }, i) => (
        // Panes have no identity other than their place.
        <Fragment key={i}>
          <div id={`${id}-${i}`} className={css('pane', scrolls && 'scrolls')}>
            {content}
          </div>
          {i + 1 < panes.length && (
            // A separator that can be focused is a control: it has a value and takes keys.
            <div
              role="separator"
              tabIndex={0}
              className={css('border')}
              aria-label={`Size of ${label}`}
              aria-orientation={isRow ? 'vertical' : 'horizontal'}
              aria-controls={`${id}-${i}`}
              aria-valuenow={Math.round((sizes[i] ?? 0) * 100)}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuetext={`${Math.round((sizes[i] ?? 0) * 100)} percent`}
              title="Drag, or use the arrow keys. Double-click to reset."
              onPointerDown={(event) => onPointer(event, i)}
              onPointerMove={(event) => onPointer(event, i)}
              onPointerUp={(event) => onPointer(event, i)}
              onDoubleClick={reset}
              onKeyDown={(event) => onKeyDown(event, i)}
            />
          )}
        </Fragment>
      ))}
    </div>
  )
}
