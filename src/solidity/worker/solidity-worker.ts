import { hexToBytes } from '#primitives/hex.ts'
import { invariant } from '#primitives/invariant.ts'
import type { Build, Claim } from '#solidity/build/build.ts'
import { isIncomplete } from '#solidity/build/incomplete.ts'
import { BuildError } from '#solidity/build/json.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { type CodeIndex, createCodeIndex, type RecognisedCode } from '#solidity/code/code-index.ts'
import { profileGas } from '#solidity/gas/profile-gas.ts'
import { contractSources } from '#solidity/source/contract-sources.ts'
import { explainFailure } from '#solidity/stack/explain-failure.ts'
import { createFrameCodes } from '#solidity/stack/traced-code.ts'
import { stepSources } from '#solidity/steps/step-sources.ts'
import { parseTrace } from '#solidity/trace/parsed-trace.ts'
import { createRunVariables, type VariablesAt, variableSlots } from '#solidity/variables/run-variables.ts'
import { describeCreation } from './describe-creation.ts'
import type {
  AnswerOf,
  AskedCode,
  AskedOf,
  FromSolidity,
  IncompleteBuild,
  QuestionKind,
  RefusedBuild,
  RunStorage,
  ToSolidity,
} from './messages.ts'
import { nameAccounts } from './name-accounts.ts'
import { readFolder } from './read-folder.ts'

/** Builds by id, or why one could not be read. */
const builds = new Map<string, Build | RefusedBuild>()

function post(message: FromSolidity, transfer: Transferable[] = []): void {
  self.postMessage(message, transfer)
}

/** As `packTexts` writes them. */
type PackedTexts = [compiler: string, input: string, output: string, claimed?: Claim]

function read(id: string, texts: Uint8Array<ArrayBuffer>): Build | RefusedBuild {
  try {
    const [compiler, input, output, claimed] = JSON.parse(new TextDecoder().decode(texts)) as PackedTexts
    return readStandardJson({ input: JSON.parse(input), output: JSON.parse(output), compiler, id, claimed })
  } catch (error) {
    if (error instanceof BuildError || error instanceof SyntaxError) return { id, reason: error.message }
    throw error
  }
}

/** The builds that a question names: those that could be read, and the others. */
function namedBuilds(ids: readonly string[]): { readonly known: Build[]; readonly refused: RefusedBuild[] } {
  const known: Build[] = []
  const refused: RefusedBuild[] = []
  for (const name of ids) {
    const build = builds.get(name)
    if (!build) continue
    if ('reason' in build) refused.push(build)
    else known.push(build)
  }
  return { known, refused }
}

/** @param known - Best first. The index prefers the last of several builds with the same code. */
function indexOf(known: readonly Build[]): CodeIndex {
  return createCodeIndex(known.toReversed())
}

/** The builds of some codes that lack something. */
function incompleteOf(codes: readonly (RecognisedCode | undefined)[]): readonly IncompleteBuild[] {
  const lacking = codes.flatMap((code) => (code && isIncomplete(code.build, code.contract) ? [code.build] : []))
  return [...new Set(lacking)].map(({ id, compiler }) => ({ id, compiler }))
}

/** Looks up variables in the run that was asked about last. */
let variablesAt: VariablesAt | undefined

/** Opens a run. If it cannot be read, each lookup throws the reason. */
function openRun({ trace, storage }: RunStorage, index: CodeIndex): VariablesAt {
  try {
    return createRunVariables(trace, storage, index)
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** Milliseconds between two progress messages. */
const TOLD_EACH_MS = 100

interface Answer<Kind extends QuestionKind> {
  readonly answer: AnswerOf<Kind>
  readonly incomplete?: readonly IncompleteBuild[]
  readonly transfer?: Transferable[]
}

/** The builds that a question names. */
interface Builds {
  /** The question's number. */
  readonly id: number
  /** Made when it is read: the variables of a step need none. */
  readonly index: CodeIndex
  readonly refused: readonly RefusedBuild[]
}

type Answering<Kind extends QuestionKind> = (
  asked: AskedOf<Kind>,
  builds: Builds,
) => Answer<Kind> | Promise<Answer<Kind>>

const ANSWERS: { readonly [Kind in QuestionKind]: Answering<Kind> } = {
  look({ trace }, { index, refused }) {
    const sources = stepSources(trace, index)
    const explanation = explainFailure(trace, index)
    const gas = profileGas(trace, index)
    const codeOf = createFrameCodes(parseTrace(trace), index)
    const { placeOf, depths } = sources
    return {
      answer: { sources, slots: variableSlots(trace, index), explanation, gas, refused },
      incomplete: incompleteOf(trace.frames.map((_frame, i) => codeOf(i)?.recognised)),
      transfer: [placeOf.buffer, depths.buffer],
    }
  },
  recognise({ code }, { index }) {
    const found = index.deployed(hexToBytes(code))
    if (!found) return { answer: undefined }
    const { build, contract, isExact } = found
    const { compiler, language, settings, claimed } = build
    const { name, path } = contract
    const files = contractSources(build, contract)
    return { answer: { buildId: build.id, name, path, compiler, language, settings, isExact, claimed, files } }
  },
  creation({ initcode }, { index }) {
    return { answer: describeCreation(index, initcode) }
  },
  identify({ code }, { index }) {
    const found = index.deployed(hexToBytes(code))
    if (!found) return { answer: undefined }
    const { build, contract, isExact } = found
    const { name, abi } = contract
    return { answer: { name, abi, isExact, claimed: build.claimed } }
  },
  unknown({ codes }, { index }) {
    const isKnown = ({ code, isCreation }: AskedCode) => index[isCreation ? 'creation' : 'deployed'](hexToBytes(code))
    return { answer: [...codes.keys()].filter((i) => !isKnown(codes[i] as AskedCode)) }
  },
  variables({ run, step, data }, named) {
    if (run) variablesAt = openRun(run, named.index)
    invariant(variablesAt, 'a run is given before its steps')
    return { answer: variablesAt(step, data) }
  },
  storage(question, { index }) {
    const codes = new Set(question.accounts.flatMap((account) => account.codes))
    const incomplete = incompleteOf([...codes].map((code) => index.deployed(hexToBytes(code))))
    return { answer: nameAccounts(index, question), incomplete }
  },
  async read({ files }, { id }) {
    let toldAt = 0
    const found = await readFolder(files, (done, total) => {
      if (Date.now() < toldAt + TOLD_EACH_MS) return
      toldAt = Date.now()
      post({ kind: 'reading', id, done, total })
    })
    return { answer: found, transfer: found.builds.map(({ packed }) => packed.texts) }
  },
}

/** Answers a question, or reports why it failed. */
async function answer({ id, question, builds: ids, asked }: Extract<ToSolidity, { kind: 'ask' }>): Promise<void> {
  try {
    const { known, refused } = namedBuilds(ids)
    const answering = ANSWERS[question] as Answering<QuestionKind>
    const {
      answer: found,
      incomplete = [],
      transfer,
    } = await answering(asked, {
      id,
      refused,
      get index() {
        return indexOf(known)
      },
    })
    post({ kind: 'answered', id, answer: found, incomplete }, transfer)
  } catch (error) {
    post({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) })
  }
}

self.onmessage = ({ data }: MessageEvent<ToSolidity>): void => {
  switch (data.kind) {
    case 'build':
      builds.set(data.id, read(data.id, data.texts))
      return
    case 'forget':
      for (const id of data.ids) builds.delete(id)
      return
    case 'ask':
      return void answer(data)
  }
}
