import { isMac } from '#ui/page/use-shortcut.ts'

/** Keys, and what they do. */
export interface Shortcut {
  /** As printed on the keys; they are held together. */
  readonly keys: readonly string[]
  readonly what: string
  /** Where it works, if not everywhere. */
  readonly where?: string
}

/** Every key that the page listens to. */
export function allShortcuts(): readonly Shortcut[] {
  return [
    { keys: [isMac() ? '⌘' : 'Ctrl', 'K'], what: 'Search, or run a command' },
    { keys: ['/'], what: 'Search' },
    { keys: ['?'], what: 'This list' },
    { keys: ['Space'], what: 'Pause or resume the chain', where: 'automatic clock' },
    { keys: ['.'], what: 'Step: add one partial block', where: 'pauses a running chain' },
    { keys: ['F'], what: 'Freeze the view; the chain keeps running' },
    { keys: ['S'], what: 'Send a transaction', where: 'Live' },
    { keys: ['J'], what: 'Next transaction in a table; Enter opens it' },
    { keys: ['K'], what: 'Previous transaction in a table' },
    { keys: ['Esc'], what: 'Close a dialog or a definition, leave the tour' },
  ]
}
