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
import type { FromSolidity, IncompleteBuild, RefusedBuild, RunStorage, ToSolidity } from './messages.ts'
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

function look({ id, builds: ids, trace }: Extract<ToSolidity, { kind: 'look' }>): void {
  const { known, refused } = namedBuilds(ids)
  const index = indexOf(known)
  const sources = stepSources(trace, index)
  const explanation = explainFailure(trace, index)
  const gas = profileGas(trace, index)
  const looked = { sources, slots: variableSlots(trace, index), explanation, gas, refused }
  const codeOf = createFrameCodes(parseTrace(trace), index)
  const incomplete = incompleteOf(trace.frames.map((_frame, i) => codeOf(i)?.recognised))
  const { placeOf, depths } = sources
  post({ kind: 'looked', id, looked, incomplete: incomplete }, [placeOf.buffer, depths.buffer])
}

function recognise({ id, builds: ids, code }: Extract<ToSolidity, { kind: 'recognise' }>): void {
  const found = indexOf(namedBuilds(ids).known).deployed(hexToBytes(code))
  if (!found) return post({ kind: 'recognised', id, contract: undefined })
  const { build, contract, isExact } = found
  const { compiler, language, settings, claimed } = build
  const { name, path } = contract
  const files = contractSources(build, contract)
  post({
    kind: 'recognised',
    id,
    contract: { buildId: build.id, name, path, compiler, language, settings, isExact, claimed, files },
  })
}

function tellCreation({ id, builds: ids, initcode }: Extract<ToSolidity, { kind: 'creation' }>): void {
  post({ kind: 'creation', id, creation: describeCreation(indexOf(namedBuilds(ids).known), initcode) })
}

function identify({ id, builds: ids, code }: Extract<ToSolidity, { kind: 'identify' }>): void {
  const found = indexOf(namedBuilds(ids).known).deployed(hexToBytes(code))
  if (!found) return post({ kind: 'identified', id, contract: undefined })
  const { build, contract, isExact } = found
  const { name, abi } = contract
  post({ kind: 'identified', id, contract: { name, abi, isExact, claimed: build.claimed } })
}

function tellUnknown({ id, builds: ids, codes }: Extract<ToSolidity, { kind: 'unknown' }>): void {
  const index = indexOf(namedBuilds(ids).known)
  const indices = [...codes.keys()].filter((i) => {
    const asked = codes[i]
    return asked && !index[asked.isCreation ? 'creation' : 'deployed'](hexToBytes(asked.code))
  })
  post({ kind: 'unknown', id, indices })
}

/** Looks up variables in the run that was asked about last. */
let variablesAt: VariablesAt | undefined

/** Opens a run. If it cannot be read, each lookup throws the reason. */
function openRun({ trace, storage }: RunStorage, ids: readonly string[]): VariablesAt {
  try {
    return createRunVariables(trace, storage, indexOf(namedBuilds(ids).known))
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function tellVariables({ id, builds: ids, run, step, data }: Extract<ToSolidity, { kind: 'variables' }>): void {
  if (run) variablesAt = openRun(run, ids)
  invariant(variablesAt, 'a run is given before its steps')
  post({ kind: 'variables', id, variables: variablesAt(step, data) })
}

function nameVariables({ id, builds: ids, ...question }: Extract<ToSolidity, { kind: 'storage' }>): void {
  const index = indexOf(namedBuilds(ids).known)
  const codes = new Set(question.accounts.flatMap((account) => account.codes))
  const incomplete = incompleteOf([...codes].map((code) => index.deployed(hexToBytes(code))))
  post({ kind: 'named', id, accounts: nameAccounts(index, question), incomplete })
}

/** Milliseconds between two progress messages. */
const TOLD_EACH_MS = 100

async function readFiles({ id, files }: Extract<ToSolidity, { kind: 'read' }>): Promise<void> {
  let toldAt = 0
  const found = await readFolder(files, (done, total) => {
    if (Date.now() < toldAt + TOLD_EACH_MS) return
    toldAt = Date.now()
    post({ kind: 'reading', id, done, total })
  })
  post(
    { kind: 'found', id, found },
    found.builds.map(({ packed }) => packed.texts),
  )
}

/** Answers a question, or reports why it failed. */
async function attempt(id: number, answer: () => void | Promise<void>): Promise<void> {
  try {
    await answer()
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
    case 'look':
      return void attempt(data.id, () => look(data))
    case 'recognise':
      return void attempt(data.id, () => recognise(data))
    case 'creation':
      return void attempt(data.id, () => tellCreation(data))
    case 'identify':
      return void attempt(data.id, () => identify(data))
    case 'unknown':
      return void attempt(data.id, () => tellUnknown(data))
    case 'variables':
      return void attempt(data.id, () => tellVariables(data))
    case 'storage':
      return void attempt(data.id, () => nameVariables(data))
    case 'read':
      return void attempt(data.id, () => readFiles(data))
  }
}
