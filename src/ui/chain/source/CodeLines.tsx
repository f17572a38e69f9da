import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import { inPixels } from '#ui/styles/in-pixels.ts'
import styles from './CodeLines.module.css'

const css = classNames(styles)

/** Class of each line. */
export const lineClass = css('line')

/** Lines drawn above and below those in sight. */
const OVERSCAN = 6
/** Lines that stay in sight above and below the current one. */
const MARGIN = 4

/**
 * Lines of code of the same height, of which only those in sight are drawn.
 *
 * @param lineHeight - In rem.
 * @param current - Index of the line that is kept in sight.
 * @param renderLine - Draws a line as an `li` with {@link lineClass}; `start` is its distance from the top in CSS pixels.
 */
export function CodeLines({
  label,
  className,
  count,
  lineHeight,
  current,
  renderLine,
}: {
  label: string
  className: string
  count: number
  lineHeight: number
  current: number | undefined
  renderLine: (index: number, start: number) => ReactNode
}) {
  const scroller = useRef<HTMLDivElement>(null)
  // Asked for once, not for each of thousands of lines.
  const [height] = useState(() => inPixels(lineHeight))
  // The React compiler, which it cannot work with, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const lines = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
  })
  useEffect(() => {
    const element = scroller.current
    if (current === undefined || !element) return undefined
    let frame = 0
    // Scrolling needs the layout, so it waits for the frame, which computes it anyway.
    const bringIntoSight = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => {
        const { startIndex = 0, endIndex = -1 } = lines.range ?? {}
        const isInSight = startIndex + MARGIN <= current && current <= endIndex - MARGIN
        if (!isInSight) lines.scrollToIndex(current, { align: 'center' })
      })
    }
    bringIntoSight()
    // Once more when a pane has become smaller.
    const watched = new ResizeObserver(bringIntoSight)
    watched.observe(element)
    return () => {
      cancelAnimationFrame(frame)
      watched.disconnect()
    }
  }, [lines, current])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={`${css('lines')} ${className}`} role="region" aria-label={label} tabIndex={0}>
      <ol className={css('list')} style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => renderLine(index, start))}
      </ol>
    </div>
  )
}
