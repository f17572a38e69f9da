import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { useAppearance } from '#ui/shell/appearance.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Squares.module.css'
import { layoutSquares } from './square-layout.ts'

const css = classNames(styles)

export type SquareState = 'mempool' | 'preconfirmed' | 'sealed' | 'reverted'

export interface Square {
  readonly state: SquareState
  /** Sent by this page: drawn with a firm outline. */
  readonly own?: boolean
}

const COLORS: Readonly<Record<SquareState, string>> = {
  mempool: '--mempool',
  preconfirmed: '--preconfirmed',
  sealed: '--sealed',
  reverted: '--failed',
}

const darkMode = window.matchMedia('(prefers-color-scheme: dark)')
const subscribeDarkMode = (listener: () => void) => {
  darkMode.addEventListener('change', listener)
  return () => darkMode.removeEventListener('change', listener)
}

/**
 * Transactions as little squares on a canvas, drawn when they change and not otherwise. Decoration: numbers and
 * tables beside it say the same.
 */
export function Squares({ squares, align = 'top' }: { squares: readonly Square[]; align?: 'top' | 'middle' }) {
  const ref = useRef<HTMLCanvasElement>(null)
  const theme = useAppearance((appearance) => appearance.theme)
  const systemIsDark = useSyncExternalStore(subscribeDarkMode, () => darkMode.matches)
  const appearance = `${theme}${systemIsDark}`
  useLayoutEffect(() => {
    const canvas = ref.current
    if (!canvas || !appearance) return undefined
    const redraw = () => draw(canvas, squares, align)
    redraw()
    const observer = new ResizeObserver(redraw)
    observer.observe(canvas)
    return () => observer.disconnect()
  }, [squares, align, appearance])
  return <canvas ref={ref} className={css('canvas')} aria-hidden="true" />
}

function draw(canvas: HTMLCanvasElement, squares: readonly Square[], align: 'top' | 'middle'): void {
  const { clientWidth: width, clientHeight: height } = canvas
  const context = canvas.getContext('2d')
  if (!context || width === 0 || height === 0) return
  const scale = window.devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  const computed = getComputedStyle(canvas)
  const { size, gap, columns, shown } = layoutSquares(squares.length, width, height)
  const used = Math.ceil(shown / Math.max(1, columns)) * (size + gap) - gap
  const top = align === 'middle' ? Math.round((height - used) / 2) : 0
  for (let i = 0; i < shown; i++) {
    const square = squares[i] as Square
    const x = (i % columns) * (size + gap)
    const y = top + Math.floor(i / columns) * (size + gap)
    context.strokeStyle = context.fillStyle = computed.getPropertyValue(COLORS[square.state])
    drawSquare(context, square, x, y, size)
  }
}

function drawSquare(context: CanvasRenderingContext2D, { state, own }: Square, x: number, y: number, size: number) {
  if (size < 4 || state === 'sealed' || state === 'reverted') {
    context.fillRect(x, y, size, size)
    return
  }
  context.lineWidth = 1.25
  if (state === 'mempool') {
    context.lineWidth = own ? 2 : 1.25
    context.beginPath()
    context.arc(x + size / 2, y + size / 2, size / 2 - 1, 0, 2 * Math.PI)
    context.stroke()
    return
  }
  context.save()
  context.globalAlpha = 0.28
  context.fillRect(x, y, size, size)
  context.globalAlpha = 1
  context.beginPath()
  context.rect(x, y, size, size)
  context.clip()
  for (let offset = -size; offset < size; offset += 4) {
    context.moveTo(x + offset, y + size)
    context.lineTo(x + offset + size, y)
  }
  context.stroke()
  context.restore()
  if (own) context.strokeRect(x + 0.6, y + 0.6, size - 1.2, size - 1.2)
}
