import { type PointerEvent, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useHighlight } from '#ui/feed/highlight.ts'
import { useAppearance } from '#ui/page/appearance.ts'
import { useGo } from '#ui/page/navigation.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { mayGrow } from '#ui/styles/motion.ts'
import styles from './Squares.module.css'
import { type HoveredSquare, SquareTooltip } from './SquareTooltip.tsx'
import { useMarks } from './squares/marks.ts'
import type { Square, WantedSquares } from './squares/square.ts'
import { type Presentation, SquarePainter } from './squares/square-painter.ts'
import { readColors, type SquareColors } from './squares/square-sprite.ts'

const css = classNames(styles)

const darkMode = () => window.matchMedia('(prefers-color-scheme: dark)')
const subscribeDarkMode = (listener: () => void) => {
  const query = darkMode()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * Transactions as small squares on a canvas. Hovering shows details, a click opens the transaction. This is only a
 * shortcut for the mouse: numbers, tables and links beside it have the same information.
 *
 * @param opens - Whether a click opens the transaction; not inside a link.
 * @param arriving - Whether the first squares have just arrived and may animate.
 */
export function Squares({
  squares,
  align = 'top',
  opens = true,
  arriving = false,
  most,
  block,
}: {
  squares: readonly Square[]
  align?: Presentation['align']
  opens?: boolean
  arriving?: boolean
  most?: Presentation['most']
  /** Number of their block, `null` if they are in none; left out if no other blocks are beside it. */
  block?: number | null | undefined
}) {
  const { ref, painter } = useSquarePainter(squares, { align, wanted: useWanted(block), most }, arriving)
  const go = useGo()
  const [hovered, setHovered] = useState<HoveredSquare>()

  function squareAt({ clientX, clientY, currentTarget }: PointerEvent): HoveredSquare | undefined {
    // A stage enlarges everything.
    const { left, top, width } = currentTarget.getBoundingClientRect()
    const scale = width / currentTarget.clientWidth
    const square = painter.current?.at((clientX - left) / scale, (clientY - top) / scale)
    return square?.tx && { square, tx: square.tx, x: clientX, y: clientY }
  }
  return (
    <>
      <canvas
        ref={ref}
        className={css('canvas', hovered && opens && 'pointed')}
        aria-hidden="true"
        onPointerMove={(event) => setHovered(event.pointerType === 'mouse' ? squareAt(event) : undefined)}
        onPointerLeave={() => setHovered(undefined)}
        onPointerUp={(event) => {
          const square = opens ? squareAt(event) : undefined
          if (square) go(`/tx/${square.tx.hash}`)
        }}
      />
      {hovered && <SquareTooltip hovered={hovered} />}
    </>
  )
}

/** The search applied to the squares of a block. */
function useWanted(block: number | null | undefined): WantedSquares | undefined {
  return useHighlight(({ highlighted }) => {
    if (typeof highlighted !== 'number') return highlighted
    if (block === undefined) return undefined
    return block === highlighted ? 'every' : 'none'
  })
}

let known: { readonly appearance: string; readonly colors: SquareColors } | undefined

/** All canvases share their colours. Reading them once avoids forcing a style computation for each. */
function colorsOf(canvas: HTMLCanvasElement, appearance: string): SquareColors {
  if (known?.appearance !== appearance) known = { appearance, colors: readColors(canvas) }
  return known.colors
}

/** Attaches a painter to the canvas and keeps the canvas up to date. */
function useSquarePainter(squares: readonly Square[], { align, wanted, most }: Presentation, arriving: boolean) {
  const ref = useRef<HTMLCanvasElement>(null)
  const painter = useRef<SquarePainter>(undefined)
  const theme = useAppearance((appearance) => appearance.theme)
  const systemIsDark = useSyncExternalStore(subscribeDarkMode, () => darkMode().matches)
  const appearance = `${theme}${systemIsDark}`
  const latest = useRef(appearance)
  const show = useRef(() => {})
  useLayoutEffect(() => {
    const canvas = ref.current
    if (!canvas) return undefined
    // The observer is first called in the frame that is about to be painted, when size and colours are known. Asking for them here
    // would have the browser lay out the page once more.
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return
      if (painter.current) return painter.current.resize(entry.contentRect)
      painter.current = new SquarePainter(canvas, colorsOf(canvas, latest.current))
      painter.current.resize(entry.contentRect)
      show.current()
    })
    observer.observe(canvas)
    return () => {
      observer.disconnect()
      painter.current?.stop()
      painter.current = undefined
    }
  }, [])
  useLayoutEffect(() => {
    latest.current = appearance
    if (ref.current) painter.current?.recolor(colorsOf(ref.current, appearance))
  }, [appearance])
  const { of: marks } = useMarks()
  const isLater = useRef(arriving)
  useLayoutEffect(() => {
    show.current = () => {
      if (!painter.current) return
      painter.current.show(squares, { align, wanted, marks, most }, isLater.current && mayGrow())
      isLater.current = true
    }
    show.current()
  }, [squares, align, wanted, marks, most])
  return { ref, painter }
}
