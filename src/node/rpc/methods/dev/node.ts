import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import type { ResetOptions } from '#rpc-types/methods/anvil.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { mapInSlices, portionsOf } from '../../map-in-slices.ts'
import { optional } from '../../params/param.ts'
import { boolean } from '../../params/plain-params.ts'
import { codeBytes, dumpState, putAccounts, requireRoomForCode, resetNode } from '../devnet/state.ts'
import { type DumpedAccounts, foreignStateDump } from '../devnet/state-dump-params.ts'
import { SUGGESTED_TIP } from '../eth/fees.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { forkUrl, resetOptions } from './dev-params.ts'

/** Characters of a dump that are spelled in digits without a pause. */
const CHARACTERS_PER_PORTION = 65_536
/** The rules that code runs by. */
const HARD_FORK = 'osaka'

function setLogging({ settings }: CallerContext, enabled: boolean): void {
  settings.loggingEnabled = enabled
}

const reset = (context: CallerContext, _options: ResetOptions) => resetNode(context)

/** Digits and names alone: one byte to each character. */
const asciiDigits = (text: string) => bytesToHex(Uint8Array.from(text, (character) => character.charCodeAt(0))).slice(2)

async function dumpStateAsHex(context: CallerContext, historical: boolean) {
  if (historical) throw new RpcRefusedError('invalid-params', 'only the present state can be dumped')
  const json = JSON.stringify(await dumpState(context))
  const portions = portionsOf(json, CHARACTERS_PER_PORTION)
  return `0x${(await mapInSlices(portions, asciiDigits, guardFor(context))).join('')}` as const
}

const loadState = answeringTrue((context: CallerContext, accounts: DumpedAccounts) => {
  requireRoomForCode(context, codeBytes(accounts))
  return context.control.edit((state) => putAccounts(state, accounts), true)
})

function metadata({ chain, settings, spec }: CallerContext) {
  const { header, hash } = chain.head()
  return {
    clientVersion: spec.clientVersion,
    chainId: spec.chainId,
    instanceId: settings.instanceId(),
    latestBlockNumber: header.number,
    latestBlockHash: hash,
  }
}

/** `anvil_dumpState`: the state, to be loaded again. */
export const anvilDumpState = defineMethod('anvil_dumpState', [optional(boolean, false)], dumpStateAsHex)
/** `hardhat_dumpState`: the same. */
export const hardhatDumpState = defineMethod('hardhat_dumpState', [optional(boolean, false)], dumpStateAsHex)
/** `anvil_loadState`: adds the accounts of a dump. */
export const anvilLoadState = defineMethod('anvil_loadState', [foreignStateDump], loadState)
/** `hardhat_loadState`: the same. */
export const hardhatLoadState = defineMethod('hardhat_loadState', [foreignStateDump], loadState)

/** `anvil_nodeInfo`: the chain's settings and where it stands. */
export const anvilNodeInfo = defineMethod('anvil_nodeInfo', [], ({ chain, spec }) => {
  const { header, hash } = chain.head()
  const { baseFeePerGas, gasLimit } = chain.pending().header
  return {
    currentBlockNumber: toQuantity(header.number),
    currentBlockTimestamp: header.timestamp,
    currentBlockHash: hash,
    hardFork: HARD_FORK,
    transactionOrder: 'fees',
    environment: {
      baseFee: toQuantity(baseFeePerGas),
      chainId: toQuantity(spec.chainId),
      gasLimit: toQuantity(gasLimit),
      gasPrice: toQuantity(baseFeePerGas + SUGGESTED_TIP),
    },
    forkConfig: { forkUrl: null, forkBlockNumber: null, forkRetryBackoff: null },
  }
})

/** `anvil_metadata`: which node this is, and its snapshots. */
export const anvilMetadata = defineMethod('anvil_metadata', [], (context) => ({
  ...metadata(context),
  forkedNetwork: null,
  snapshots: Object.fromEntries(
    [...context.control.snapshots()].map(([id, { header, hash }]) => [id, [header.number, hash] as const]),
  ),
}))
/** `hardhat_metadata`: which node this is. */
export const hardhatMetadata = defineMethod('hardhat_metadata', [], metadata)

/** `anvil_reset`: starts over. */
export const anvilReset = defineMethod('anvil_reset', [optional(resetOptions, {})], answeringNull(reset))
/** `hardhat_reset`: the same. */
export const hardhatReset = defineMethod('hardhat_reset', [optional(resetOptions, {})], answeringTrue(reset))

/** `anvil_setRpcUrl`: refused. */
export const anvilSetRpcUrl = defineMethod('anvil_setRpcUrl', [forkUrl], (_context, url: never) => url)
/** `hardhat_setRpcUrl`: refused. */
export const hardhatSetRpcUrl = defineMethod('hardhat_setRpcUrl', [forkUrl], (_context, url: never) => url)

/** `anvil_setLoggingEnabled`: whether the node reports to its host. */
export const anvilSetLoggingEnabled = defineMethod('anvil_setLoggingEnabled', [boolean], answeringNull(setLogging))
/** `hardhat_setLoggingEnabled`: the same. */
export const hardhatSetLoggingEnabled = defineMethod('hardhat_setLoggingEnabled', [boolean], answeringTrue(setLogging))
