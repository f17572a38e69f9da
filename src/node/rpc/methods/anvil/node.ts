import { bytesToHex, toQuantity } from '#primitives/hex.ts'
import { mapInSlices, portionsOf } from '../../../turns/map-in-slices.ts'
import { guardFor } from '../../caller-guard.ts'
import { type CallerContext, defineMethod, type MethodTable } from '../../define-method.ts'
import { RpcRefusedError } from '../../errors.ts'
import { optional } from '../../params/param.ts'
import { boolean } from '../../params/plain-params.ts'
import { answeringNull, answeringTrue } from './answering.ts'
import { dumpState } from './state.ts'
import { foreignStateDump, type RawAccounts } from './state-dump-params.ts'

/** Characters of a dump that are spelled in digits without a pause. */
const CHARACTERS_PER_PORTION = 65_536

/** The rules that code runs by. */
const HARD_FORK = 'osaka'

function setLogging({ settings }: CallerContext, enabled: boolean): void {
  settings.loggingEnabled = enabled
}

/** Digits and names alone: one byte to each character. */
const asciiDigits = (text: string) => bytesToHex(Uint8Array.from(text, (character) => character.charCodeAt(0))).slice(2)

async function dumpStateAsHex(context: CallerContext, historical: boolean) {
  if (historical) throw new RpcRefusedError('invalid-params', 'only the present state can be dumped')
  const json = JSON.stringify(await dumpState(context))
  const portions = portionsOf(json, CHARACTERS_PER_PORTION)
  return `0x${(await mapInSlices(portions, asciiDigits, guardFor(context))).join('')}` as const
}

const loadState = answeringTrue(async (context: CallerContext, raw: RawAccounts) => {
  const { putAccounts, readAccounts } = await import('./dumped-state.ts')
  const accounts = await readAccounts(context, raw)
  return context.control.editInSteps((state) => putAccounts(state, accounts), true)
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

/** The node: its state as a dump, its description. */
export const ANVIL_NODE_METHODS = {
  /** The state, to be loaded again. */
  anvil_dumpState: defineMethod([optional(boolean, false)], dumpStateAsHex, { queue: 'answer' }),
  hardhat_dumpState: defineMethod([optional(boolean, false)], dumpStateAsHex, { queue: 'answer' }),

  /** Adds the accounts of a dump. */
  anvil_loadState: defineMethod([foreignStateDump], loadState),
  hardhat_loadState: defineMethod([foreignStateDump], loadState),

  /** The chain's settings and where it stands. */
  anvil_nodeInfo: defineMethod([], ({ chain, fork, spec }) => {
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
        chainId: spec.chainId,
        gasLimit: toQuantity(gasLimit),
        gasPrice: toQuantity(baseFeePerGas + spec.suggestedTip),
      },
      // An endpoint's address may hold a key.
      forkConfig: {
        forkUrl: fork?.fork.remote.name ?? null,
        forkBlockNumber: fork?.fork.header.header.number ?? null,
        forkRetryBackoff: null,
      },
    }
  }),

  /** The node's version and its snapshots. */
  anvil_metadata: defineMethod([], (context) => ({
    ...metadata(context),
    forkedNetwork: context.fork?.network() ?? null,
    snapshots: Object.fromEntries(
      [...context.control.snapshots()].map(([id, { header, hash }]) => [id, [header.number, hash] as const]),
    ),
  })),

  /** The node's version. */
  hardhat_metadata: defineMethod([], metadata),

  /** Whether the node reports to its host. */
  anvil_setLoggingEnabled: defineMethod([boolean], answeringNull(setLogging)),
  hardhat_setLoggingEnabled: defineMethod([boolean], answeringTrue(setLogging)),
} satisfies Partial<MethodTable>
