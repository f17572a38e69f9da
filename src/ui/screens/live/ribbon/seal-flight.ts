import { useMarks } from '#ui/chain/squares/marks.ts'
import { squareOf } from '#ui/chain/squares/square.ts'
import { SquarePainter } from '#ui/chain/squares/square-painter.ts'
import { readColors } from '#ui/chain/squares/square-sprite.ts'
import type { SealedSummary } from '#ui/feed/feed-state.ts'
import { useOwnTransactions } from '#ui/own/own-transactions.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { zoomOf } from '#ui/styles/zoom-of.ts'
import styles from './SealFlight.module.css'

const css = classNames(styles)

/** A picture of a block on its way into the list. */
export interface Flight {
  readonly element: HTMLElement
  /** How it looks once it is there. */
  readonly landed: Keyframe
}

/**
 * Lays a picture of the pending block, as it was before its seal, over the panel. It is a child of its entry in the list.
 *
 * @param row - The entry.
 */
export function createFlight(row: HTMLElement, livePanel: HTMLElement, sealed: SealedSummary): Flight {
  const zoom = zoomOf(row)
  const [from, to] = [livePanel.getBoundingClientRect(), row.getBoundingClientRect()]
  const element = document.createElement('span')
  element.className = css('flight')
  element.dataset['morph'] = 'flight'
  element.ariaHidden = 'true'
  const [left, top] = [(from.left - to.left) / zoom, (from.top - to.top) / zoom]
  place(element, { left, top, width: from.width / zoom, height: from.height / zoom })
  row.append(element)
  drawInto(element, livePanel, sealed)
  const scale = Math.min(to.width / from.width, to.height / from.height)
  return { element, landed: { transform: `translate(${-left}px, ${-top}px) scale(${scale})`, opacity: 0 } }
}

/** Draws the squares of each partial block where its cell stands in the panel. */
function drawInto(flight: HTMLElement, livePanel: HTMLElement, { slots }: SealedSummary): void {
  const cells = livePanel.querySelectorAll<HTMLElement>('[data-morph="cell"]')
  const panel = livePanel.getBoundingClientRect()
  const zoom = zoomOf(livePanel)
  const own = useOwnTransactions.getState().hashes
  const marks = useMarks.getState().of
  const most = Math.max(0, ...(slots ?? []).map(({ transactions }) => transactions.length))
  const colors = readColors(livePanel)
  for (const { index, transactions } of slots ?? []) {
    const cell = cells[index]
    if (!cell || transactions.length === 0) continue
    const box = cell.getBoundingClientRect()
    const canvas = document.createElement('canvas')
    const size = { width: cell.clientWidth, height: cell.clientHeight }
    place(canvas, { left: (box.left - panel.left) / zoom, top: (box.top - panel.top) / zoom, ...size })
    flight.append(canvas)
    const painter = new SquarePainter(canvas, colors)
    painter.resize(size)
    const squares = transactions.map((tx) => squareOf(tx, 'preconfirmed', own))
    painter.show(squares, { align: 'bottom', wanted: undefined, marks, most }, false)
  }
}

function place(element: HTMLElement, box: Readonly<Record<'left' | 'top' | 'width' | 'height', number>>): void {
  for (const [name, length] of Object.entries(box)) element.style.setProperty(name, `${length}px`)
}
