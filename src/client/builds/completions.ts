import { UnpackError, unpack } from '#client/node/unpack.ts'
import { createObservable, type Observable } from '#client/session/connection-state.ts'
import { CompilerError, isShipped, type SolidityCompiler, solidityCompiler } from '#client/solidity-compiler.ts'
import type { BuildToRead } from '#client/solidity-reader.ts'
import type { RequestOf } from '#compiler/messages.ts'
import type { PackedBuild } from '#solidity/worker/pack-build.ts'
import { MAX_BUILD_TEXT_BYTES } from './builds.ts'

/** Builds that are compiled in one session: a remote node could go on naming new ones. */
export const MOST_COMPLETED = 40
/** Milliseconds for one build, and for all of them together. The compiler has no limit of its own. */
export const COMPLETE_MS = 60_000
export const ALL_COMPLETE_MS = 180_000
/** Bytes of all completed builds together, compressed; the oldest go first. */
export const MOST_COMPLETED_BYTES = 32 * 1024 * 1024

/**
 * Compiles builds once more in the background for what they lack. The results last as long as the page: nobody asked to
 * store them, and a node's build must not push out one that a person keeps.
 */
export interface Completions {
  /** Counts up with every completed build. */
  readonly changes: Observable<number>
  /** Whether a build is being compiled, or waits for it. */
  readonly busy: Observable<boolean>
  /** A chain's completed builds, the newest first. */
  readonly list: (chain: string) => readonly BuildToRead[]
  /**
   * Completes a build, once the compiler has nothing else to do; each is tried once. Whatever a person has it compile
   * meanwhile goes first.
   *
   * @param chain - As `chainKeyOf` names it.
   * @param compiler - As builds have it.
   */
  readonly want: (chain: string, build: BuildToRead, compiler: string) => void
}

interface Wanted {
  readonly chain: string
  readonly build: BuildToRead
  /** Whether it was ended once by something that a person wanted. */
  readonly isSecond: boolean
}

/** What is used of the page's compiler. */
type CompletingCompiler = Pick<SolidityCompiler, 'state' | 'cancel'> & {
  readonly ask: (task: 'complete', request: RequestOf<'complete'>) => Promise<PackedBuild | undefined>
}

/** @param now - Milliseconds. */
export function createCompletions(
  compiler: CompletingCompiler,
  now: () => number = () => performance.now(),
): Completions {
  const changes = createObservable(0)
  const busy = createObservable(false)
  /** What was asked for, and what came of it. */
  const known = new Set<string>()
  const waiting: Wanted[] = []
  /** The newest first. */
  let completed: readonly { readonly chain: string; readonly packed: PackedBuild }[] = []
  let asked = 0
  let spentMs = 0
  let isRunning = false

  const isFree = () => compiler.state.get().status === 'off' || compiler.state.get().status === 'idle'

  async function next(): Promise<void> {
    if (isRunning || !isFree()) return
    const wanted = waiting.shift()
    if (!wanted) return
    isRunning = true
    try {
      await complete(wanted)
    } finally {
      isRunning = false
      busy.set(waiting.length > 0)
    }
    void next()
  }

  async function complete({ chain, build, isSecond }: Wanted): Promise<void> {
    const leftMs = Math.min(COMPLETE_MS, ALL_COMPLETE_MS - spentMs)
    if (leftMs <= 0) return
    const startedAtMs = now()
    let hasEnded = false
    let limit: ReturnType<typeof setTimeout> | undefined
    try {
      const texts = await build.read()
      if (!texts) return
      // Somebody may have begun to compile while the texts were read.
      if (!isFree()) return void waiting.unshift({ chain, build, isSecond })
      limit = setTimeout(() => {
        hasEnded = true
        compiler.cancel()
      }, leftMs)
      const packed = await compiler.ask('complete', { texts })
      if (packed) keep(chain, packed)
    } catch (error) {
      // The build stays as it was: what it lacks is not told.
      if (error instanceof UnpackError) return
      if (!(error instanceof CompilerError)) throw error
      if (error.code === 'cancelled' && !hasEnded && !isSecond) waiting.push({ chain, build, isSecond: true })
    } finally {
      clearTimeout(limit)
      spentMs += now() - startedAtMs
    }
  }

  function keep(chain: string, packed: PackedBuild): void {
    if (packed.textBytes > MAX_BUILD_TEXT_BYTES) return
    known.add(packed.id)
    let bytes = 0
    completed = [{ chain, packed }, ...completed].filter(({ packed: { texts } }) => {
      bytes += texts.byteLength
      return bytes <= MOST_COMPLETED_BYTES
    })
    changes.set(changes.get() + 1)
  }

  compiler.state.subscribe(() => void next())
  return {
    changes,
    busy,
    list: (chain) =>
      completed
        .filter((each) => each.chain === chain)
        .map(({ packed: { id, texts } }) => ({
          id,
          read: () => unpack(new Uint8Array(texts), 'gzip', MAX_BUILD_TEXT_BYTES),
        })),
    want(chain, build, version) {
      if (known.has(build.id) || asked >= MOST_COMPLETED || !isShipped(version)) return
      known.add(build.id)
      asked++
      waiting.push({ chain, build, isSecond: false })
      busy.set(true)
      void next()
    },
  }
}

/** The page's. */
export const completions: Completions = createCompletions(solidityCompiler)
