import type { LucideIcon } from 'lucide-react'

export type CommandGroup = 'Found' | 'Screens' | 'Chain' | 'Faults' | 'Load' | 'Page' | 'Accounts'

/** Something that the palette leads to, or does. */
export interface Command {
  /** Unlike that of any other. */
  readonly id: string
  readonly group: CommandGroup
  readonly icon: LucideIcon
  readonly label: string
  /** Said beside it. */
  readonly detail?: string
  /** Other words that a person may look for. */
  readonly keywords?: string
  /** The key that does the same. */
  readonly shortcut?: string
  /**
   * Does it. The palette closes before what is done at once; it stays open for what comes later, and shows what was
   * said then, or the error.
   */
  readonly run: (() => void) | { readonly later: () => Promise<Outcome> }
}

/** A message, or, if the page itself shows the outcome, the work that is left once the palette has closed. */
export type Outcome = string | (() => void)

/** Commands of one group, in their order. */
export interface FoundGroup {
  readonly group: CommandGroup
  readonly commands: readonly Command[]
}

/**
 * The commands in which every word of the query begins a word of the name, the detail or the keywords, by group. Those
 * whose name begins with the query come first, and so do their groups.
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
    .map(([group, found]) => ({ group, found: found.toSorted((a, b) => a.rank - b.rank) }))
    .toSorted((a, b) => (a.found[0]?.rank ?? 0) - (b.found[0]?.rank ?? 0))
    .map(({ group, found }) => ({ group, commands: found.map(({ command }) => command) }))
}

/** The lower the better; `undefined` where a word is missing. */
function rankOf({ label, detail = '', keywords = '' }: Command, words: readonly string[]): number | undefined {
  if (!hasAll(`${label} ${detail} ${keywords}`, words)) return undefined
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
