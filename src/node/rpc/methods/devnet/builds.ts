import type { Address } from '#primitives/hex.ts'
import { isObject } from '#primitives/json-object.ts'
import type { RpcBuild } from '#rpc-types/stack-trace.ts'
import type { BuildJson } from '../../builds/known-builds.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { parseAddress, parseData } from '../../params/hex-params.ts'
import { cannotUnmarshal, jsonType, type Param, ParamError } from '../../params/param.ts'

/** Longest version of a compiler, in characters. */
const LONGEST_VERSION = 100

const version: Param<string> = {
  parse(value) {
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    return value.slice(0, LONGEST_VERSION)
  },
}

const json: Param<Readonly<Record<string, unknown>>> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type object')
    return value
  },
}

/** An account's address, or initcode. */
const codeOwner: Param<Address | Uint8Array> = {
  parse(value) {
    if (typeof value === 'string') return parseAddress(value)
    if (!isObject(value)) throw new ParamError('neither an address nor an initcode')
    return parseData(value['initcode'], 'initcode')
  },
}

/** Builds: compiled sources of contracts that the node knows. */
export const DEVNET_BUILD_METHODS = {
  /** Hardhat's name; like Hardhat's, it answers whether the build was taken. */
  hardhat_addCompilationResult: defineMethod(
    [version, json, json],
    async ({ builds }, compiler, input, output) => {
      const [{ readStandardJson }, { BuildError }] = await Promise.all([
        import('#solidity/build/read-standard-json.ts'),
        import('#solidity/build/json.ts'),
      ])
      try {
        const build = readStandardJson({ input, output, compiler })
        const text = JSON.stringify({ input, output })
        builds.give({ build, characters: text.length, json: () => Promise.resolve(JSON.parse(text) as BuildJson) })
        return true
      } catch (error) {
        if (!(error instanceof BuildError)) throw error
        throw new RpcRefusedError('invalid-params', `this is no compilation: ${error.message}`, { cause: error })
      }
    },
    { queue: 'answer' },
  ),

  /** `null` without such a build. */
  devnet_getBuild: defineMethod([codeOwner], (context, of) => buildOf(context, of), { queue: 'answer' }),
} satisfies Partial<MethodTable>

async function buildOf({ builds, chain }: CallerContext, of: Address | Uint8Array): Promise<RpcBuild | null> {
  const code = typeof of === 'string' ? chain.pending().state.code(of) : of
  if (code.length === 0 || builds.isEmpty) return null
  const index = await builds.index()
  const found = typeof of === 'string' ? index.deployed(code) : index.creation(code)
  const standardJson = found && (await builds.jsonOf(found))
  if (!found || !standardJson) return null
  const { contract, build, isExact } = found
  const { input, output } = standardJson
  return { contract: contract.name, path: contract.path, compiler: build.compiler, isExact, input, output }
}
