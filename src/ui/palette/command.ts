import type { LucideIcon } from 'lucide-react'

export type CommandGroup =
  | 'Found'
  | 'Screens'
  | 'Chain'
  | 'Faults'
  | 'Load'
  | 'Page'
  | 'Contracts'
  | 'Settings'
  | 'Accounts'
  | 'RPC methods'

/** A command of the palette: opens or does something. */
export interface Command {
  /** Unique among all commands. */
  readonly id: string
  readonly group: CommandGroup
  readonly icon: LucideIcon
  readonly label: string
  /** Shown beside the name. */
  readonly detail?: string
  /** Other words to find it by. */
  readonly keywords?: string
  /** Keyboard shortcut of the command. */
  readonly shortcut?: string
  /**
   * Runs the command. For an immediate one the palette closes first. For one with `later` it stays open, and shows the
   * resulting message or the error.
   */
  readonly run: (() => void) | { readonly later: () => Promise<Outcome> }
}

/** A message or, if the page itself shows the result, the remaining work after the palette has closed. */
export type Outcome = string | (() => void)

/** Groups of which only the best are listed. */
const MAX_IN_GROUP: Partial<Record<CommandGroup, number>> = { 'RPC methods': 8, Contracts: 20 }

/** Commands of one group, in order. */
export interface FoundGroup {
  readonly group: CommandGroup
  readonly commands: readonly Command[]
}

/**
 * The commands for which every word of the query starts a word of the name, the detail or the keywords, by group. Those
 * whose name starts with the query come first, and so do their groups.
 */
export function searchCommands(commands: readonly Command[], query: string): readonly FoundGroup[] {
  const words = wordsOf(query)
  const groups = new Map<CommandGroup, { command: Command; rank: number }[]>()
  for (const command of commands) {
    const rank = rankOf(command, words)
    if (rank === undefined) continue
    groups.set(command.group, [...(groups.get(command.group) ?? []), { command, rank }])
  }
  return [...groups]
    .map(([group, found]) => ({
      group,
      found: found.toSorted((a, b) => a.rank - b.rank).slice(0, MAX_IN_GROUP[group]),
    }))
    .toSorted((a, b) => (a.found[0]?.rank ?? 0) - (b.found[0]?.rank ?? 0))
    .map(({ group, found }) => ({ group, commands: found.map(({ command }) => command) }))
}

/** Lower is better; `undefined` if a word is missing. */
function rankOf({ group, label, detail = '', keywords = '' }: Command, words: readonly string[]): number | undefined {
  if (!hasAll(`${label} ${detail} ${keywords}`, words)) return undefined
  // “wallet” is a wish to connect one, and only “wallet_” begins the name of a method.
  if (group === 'RPC methods' && !words.some((word) => word.includes('_'))) return 2
  if (label.toLowerCase().startsWith(words.join(' '))) return 0
  return hasAll(label, words) ? 1 : 2
}

function hasAll(text: string, words: readonly string[]): boolean {
  const own = wordsOf(text)
  return words.every((word) => own.some((it) => it.startsWith(word)))
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}
