import type { JsonObject } from '#primitives/json-object.ts'
import type { BuildContract, Code } from '#solidity/build/build.ts'
import { isDeclaration, optionalText } from '#solidity/build/json.ts'
import type { RecognisedCode } from '#solidity/code/code-index.ts'
import { nodeIn, nodesIn } from '#solidity/source/ast-nodes.ts'
import { stateVariablesOf } from '#solidity/storage/namespaces.ts'
import { wordTypeOf } from '#solidity/types/word-type.ts'
import { wordText } from '#solidity/value-words.ts'
import { constantText } from './constant-value.ts'

/** A variable that no execution changes: it is part of the code. */
export interface FixedVariable {
  readonly kind: 'immutable' | 'constant'
  readonly path: string
  /** As written in the source. */
  readonly type: string
  /** As text; `undefined` if it is not known. */
  readonly value: string | undefined
  readonly isAddress: boolean
}

/** Most of them that are told of one contract. */
const FIXED_LIMIT = 200
/** Bytes of an immutable's value in the code. */
const WORD = 32

/**
 * The immutable and the constant variables of a contract, in the order of their declarations. Without an AST there are none.
 *
 * @param bytes - The code that runs, or `undefined` while it is being created: then immutables are not known.
 */
export function fixedVariables(
  { build, contract, code }: Pick<RecognisedCode, 'build' | 'contract' | 'code'>,
  bytes: Uint8Array | undefined,
): FixedVariable[] {
  const declared = declarationsOf(build, contract)
  const immutables = bytes && code === contract.deployed ? immutableWords(code, bytes) : new Map<number, Uint8Array>()
  return declared.fixed.map(({ node, kind }) => {
    const described = nodeIn(node, 'typeDescriptions') ?? {}
    const type = wordTypeOf(build, optionalText(described['typeIdentifier']) ?? '')
    const word = isDeclaration(node['id']) ? immutables.get(node['id']) : undefined
    const value =
      kind === 'constant' ? constantText(build, node, declared.constantAt) : type && word && wordText(type, word)
    return {
      kind,
      path: optionalText(node['name']) ?? '',
      type: optionalText(described['typeString']) ?? '',
      value,
      isAddress: type?.kind === 'address',
    }
  })
}

interface Declarations {
  readonly fixed: readonly { readonly node: JsonObject; readonly kind: FixedVariable['kind'] }[]
  readonly constantAt: (id: unknown) => JsonObject | undefined
}

const DECLARED = new WeakMap<BuildContract, Declarations>()

function declarationsOf(build: RecognisedCode['build'], contract: BuildContract): Declarations {
  const known = DECLARED.get(contract)
  if (known) return known
  const fixed = stateVariablesOf(build, contract)
    .flatMap((node) => {
      const kind = kindOf(node)
      return kind ? [{ node, kind }] : []
    })
    .slice(0, FIXED_LIMIT)
  let constants: ReadonlyMap<unknown, JsonObject> | undefined
  const made: Declarations = { fixed, constantAt: (id) => (constants ??= allConstants(build)).get(id) }
  DECLARED.set(contract, made)
  return made
}

function kindOf({ mutability, constant }: JsonObject): FixedVariable['kind'] | undefined {
  if (mutability === 'immutable') return 'immutable'
  // Before Solidity 0.6.5 there was no other word for it.
  return mutability === 'constant' || constant === true ? 'constant' : undefined
}

/** The constants of files, contracts and libraries, which those of a contract may name. */
function allConstants({ sources }: RecognisedCode['build']): ReadonlyMap<unknown, JsonObject> {
  const found = new Map<unknown, JsonObject>()
  for (const { ast } of sources) {
    const nodes = nodesIn({ nodes: [ast] }, 'nodes').flatMap((file) => nodesIn(file, 'nodes'))
    for (const node of [...nodes, ...nodes.flatMap((each) => nodesIn(each, 'nodes'))]) {
      if (node['nodeType'] === 'VariableDeclaration' && kindOf(node) === 'constant') found.set(node['id'], node)
    }
  }
  return found
}

/** The words that stand in the code for immutables, by the ids of their declarations. */
function immutableWords({ immutables }: Code, bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const words = new Map<number, Uint8Array>()
  for (const { id, start, length } of immutables) {
    if (length === WORD && start + WORD <= bytes.length) words.set(id, bytes.subarray(start, start + WORD))
  }
  return words
}
