import type { Build, BuildContract } from './build.ts'

/**
 * Whether a contract's build lacks what the compiler tells of its sources: their ASTs, or the layout of its storage. Only a
 * compiler's own builds count, with the texts of all sources.
 */
export function isIncomplete({ language, claimed, sources }: Build, contract: BuildContract): boolean {
  if (language !== 'Solidity' || claimed !== undefined) return false
  if (sources.length === 0 || sources.some(({ content }) => content === undefined)) return false
  return contract.storageLayout === undefined || sources.some(({ ast }) => ast === undefined || ast === null)
}
