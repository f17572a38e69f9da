import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { bytesToHex } from '#primitives/hex.ts'
import { disassemble, type Instruction } from '#ui/decode/disassemble.ts'
import type { Run, RunFrame } from '#ui/execution/run.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Instructions.module.css'

const css = classNames(styles)

/** CSS pixels. */
const LINE = 24
const OVERSCAN = 4
/** Lines that stay in sight above and below the present one. */
const MARGIN = 3

/** The code of a frame, one instruction a line, with the present one marked and a breakpoint button for each. */
export function Instructions({
  run,
  frame,
  pc,
  stops,
  onToggle,
}: {
  run: Run
  frame: RunFrame
  pc: number
  /** Offsets of the instructions with a breakpoint. */
  stops: ReadonlySet<number> | undefined
  onToggle: (pc: number) => void
}) {
  const code = frame.code === null ? undefined : run.codes.get(frame.code)
  const instructions = useMemo(() => (code ? disassemble(bytesToHex(code)) : []), [code])
  const current = indexAt(instructions, pc)
  const scroller = useRef<HTMLDivElement>(null)
  // The React compiler, which it cannot work with, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const lines = useVirtualizer({
    count: instructions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: OVERSCAN,
  })
  useEffect(() => {
    const { startIndex = 0, endIndex = -1 } = lines.range ?? {}
    const isInSight = startIndex + MARGIN <= current && current <= endIndex - MARGIN
    if (!isInSight) lines.scrollToIndex(current, { align: 'center' })
  }, [lines, current])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={scroller} className={css('lines')} role="region" aria-label="Instructions" tabIndex={0}>
      <ol className={css('list')} style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const instruction = instructions[index]
          return (
            instruction && (
              <li
                key={index}
                className={css('line', instruction.name === 'JUMPDEST' && 'target', index === current && 'current')}
                style={{ transform: `translateY(${start}px)` }}
                aria-current={index === current ? 'step' : undefined}
                aria-setsize={instructions.length}
                aria-posinset={index + 1}
              >
                <Line
                  instruction={instruction}
                  stops={stops?.has(instruction.at) === true}
                  onToggle={() => onToggle(instruction.at)}
                />
              </li>
            )
          )
        })}
      </ol>
    </div>
  )
}

function Line({
  instruction: { at, name, code, pushed },
  stops,
  onToggle,
}: {
  instruction: Instruction
  stops: boolean
  onToggle: () => void
}) {
  const offset = at.toString(16).padStart(4, '0')
  return (
    <>
      <button
        type="button"
        className={css('stop', stops && 'set')}
        aria-pressed={stops}
        aria-label={`Breakpoint at ${offset}`}
        title={stops ? 'Remove the breakpoint' : 'Set a breakpoint'}
        onClick={onToggle}
      />
      <span className={css('at')}>{offset}</span>
      {name ? <span>{name}</span> : <span className={css('at')}>0x{code.toString(16).padStart(2, '0')}</span>}
      <span className={css('pushed')} title={pushed}>
        {pushed}
      </span>
    </>
  )
}

/** The instruction that begins at an offset, or in which it is. */
function indexAt(instructions: readonly Instruction[], pc: number): number {
  let low = 0
  let high = instructions.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((instructions[middle]?.at ?? 0) <= pc) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
