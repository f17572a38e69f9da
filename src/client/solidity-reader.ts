import type { Hex } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcExecutionTrace } from '#rpc-types/execution-trace.ts'
import type { StepData } from '#solidity/variables/locals.ts'
import type { StepVariables } from '#solidity/variables/run-variables.ts'
import type { DescribedCreation } from '#solidity/worker/describe-creation.ts'
import type {
  AskedCode,
  FromSolidity,
  IdentifiedContract,
  Looked,
  NamedAccount,
  RecognisedContract,
  RunStorage,
  StorageQuestion,
  ToSolidity,
} from '#solidity/worker/messages.ts'
import type { FolderFile, FoundFolder } from '#solidity/worker/read-folder.ts'
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

/** Reads compilers' output, in a worker that starts when needed and ends when idle. */
export interface SolidityReader {
  /**
   * Looks up a run's steps in the sources.
   *
   * @param builds - Where to look, the best first.
   * @throws {SolidityError}
   */
  readonly look: (builds: readonly BuildToRead[], trace: RpcExecutionTrace, signal?: AbortSignal) => Promise<Looked>
  /**
   * Finds the contract whose code it is.
   *
   * @param builds - As above.
   * @param code - As the chain has it.
   * @returns `undefined` if it is of none of the builds.
   * @throws {SolidityError}
   */
  readonly recognise: (
    builds: readonly BuildToRead[],
    code: Hex,
    signal?: AbortSignal,
  ) => Promise<RecognisedContract | undefined>
  /**
   * Finds the contract that some initcode creates, and the arguments of its constructor.
   *
   * @param builds - As above.
   * @returns `undefined` if it is of none of the builds.
   * @throws {SolidityError}
   */
  readonly creation: (
    builds: readonly BuildToRead[],
    initcode: Hex,
    signal?: AbortSignal,
  ) => Promise<DescribedCreation | undefined>
  /**
   * The name and the ABI of the contract whose code it is.
   *
   * @param builds - As above.
   * @param code - As the chain has it.
   * @returns `undefined` if it is of none of the builds.
   * @throws {SolidityError}
   */
  readonly identify: (
    builds: readonly BuildToRead[],
    code: Hex,
    signal?: AbortSignal,
  ) => Promise<IdentifiedContract | undefined>
  /**
   * Finds the codes that are of none of the builds.
   *
   * @param builds - As above.
   * @returns Their indices.
   * @throws {SolidityError}
   */
  readonly unknown: (
    builds: readonly BuildToRead[],
    codes: readonly AskedCode[],
    signal?: AbortSignal,
  ) => Promise<readonly number[]>
  /**
   * Tells the variables before a step of a run, which the worker keeps for the next question.
   *
   * @param builds - As above; the same for the same run.
   * @throws {SolidityError}
   */
  readonly variables: (
    builds: readonly BuildToRead[],
    run: RunStorage,
    step: number,
    data: StepData,
  ) => Promise<StepVariables>
  /**
   * Names the variables in the storages of accounts.
   *
   * @returns For each account `undefined` if its code is of none of the builds.
   * @throws {SolidityError}
   */
  readonly nameAccounts: (
    builds: readonly BuildToRead[],
    question: StorageQuestion,
    signal?: AbortSignal,
  ) => Promise<readonly (NamedAccount | undefined)[]>
  /**
   * Reads files of a folder with artifacts.
   *
   * @param tell - Called now and then: how many files were read, of how many that are known so far.
   * @throws {SolidityError}
   */
  readonly read: (
    files: readonly FolderFile[],
    tell: (done: number, total: number) => void,
    signal?: AbortSignal,
  ) => Promise<FoundFolder>
}

interface Question {
  readonly id: number
  readonly builds: readonly BuildToRead[]
  readonly tell: ((done: number, total: number) => void) | undefined
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: SolidityError) => void
}

type Answer = Exclude<FromSolidity, { kind: 'failed' | 'reading' }>

/** Idle milliseconds after which the worker, which holds every build, is ended. */
const IDLE_MS = 120_000

