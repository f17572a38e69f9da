import { fromBase64, isBase64, toBase64 } from '#primitives/base64.ts'
import { isObject } from '#primitives/json-object.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { checkOptions } from '../../../spec/check-options.ts'
import { InvalidOptionError } from '../../../spec/invalid-option-error.ts'
import { mapInSlices, portionsOf } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { cannotUnmarshal, jsonType, optional, type Param, ParamError } from '../../params/param.ts'
import { answeringTrue } from '../anvil/answering.ts'

/** The options of a chain. Only their names and simple options are checked here, the others where the chain is made. */
const nodeOptions: Param<NodeOptions> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type NodeOptions')
    try {
      checkOptions(value)
      return value
    } catch (error) {
      if (!(error instanceof InvalidOptionError)) throw error
      throw new ParamError(error.message, { cause: error })
    }
  },
}

/** How many bytes are encoded without a pause; a multiple of 3, so that there is no padding in between. */
const PORTION_BYTES = 3 * 65_536

const base64: Param<Uint8Array> = {
  parse(value) {
    if (typeof value !== 'string') throw cannotUnmarshal(jsonType(value), 'value of type string')
    if (!isBase64(value)) throw new ParamError('not Base64')
    return fromBase64(value)
  },
}

/** The storage of the chain, and the chain as a file. */
export const DEVNET_STORAGE_METHODS = {
  /** Describes the storage of the chain. */
  devnet_getStorage: defineMethod([], ({ storage }) => storage.describe()),

  /** The whole chain as a file. */
  devnet_exportChain: defineMethod(
    [],
    async (context) => {
      const portions = portionsOf(await context.storage.exportChain(), PORTION_BYTES)
      return (await mapInSlices(portions, toBase64, guardFor(context))).join('')
    },
    { queue: 'answer' },
  ),

  /** Replaces this chain with another. */
  devnet_importChain: defineMethod(
    [base64],
    answeringTrue(({ storage }: CallerContext, file: Uint8Array) => storage.importChain(file)),
  ),

  /** Cancels the running import. */
  devnet_cancelImport: defineMethod([], ({ storage }) => storage.cancelImport()),

  /** Replaces this chain with a new one. */
  devnet_startChain: defineMethod(
    [optional(nodeOptions, {})],
    answeringTrue(({ storage }: CallerContext, options: NodeOptions) => storage.startChain(options)),
  ),

  /** Forgets all snapshots. */
  devnet_forgetSnapshots: defineMethod([], ({ control }) => control.forgetSnapshots()),
} satisfies Partial<MethodTable>
