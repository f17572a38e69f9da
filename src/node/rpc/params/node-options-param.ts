import { ENGINE_NAMES, type NodeOptions } from '#rpc-types/node-options.ts'
import { OPTION_RANGES, rangeInWords } from '#rpc-types/option-ranges.ts'
import { cannotUnmarshal, isObject, jsonType } from './json-type.ts'
import { type Param, ParamError } from './param.ts'

/** Does not compile while an option is missing. */
const NAMES: Readonly<Record<keyof NodeOptions, true>> = {
  clientVersion: true,
  chainId: true,
  seed: true,
  mode: true,
  partialMs: true,
  partialsPerBlock: true,
  engine: true,
  speed: true,
  gasLimit: true,
  baseFee: true,
  minBaseFee: true,
  baseFeeDenominator: true,
  baseFeeElasticity: true,
  genesisTimestamp: true,
  coinbase: true,
  tickBudgetMs: true,
  safeDistance: true,
  finalizedDistance: true,
  allowUnprotected: true,
  accounts: true,
  genesis: true,
}

/** The options of a chain. What a chain is made of is checked where it is made; here is the rest, and their names. */
export const nodeOptions: Param<NodeOptions> = {
  parse(value) {
    if (!isObject(value)) throw cannotUnmarshal(jsonType(value), 'value of type NodeOptions')
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(NAMES, name)) throw new ParamError(`there is no option ${JSON.stringify(name)}`)
    }
    const { mode, engine, speed, allowUnprotected, accounts } = value
    if (mode !== undefined && mode !== 'auto' && mode !== 'manual') throw new ParamError('mode must be auto or manual')
    if (engine !== undefined && !ENGINE_NAMES.some((name) => name === engine)) {
      throw new ParamError(`engine must be ${ENGINE_NAMES.join(' or ')}`)
    }
    if (allowUnprotected !== undefined && typeof allowUnprotected !== 'boolean') {
      throw new ParamError('allowUnprotected must be true or false')
    }
    const { min, max } = OPTION_RANGES.speed
    if (speed !== undefined && !(typeof speed === 'number' && speed > min && speed <= max)) {
      throw new ParamError(`speed must be ${rangeInWords('speed')}`)
    }
    if (accounts !== undefined && !(Array.isArray(accounts) && accounts.every(isObject))) {
      throw new ParamError('accounts must be an array of objects')
    }
    return value
  },
}
