import { useMemo, useSyncExternalStore } from 'react'
import { builds } from '#client/builds/builds.ts'
import { completions } from '#client/builds/completions.ts'
import { UnpackError } from '#client/node/unpack.ts'
import { chainKeyOf } from '#client/session/chain-key.ts'
import type { Observable } from '#client/session/connection-state.ts'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { BuildToRead } from '#client/solidity-reader.ts'
import { useCapabilities, useSession } from '#ui/page/session.ts'
import { type CodeAt, createNodeBuilds, type NodeBuilds } from './node-builds.ts'

/** The builds of a chain: those that the page has completed or keeps, and those that its node knows. */
export interface KnownBuilds {
  /** Part of the key of what is read from them: it changes when the page gets a build. */
  readonly key: readonly unknown[]
  /**
   * The builds to look in, the best first: all that the page has, and from the node those of codes that none of these
   * has.
   */
  readonly find: (codes: readonly CodeAt[], signal?: AbortSignal) => Promise<readonly BuildToRead[]>
  /** The texts of a build that `find` gave; `undefined` if it is no longer there. @throws {UnpackError} If it is damaged. */
  readonly read: (id: string) => Promise<Uint8Array<ArrayBuffer> | undefined>
}

/** Node → what it has answered: kept over restarts, as a build is found by code. */
const ofNodes = new WeakMap<BlinknetProvider, NodeBuilds>()

function nodeBuildsOf(provider: BlinknetProvider): NodeBuilds {
  const known = ofNodes.get(provider) ?? createNodeBuilds(provider)
  ofNodes.set(provider, known)
  return known
}

export function useKnownBuilds(): KnownBuilds {
  const session = useSession()
  const { devnet } = useCapabilities()
  const chain = chainKeyOf(session)
  const built = useCount(builds.changes)
  const completed = useCount(completions.changes)
  const { provider } = session
  return useMemo(
    () => ({ key: [chain, devnet, built, completed], ...buildsOf(provider, chain, devnet) }),
    [chain, devnet, built, completed, provider],
  )
}

function useCount({ subscribe, get }: Observable<number>): number {
  return useSyncExternalStore(subscribe, get, get)
}

/** Whether builds are being compiled once more for what they lack. */
export function useIsCompleting(): boolean {
  const { busy } = completions
  return useSyncExternalStore(busy.subscribe, busy.get, busy.get)
}

/**
 * The builds of a chain.
 *
 * @param chain - As `chainKeyOf` names it.
 * @param devnet - Whether its node knows builds.
 */
export function buildsOf(
  provider: BlinknetProvider,
  chain: string,
  devnet: boolean,
): Pick<KnownBuilds, 'find' | 'read'> {
  const node = devnet ? nodeBuildsOf(provider) : undefined
  return {
    async find(codes, signal) {
      const kept = [...completions.list(chain), ...(await keptBuilds(chain))]
      const found = node ? await node.find(kept, codes, signal) : kept
      return found.map((build) => ({ ...build, onIncomplete: (compiler) => completions.want(chain, build, compiler) }))
    },
    read: async (id) => {
      const completed = completions.list(chain).find((build) => build.id === id)
      return completed ? completed.read() : (node?.read(id) ?? builds.readBuild(chain, id))
    },
  }
}

/** The builds that the page keeps for a chain, the newest first, each read when it is needed. */
async function keptBuilds(chain: string): Promise<readonly BuildToRead[]> {
  const kept = await builds.listBuilds(chain)
  return kept.map(({ id }) => ({ id, read: () => readTexts(chain, id) }))
}

async function readTexts(chain: string, id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return await builds.readBuild(chain, id)
  } catch (error) {
    // The worker refuses it, and says so.
    if (error instanceof UnpackError) return new Uint8Array()
    throw error
  }
}
