import type { Build, BuildContract } from './build.ts'

/**
 * Whether a contract's build lacks what the compiler tells of its sources: their ASTs, the layout of its storage, or where
 * its functions begin. Only a compiler's own builds count, with the texts of all sources.
 */
export function isIncomplete({ language, claimed, sources, contracts }: Build, contract: BuildContract): boolean {
  if (language !== 'Solidity' || claimed !== undefined) return false
  if (sources.length === 0 || sources.some(({ content }) => content === undefined)) return false
  if (sources.some(({ ast }) => ast === undefined || ast === null) || contract.storageLayout === undefined) return true
  return contracts.every(({ creation, deployed }) => !creation?.functions.length && !deployed?.functions.length)
}
