import { memo } from 'react'
import { partitionPoint } from '#primitives/partition-point.ts'
import type { Instruction } from '#ui/decode/disassemble.ts'
import { classNames } from '#ui/styles/class-names.ts'
import { CodeLines, lineClass } from './CodeLines.tsx'
import styles from './InstructionList.module.css'

const css = classNames(styles)

/** Height of a line, in rem. */
const LINE = 1.5

/** Breakpoints at offsets in the code, and the way to set and remove them. */
export interface InstructionStops {
  readonly at: ReadonlySet<number> | undefined
  readonly onToggle: (offset: number) => void
}

/**
 * Code, one instruction per line; only the visible lines are drawn.
 *
 * @param pc - Offset of the current instruction, which is marked and kept in sight.
 * @param stops - Adds a breakpoint button to each line.
 */
export function InstructionList({
  instructions,
  pc,
  stops,
}: {
  instructions: readonly Instruction[]
  pc?: number
  stops?: InstructionStops
}) {
  const current = pc === undefined ? undefined : indexAt(instructions, pc)
  return (
    <CodeLines
      label="Instructions"
      className={css('lines')}
      count={instructions.length}
      lineHeight={LINE}
      current={current}
      renderLine={(index, start) => {
        const instruction = instructions[index]
        const look = css(
          'line',
          stops && 'withStops',
          instruction?.name === 'JUMPDEST' && 'target',
          index === current && 'current',
        )
        return (
          instruction && (
            <li
              key={index}
              className={`${lineClass} ${look}`}
              style={{ transform: `translateY(${start}px)` }}
              aria-current={index === current ? 'step' : undefined}
              aria-setsize={instructions.length}
              aria-posinset={index + 1}
            >
              <Line
                instruction={instruction}
                isStop={stops?.at?.has(instruction.at) === true}
                onToggle={stops?.onToggle}
              />
            </li>
          )
        )
      }}
    />
  )
}

/** @param onToggle - Sets or removes a breakpoint; without it there is no button. */
const Line = memo(function Line({
  instruction: { at, name, code, pushed },
  isStop,
  onToggle,
}: {
  instruction: Instruction
  isStop: boolean
  onToggle: InstructionStops['onToggle'] | undefined
}) {
  const offset = at.toString(16).padStart(4, '0')
  return (
    <>
      {onToggle && (
        <button
          type="button"
          className={css('stop', isStop && 'set')}
          aria-pressed={isStop}
          aria-label={`Breakpoint at ${offset}`}
          title={isStop ? 'Remove the breakpoint' : 'Set a breakpoint'}
          onClick={() => onToggle(at)}
        />
      )}
      <span className={css('at')}>{offset}</span>
      {name ? <span>{name}</span> : <span className={css('at')}>0x{code.toString(16).padStart(2, '0')}</span>}
      <span className={css('pushed')} title={pushed}>
        {pushed}
      </span>
    </>
  )
})

/** Index of the instruction that an offset is in. */
function indexAt(instructions: readonly Instruction[], pc: number): number {
  return Math.max(0, partitionPoint(instructions, ({ at }) => at <= pc) - 1)
}
