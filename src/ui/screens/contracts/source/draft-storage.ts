import { type CompilerSettings, EVM_VERSIONS } from '#compiler/messages.ts'
import { FIRST_EXAMPLE } from './examples.ts'

/** The editor's text and the compiler options. */
export interface SourceDraft {
  readonly source: string
  readonly settings: CompilerSettings
}

export const DEFAULT_SETTINGS: CompilerSettings = { optimizer: true, runs: 200, evmVersion: EVM_VERSIONS[0] }

const KEY = 'blinknet.solidity-draft'

/** The draft of the last visit, or the first example. */
export function readDraft(storage: Pick<Storage, 'getItem'>): SourceDraft {
  const fresh: SourceDraft = { source: FIRST_EXAMPLE.source, settings: DEFAULT_SETTINGS }
  const stored = storage.getItem(KEY)
  if (stored === null) return fresh
  try {
    const { source, settings } = JSON.parse(stored) as Partial<Record<keyof SourceDraft, unknown>>
    if (typeof source !== 'string') return fresh
    return { source, settings: parseSettings(settings) }
  } catch (error) {
    if (error instanceof SyntaxError) return fresh
    throw error
  }
}

/** @throws {DOMException} If there is no room for it, or storage is forbidden. */
export function writeDraft(storage: Pick<Storage, 'setItem'>, { source, settings }: SourceDraft): void {
  storage.setItem(KEY, JSON.stringify({ source, settings }))
}

/** Settings of another version of the page may differ. */
function parseSettings(settings: unknown): CompilerSettings {
  const { optimizer, runs, evmVersion } = (settings ?? {}) as Partial<Record<keyof CompilerSettings, unknown>>
  return {
    optimizer: typeof optimizer === 'boolean' ? optimizer : DEFAULT_SETTINGS.optimizer,
    runs: isRuns(runs) ? runs : DEFAULT_SETTINGS.runs,
    evmVersion: EVM_VERSIONS.find((version) => version === evmVersion) ?? DEFAULT_SETTINGS.evmVersion,
  }
}

/** Whether it is a valid number of optimizer runs. */
export function isRuns(runs: unknown): runs is number {
  return typeof runs === 'number' && Number.isInteger(runs) && runs >= 1 && runs <= 0xffff_ffff
}
