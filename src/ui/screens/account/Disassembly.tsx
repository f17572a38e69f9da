import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef } from 'react'
import type { Hex } from '#primitives/hex.ts'
import { disassemble, type Instruction } from '#ui/decode/disassemble.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Code.module.css'

const css = classNames(styles)

/** CSS pixels. */
const LINE = 24
const OVERSCAN = 12

/** Code, one instruction per line; only the visible lines are drawn. */
export function Disassembly({ code }: { code: Hex }) {
  const instructions = useMemo(() => disassemble(code), [code])
  const scroller = useRef<HTMLDivElement>(null)
  // The React compiler, which it cannot work with, is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const lines = useVirtualizer({
    count: instructions.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE,
    overscan: OVERSCAN,
  })
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
                className={css('line', instruction.name === 'JUMPDEST' && 'target')}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={instructions.length}
                aria-posinset={index + 1}
              >
                <Line instruction={instruction} />
              </li>
            )
          )
        })}
      </ol>
    </div>
  )
}

function Line({ instruction: { at, name, code, pushed } }: { instruction: Instruction }) {
  return (
    <>
      <span className={css('at')}>{at.toString(16).padStart(4, '0')}</span>
      {name ? <span>{name}</span> : <span className={css('unknown')}>0x{code.toString(16).padStart(2, '0')}</span>}
      <span className={css('pushed')} title={pushed}>
        {pushed}
      </span>
    </>
  )
}