/** @param startWorker - Replaces the worker in tests. */
export function createSolidityReader(startWorker: () => WorkerLike = startSolidityWorker): SolidityReader {
  let worker: WorkerHandle<ToSolidity> | undefined
  /** Builds that the worker has. */
  const held = new Set<string>()
  /** The run whose variables it was asked for last. */
  let heldRun: RunStorage | undefined
  const asked = new Map<number, Question>()
  let questions = 0
  let idle: ReturnType<typeof setTimeout> | undefined

  function receive(message: FromSolidity): void {
    const question = asked.get(message.id)
    if (message.kind === 'reading') return question?.tell?.(message.done, message.total)
    asked.delete(message.id)
    rest()
    if (!question) return
    if (message.kind === 'failed') return question.reject(new SolidityError('broken', message.message))
    question.resolve(message)
    if (message.kind !== 'looked' && message.kind !== 'named') return
    for (const { id, compiler } of message.incomplete) {
      question.builds.find((build) => build.id === id)?.onIncomplete?.(compiler)
    }
  }
  function rest(): void {
    clearTimeout(idle)
    if (asked.size === 0) idle = setTimeout(() => end('it was idle'), IDLE_MS)
  }
  /** Ends the worker, and whatever it was asked. The next question starts another. */
  function end(message: string): void {
    clearTimeout(idle)
    worker?.stop()
    worker = undefined
    held.clear()
    heldRun = undefined
    const left = [...asked.values()]
    asked.clear()
    for (const { reject } of left) reject(new SolidityError('broken', `The sources could not be read: ${message}.`))
  }
  /** Ends a question that nobody waits for any more, and the worker with it if that was the only one. */
  function cancel(id: number): void {
    const question = asked.get(id)
    if (!question) return
    asked.delete(id)
    question.reject(new SolidityError('cancelled', 'The question was cancelled.'))
    if (asked.size === 0) end('it was cancelled')
  }

  /** Has the worker forget the builds that no question names any more. */
  function forgetOthers(builds: readonly BuildToRead[]): void {
    const wanted = new Set(builds.map(({ id }) => id))
    const surplus = [...held].filter((id) => !wanted.has(id))
    if (surplus.length === 0 || asked.size > 1) return
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

  function ask(
    builds: readonly BuildToRead[] | undefined,
    question: (id: number, names: readonly string[]) => ToSolidity,
    signal: AbortSignal | undefined,
    tell?: Question['tell'],
  ): Promise<Answer> {
    worker ??= handleOf(startWorker(), { message: receive, failed: end })
    clearTimeout(idle)
    const id = ++questions
    return new Promise((resolve, reject) => {
      asked.set(id, { id, builds: builds ?? [], tell, resolve, reject })
      signal?.addEventListener('abort', () => cancel(id), { once: true })
      if (signal?.aborted) return cancel(id)
      if (builds) forgetOthers(builds)
      const names = builds?.map((build) => build.id) ?? []
      send(builds ?? []).then(
        () => asked.has(id) && worker?.post(question(id, names)),
        (error: unknown) => {
          asked.delete(id)
          rest()
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      )
    })
  }

  return {
    async look(builds, trace, signal) {
      const answer = await ask(builds, (id, names) => ({ kind: 'look', id, builds: names, trace }), signal)
      invariant(answer.kind === 'looked', 'a run is answered by what was looked up')
      return answer.looked
    },
    async recognise(builds, code, signal) {
      const answer = await ask(builds, (id, names) => ({ kind: 'recognise', id, builds: names, code }), signal)
      invariant(answer.kind === 'recognised', 'a code is answered by its contract')
      return answer.contract
    },
    async creation(builds, initcode, signal) {
      const answer = await ask(builds, (id, names) => ({ kind: 'creation', id, builds: names, initcode }), signal)
      invariant(answer.kind === 'creation', 'an initcode is answered by what it creates')
      return answer.creation
    },
    async identify(builds, code, signal) {
      const answer = await ask(builds, (id, names) => ({ kind: 'identify', id, builds: names, code }), signal)
      invariant(answer.kind === 'identified', 'a code is answered by its name')
      return answer.contract
    },
    async unknown(builds, codes, signal) {
      const plain = codes.map(({ code, isCreation }) => ({ code, isCreation }))
      const answer = await ask(builds, (id, names) => ({ kind: 'unknown', id, builds: names, codes: plain }), signal)
      invariant(answer.kind === 'unknown', 'codes are answered by those that are not known')
      return answer.indices
    },
    async variables(builds, run, step, data) {
      const answer = await ask(
        builds,
        (id, names) => {
          const given = run === heldRun ? {} : { run }
          heldRun = run
          return { kind: 'variables', id, builds: names, ...given, step, data }
        },
        undefined,
      )
      invariant(answer.kind === 'variables', 'a step is answered by its variables')
      return answer.variables
    },
    async nameAccounts(builds, question, signal) {
      const answer = await ask(builds, (id, names) => ({ kind: 'storage', id, builds: names, ...question }), signal)
      invariant(answer.kind === 'named', 'storages are answered by their variables')
      return answer.accounts
    },
    async read(files, tell, signal) {
      const answer = await ask(undefined, (id) => ({ kind: 'read', id, files }), signal, tell)
      invariant(answer.kind === 'found', 'files are answered by what was found')
      return answer.found
    },
  }
}

function startSolidityWorker(): WorkerLike {
  return new Worker(trustedScriptUrl(solidityWorkerUrl), { type: 'module', name: 'solidity' })
}

/** The page's reader. */
export const solidityReader: SolidityReader = createSolidityReader()
