import { UnpackError } from '#client/node/unpack.ts'
import { createObservable, type Observable } from '#client/session/connection-state.ts'
import { CompilerError, isShipped, type SolidityCompiler, solidityCompiler } from '#client/solidity-compiler.ts'
import type { BuildToRead } from '#client/solidity-reader.ts'
import { type BuildStore, builds } from './builds.ts'

/** Builds that are completed in one session: a remote node could go on naming new ones. */
export const MOST_COMPLETED = 40
/** Milliseconds for one build. The compiler has no limit of its own. */
export const COMPLETE_MS = 60_000

/** Compiles builds once more in the background for what they lack, and keeps the result beside them. */
export interface Completions {
  /** Whether a build is being compiled, or waits for it. */
  readonly busy: Observable<boolean>
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

export function createCompletions(
  compiler: Pick<SolidityCompiler, 'state' | 'complete' | 'cancel'>,
  store: Pick<BuildStore, 'keepBuild'>,
): Completions {
  const busy = createObservable(false)
  const tried = new Set<string>()
  const waiting: Wanted[] = []
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
      }, COMPLETE_MS)
      const completed = await compiler.complete(texts)
      if (!completed) return
      tried.add(completed.id)
      await store.keepBuild(chain, completed, true)
    } catch (error) {
      // The build stays as it was: what it lacks is not told.
      if (error instanceof UnpackError || error instanceof DOMException) return
      if (!(error instanceof CompilerError)) throw error
      if (error.code === 'cancelled' && !hasEnded && !isSecond) waiting.push({ chain, build, isSecond: true })
    } finally {
      clearTimeout(limit)
    }
  }

  compiler.state.subscribe(() => void next())
  return {
    busy,
    want(chain, build, version) {
      if (tried.has(build.id) || tried.size >= 2 * MOST_COMPLETED || !isShipped(version)) return
      tried.add(build.id)
      waiting.push({ chain, build, isSecond: false })
      busy.set(true)
      void next()
    },
  }
}

/** The page's. */
export const completions: Completions = createCompletions(solidityCompiler, builds)
