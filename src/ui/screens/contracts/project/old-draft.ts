import type { CompilerSettings } from '#compiler/messages.ts'
import { readSettings } from './read-project.ts'

/** Local storage key under which earlier versions of the page kept the editor's only source. */
const KEY = 'blinknet.solidity-draft'

/** The draft of an earlier version of the page. */
export interface OldDraft {
  readonly source: string
  readonly settings: CompilerSettings
}

/** @throws {DOMException} If storage is forbidden. */
export function readOldDraft(storage: Pick<Storage, 'getItem'>): OldDraft | undefined {
  const stored = storage.getItem(KEY)
  if (stored === null) return undefined
  try {
    const { source, settings } = JSON.parse(stored) as { readonly source?: unknown; readonly settings?: unknown }
    return typeof source === 'string' ? { source, settings: readSettings(settings) } : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Deletes the draft. Call it once the draft is kept as a project. */
export function forgetOldDraft(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(KEY)
}

/** A file name for a single source: that of its last contract. */
export function fileNameFor(source: string): string {
  const names = [
    ...source.matchAll(/^[ \t]*(?:abstract\s+)?(?:contract|library|interface)\s+([A-Za-z_$][\w$]{0,80})/gm),
  ]
  return `${names.at(-1)?.[1] ?? 'Contract'}.sol`
}
