import type {
  AnswerOf,
  AskedOf,
  FromSolidity,
  QuestionKind,
  RunStorage,
  ToSolidity,
} from '#solidity/worker/messages.ts'
// oxlint-disable-next-line import/default -- Vite makes the module that has it
import solidityWorkerUrl from '#solidity/worker/solidity-worker.ts?worker&url'
import { handleOf, type WorkerHandle, type WorkerLike } from '#transport/port/worker-handle.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

/** Why there is no answer. `broken`: the worker crashed or could not answer; `cancelled`: by the signal. */
export type SolidityFailure = 'broken' | 'cancelled'

/** A question that the solidity worker did not answer. Branch on `code`; `message` is for people. */
export class SolidityError extends Error {
  override readonly name = 'SolidityError'
  readonly code: SolidityFailure
  constructor(code: SolidityFailure, message: string) {
    super(message)
    this.code = code
  }
}

/** A build that a question names. */
export interface BuildToRead {
  readonly id: string
  /** Texts of the build, for a worker that has not got it, as `ToSolidity` has them; `undefined` if it is no longer there. */
  readonly read: () => Promise<Uint8Array<ArrayBuffer> | undefined>
  /** Called when an answer is from it, and it lacks something that its compiler would tell. */
  readonly onIncomplete?: (compiler: string) => void
}

/** Called now and then: how many files were read, of how many that are known so far. */
type Tell = (done: number, total: number) => void

/** Reads compilers' output, in a worker that starts when needed and ends when idle. */
export interface SolidityReader {
  /**
   * Asks a question, as `SolidityQuestions` of the worker's messages has them.
   *
   * @param builds - Where to look, the best first. Others are forgotten; none are, if it is of no build (`undefined`).
   * @param asked - A run that the question before was about is not sent again.
   * @throws {SolidityError}
   */
  readonly ask: <Kind extends QuestionKind>(
    kind: Kind,
    builds: readonly BuildToRead[] | undefined,
    asked: AskedOf<Kind>,
    signal?: AbortSignal,
    tell?: Tell,
  ) => Promise<AnswerOf<Kind>>
}

interface Question {
  readonly builds: readonly BuildToRead[]
  readonly tell: Tell | undefined
  readonly resolve: (answer: never) => void
  readonly reject: (error: SolidityError) => void
}

/** Idle milliseconds after which the worker, which holds every build, is ended. */
const IDLE_MS = 120_000

/** @param startWorker - Replaces the worker in tests. */
export function createSolidityReader(startWorker: () => WorkerLike = startSolidityWorker): SolidityReader {
  let worker: WorkerHandle<ToSolidity> | undefined
  /** Builds that the worker has. */
  const held = new Set<string>()
  /** The run whose variables it was asked for last. */
  let heldRun: RunStorage | undefined
  const waiting = new Map<number, Question>()
  let questions = 0
  let idle: ReturnType<typeof setTimeout> | undefined

  function receive(message: FromSolidity): void {
    const question = waiting.get(message.id)
    if (message.kind === 'reading') return question?.tell?.(message.done, message.total)
    waiting.delete(message.id)
    rest()
    if (!question) return
    if (message.kind === 'failed') return question.reject(new SolidityError('broken', message.message))
    question.resolve(message.answer as never)
    for (const { id, compiler } of message.incomplete) {
      question.builds.find((build) => build.id === id)?.onIncomplete?.(compiler)
    }
  }
  function rest(): void {
    clearTimeout(idle)
    if (waiting.size === 0) idle = setTimeout(() => end('it was idle'), IDLE_MS)
  }
  /** Ends the worker, and whatever it was asked. The next question starts another. */
  function end(message: string): void {
    clearTimeout(idle)
    worker?.stop()
    worker = undefined
    held.clear()
    heldRun = undefined
    const left = [...waiting.values()]
    waiting.clear()
    for (const { reject } of left) reject(new SolidityError('broken', `The sources could not be read: ${message}.`))
  }
  /** Ends a question that nobody waits for any more, and the worker with it if that was the only one. */
  function cancel(id: number): void {
    const question = waiting.get(id)
    if (!question) return
    waiting.delete(id)
    question.reject(new SolidityError('cancelled', 'The question was cancelled.'))
    if (waiting.size === 0) end('it was cancelled')
  }

  /** Has the worker forget the builds that no question names any more. */
  function forgetOthers(builds: readonly BuildToRead[]): void {
    const wanted = new Set(builds.map(({ id }) => id))
    const surplus = [...held].filter((id) => !wanted.has(id))
    if (surplus.length === 0 || waiting.size > 1) return
    worker?.post({ kind: 'forget', ids: surplus })
    for (const id of surplus) held.delete(id)
  }
  async function send(builds: readonly BuildToRead[]): Promise<void> {
    const target = worker
    for (const { id, read } of builds) {
      if (held.has(id)) continue
      const texts = await read()
      if (!texts || worker !== target || held.has(id)) continue
      target?.post({ kind: 'build', id, texts }, [texts.buffer])
      held.add(id)
    }
  }

  /** What is asked, without the run that the worker has. */
  function unsent(asked: AskedOf<QuestionKind>): AskedOf<QuestionKind> {
    if (!('run' in asked)) return asked
    const { run, ...others } = asked
    if (run === heldRun) return others
    heldRun = run
    return asked
  }

  return {
    ask(question, builds, asked, signal, tell) {
      worker ??= handleOf(startWorker(), { message: receive, failed: end })
      clearTimeout(idle)
      const id = ++questions
      return new Promise((resolve, reject) => {
        waiting.set(id, { builds: builds ?? [], tell, resolve, reject })
        signal?.addEventListener('abort', () => cancel(id), { once: true })
        if (signal?.aborted) return cancel(id)
        if (builds) forgetOthers(builds)
        const names = builds?.map((build) => build.id) ?? []
        send(builds ?? []).then(
          () => waiting.has(id) && worker?.post({ kind: 'ask', id, question, builds: names, asked: unsent(asked) }),
          (error: unknown) => {
            waiting.delete(id)
            rest()
            reject(error instanceof Error ? error : new Error(String(error)))
          },
        )
      })
    },
  }
}

function startSolidityWorker(): WorkerLike {
  return new Worker(trustedScriptUrl(solidityWorkerUrl), { type: 'module', name: 'solidity' })
}

/** The page's reader. */
export const solidityReader: SolidityReader = createSolidityReader()
