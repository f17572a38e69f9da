import { Activity, Square } from 'lucide-react'
import { planLoad, stopLoad, useLoad } from '#ui/load/load-control.ts'
import { useGo } from '#ui/page/navigation.ts'
import { useCapabilities, useProvider, useReadOnly } from '#ui/page/session.ts'
import { useCauseFault } from '#ui/screens/live/faults/fault-control.ts'
import { FAULTS } from '#ui/screens/live/faults/fault-names.ts'
import type { FaultKind } from '#ui/screens/live/faults/faults.ts'
import type { Command } from './command.ts'

/** Other words for each fault. */
const FAULT_WORDS: Readonly<Record<FaultKind, string>> = {
  drop: 'fault withdraw pre-confirmed partial',
  stall: 'fault stop partial blocks ticks',
  delay: 'fault late seal',
  reorg: 'fault reorganise reorganize fork take back undo',
  fail: 'fault reject error sends',
}

/** Loads that the palette offers, in transactions per second. */
const RATES = [10, 50, 200]

/** Commands that cause faults and load on a Blinknet chain. */
export function useFaultCommands(): readonly Command[] {
  const { devnet, accounts } = useCapabilities()
  const readOnly = useReadOnly()
  const provider = useProvider()
  const cause = useCauseFault()
  const go = useGo()
  const running = useLoad(({ phase }) => phase !== 'off')
  if (!devnet || readOnly) return []
  const faults = FAULTS.map(
    ({ kind, name, icon }): Command => ({
      id: `fault-${kind}`,
      group: 'Faults',
      icon,
      label: name,
      keywords: FAULT_WORDS[kind],
      run: {
        later: async () => {
          await cause(kind)
          // The live screen shows the result.
          return () => go('/')
        },
      },
    }),
  )
  if (accounts.length === 0) return faults
  const loads = RATES.map(
    (rate): Command => ({
      id: `load-${rate}`,
      group: 'Load',
      icon: Activity,
      label: `Load of ${rate} tx/s`,
      keywords: 'start transactions stress traffic',
      run: () => planLoad(provider, { rate, pattern: 'steady' }),
    }),
  )
  const stop: Command = {
    id: 'load-stop',
    group: 'Load',
    icon: Square,
    label: 'Stop the load',
    keywords: 'end transactions',
    run: () => stopLoad(),
  }
  return [...faults, ...(running ? [stop] : []), ...loads]
}
