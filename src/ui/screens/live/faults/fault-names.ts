import { Ban, Hourglass, type LucideIcon, ScissorsLineDashed, Snail, Undo2 } from 'lucide-react'
import type { FaultKind } from './faults.ts'

/** The available faults, with their names on buttons and in commands. */
export const FAULTS: readonly { readonly kind: FaultKind; readonly name: string; readonly icon: LucideIcon }[] = [
  { kind: 'drop', name: 'Drop partial blocks', icon: ScissorsLineDashed },
  { kind: 'stall', name: 'Stall 5 ticks', icon: Snail },
  { kind: 'delay', name: 'Delay seal 2 s', icon: Hourglass },
  { kind: 'reorg', name: 'Reorg 1 block', icon: Undo2 },
  { kind: 'fail', name: 'Reject 3 sends', icon: Ban },
]
