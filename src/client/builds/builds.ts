import { unpack } from '#client/node/unpack.ts'
import { createObservable, type Observable } from '#client/session/connection-state.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import { type BuildRow, type BuildTable, createMemoryTable, type KeptBuild, openBuildTable } from './build-table.ts'

/** Builds of one chain that are kept; the oldest go first, and among them those that were not deployed. */
export const MAX_BUILDS = 40
/** Bytes of all kept builds together, compressed. */
export const MAX_BUILDS_BYTES = 64 * 1024 * 1024
/** Bytes of one build's texts, as UTF-8. */
export const MAX_BUILD_TEXT_BYTES = 128 * 1024 * 1024

/** Builds of each chain, kept in the browser from one visit to the next. */
export interface BuildStore {
  /** Counts up with every change, in this page. */
  readonly changes: Observable<number>
  /**
   * Keeps a build; one that is kept already becomes the newest.
   *
   * @param chain - As `chainKeyOf` names it.
   * @param deployed - That a contract of it is being deployed, or was elsewhere: somebody gave its artifacts.
   * @returns Whether there was room for it.
   */
  readonly keepBuild: (chain: string, build: PackedBuild, deployed?: boolean) => Promise<boolean>
  /** A chain's builds, newest first. */
  readonly listBuilds: (chain: string) => Promise<readonly KeptBuild[]>
  /**
   * A build's texts, unpacked: UTF-8 of JSON, a list of the compiler's version, the input and the output. They have
   * several megabytes, so the page hands them on to a worker as they are.
   *
   * @returns `undefined` if it is no longer there.
   * @throws {UnpackError} If it is damaged.
   */
  readonly readBuild: (chain: string, id: string) => Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * @param openTable - Called at the first use.
 * @param now - Milliseconds since the Unix epoch.
 */
export function createBuildStore(openTable: () => Promise<BuildTable>, now: () => number = Date.now): BuildStore {
  const changes = createObservable(0)
  let opened: Promise<BuildTable> | undefined
  const table = () => {
    opened ??= openTable()
    return opened
  }
  /** Changes take turns, since each reads what is there before. */
  let turn: Promise<unknown> = Promise.resolve()

  async function keep(
    chain: string,
    { id, compiler, textBytes, texts }: PackedBuild,
    deployed: boolean,
  ): Promise<boolean> {
    if (textBytes > MAX_BUILD_TEXT_BYTES) return false
    const { rows, change } = await table()
    const all = await rows()
    const before = all.find((row) => row.chain === chain && row.id === id)
    const row: BuildRow = {
      chain,
      id,
      compiler,
      savedAtMs: now(),
      deployed: deployed || before?.deployed === true,
      bytes: texts.byteLength,
    }
    const others = all.filter((each) => each !== before)
    const surplus = surplusOf([...others, row], chain)
    if (surplus.includes(row)) return false
    await change({ row, texts }, surplus)
    changes.set(changes.get() + 1)
    return true
  }

  return {
    changes,
    keepBuild(chain, build, deployed = false) {
      const kept = turn.then(() => keep(chain, build, deployed))
      turn = kept.catch(() => undefined)
      return kept
    },
    async listBuilds(chain) {
      const all = await (await table()).rows()
      return all.filter((row) => row.chain === chain).toSorted((a, b) => b.savedAtMs - a.savedAtMs)
    },
    async readBuild(chain, id) {
      const texts = await (await table()).texts(chain, id)
      if (!texts) return undefined
      return unpack(new Uint8Array(texts), 'gzip', MAX_BUILD_TEXT_BYTES)
    },
  }
}

/** What has to go: of the chain, all but the newest; of all chains, what is more than the bytes allow. */
function surplusOf(all: readonly BuildRow[], chain: string): readonly BuildRow[] {
  const byWorth = all.toSorted((a, b) => Number(b.deployed) - Number(a.deployed) || b.savedAtMs - a.savedAtMs)
  // The newest is worth most, even if it was not deployed yet.
  const newest = all.at(-1)
  const ranked = newest ? [newest, ...byWorth.filter((row) => row !== newest)] : byWorth
  const tooMany = new Set(ranked.filter((row) => row.chain === chain).slice(MAX_BUILDS))
  let bytes = 0
  return ranked.filter((row) => {
    if (tooMany.has(row) || bytes + row.bytes > MAX_BUILDS_BYTES) return true
    bytes += row.bytes
    return false
  })
}

/** The page's builds. Where the browser has no storage, they last as long as the page. */
export const builds: BuildStore = createBuildStore(() =>
  openBuildTable('blinknet-builds').catch((error: unknown) => {
    if (!(error instanceof DOMException)) throw error
    return createMemoryTable()
  }),
)
