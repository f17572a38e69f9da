import { builds } from '#client/builds/builds.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'

/**
 * Keeps a build for the chain's contracts. Without it they still run, but a later visit does not have their sources.
 *
 * @returns Whether it is kept.
 */
export async function keepBuild(chain: string, build: PackedBuild, deployed: boolean): Promise<boolean> {
  try {
    return await builds.keepBuild(chain, build, deployed)
  } catch (error) {
    // The browser is out of space, or has closed its storage.
    if (error instanceof DOMException) return false
    throw error
  }
}
