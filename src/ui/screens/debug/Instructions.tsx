import { useCallback, useMemo } from 'react'
import { bytesToHex } from '#primitives/hex.ts'
import { InstructionList } from '#ui/chain/source/InstructionList.tsx'
import { disassemble } from '#ui/decode/disassemble.ts'
import { frameAt } from '#ui/execution/run.ts'
import { toggleBreakpoint } from '#ui/execution/source-track.ts'
import type { Debugger } from './use-debugger.ts'

/** The code of the current frame, with the current instruction marked and a breakpoint button for each. */
export function Instructions({ debug: { run, at, breakpoints, setBreakpoints } }: { debug: Debugger }) {
  const { code: hash } = frameAt(run, at)
  const code = hash === null ? undefined : run.codes.get(hash)
  const instructions = useMemo(() => (code ? disassemble(bytesToHex(code)) : []), [code])
  const onToggle = useCallback(
    (offset: number) => {
      if (hash !== null) setBreakpoints((before) => toggleBreakpoint(before, hash, offset))
    },
    [hash, setBreakpoints],
  )
  return (
    <InstructionList
      key={hash ?? ''}
      instructions={instructions}
      pc={run.pcs[at] as number}
      stops={{ at: hash === null ? undefined : breakpoints.get(hash), onToggle }}
    />
  )
}
