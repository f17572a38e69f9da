import type { NodeOptions } from '#rpc-types/node-options.ts'
import { checkOptions } from '../../../spec/check-options.ts'
import { InvalidOptionError } from '../../../spec/invalid-option-error.ts'
import { cannotUnmarshal, isObject, jsonType } from '../../params/json-type.ts'
import { type Param, ParamError } from '../../params/param.ts'

/** The options of a chain. What a chain is made of is checked where it is made; here is the rest, and their names. */
export const nodeOptions: Param<NodeOptions> = {
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
