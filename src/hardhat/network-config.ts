import type { ChainOptions } from '#library/chain.ts'
import type { Address } from '#primitives/hex.ts'
import type { AccountOption } from '#rpc-types/node-options.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { deriveKeys, normalizeMnemonic } from '#server/cli/mnemonic.ts'

/** A text that Hardhat 3 resolves when it is needed: it may stand in the environment or a keystore. */
interface HardhatVariable {
  get(): Promise<string>
}

type ConfigText = string | HardhatVariable

/**
 * A simulated network of a Hardhat project, resolved; of Hardhat 2, whose amounts are numbers and texts, or of Hardhat 3, whose
 * are bigints and whose secrets are variables.
 */
export interface SimulatedNetwork {
  readonly chainId?: number
  readonly chainType?: string
  readonly accounts?:
    | readonly { readonly privateKey: ConfigText; readonly balance: string | bigint }[]
    | {
        readonly mnemonic: ConfigText
        readonly passphrase?: ConfigText
        readonly path?: string
        readonly initialIndex?: number
        readonly count?: number
        readonly accountsBalance?: string | bigint
      }
  /** Gas of a send that names none; `auto` estimates it. */
  readonly gas?: number | bigint | 'auto'
  /** `false`: no limit. */
  readonly blockGasLimit?: number | bigint | false
  readonly initialBaseFeePerGas?: number | bigint
  readonly allowUnlimitedContractSize?: boolean
  readonly allowBlocksWithSameTimestamp?: boolean
  readonly throwOnTransactionFailures?: boolean
  readonly coinbase?: string | Uint8Array
  readonly initialDate?: string | Date
  readonly mining?: { readonly auto?: boolean; readonly interval?: number | readonly number[] }
  readonly forking?: {
    readonly enabled?: boolean
    readonly url: ConfigText
    readonly blockNumber?: number | bigint
    readonly httpHeaders?: Readonly<Record<string, string>>
  }
}

/** Wei of an account of a mnemonic, in Hardhat 2 and 3. */
const USUAL_BALANCE = 10_000n * 10n ** 18n

/**
 * The options of a chain that stands for the network.
 *
 * @param own - Of the project, for this chain; they win.
 * @throws {Error} If the network asks for what no chain of ours can do.
 */
export async function optionsOf(network: SimulatedNetwork, own: ChainOptions): Promise<ChainOptions> {
  const { chainId, chainType, coinbase, forking, blockGasLimit, initialBaseFeePerGas, throwOnTransactionFailures } =
    network
  const accounts = await accountsOf(network.accounts)
  const options: ChainOptions = {
    as: 'hardhat',
    ...(chainId !== undefined && { chainId }),
    ...(chainType === 'op' && { op: true }),
    ...(accounts && { accounts }),
    ...(blockGasLimit !== undefined && {
      gasLimit: blockGasLimit === false ? OPTION_RANGES.gasLimit.max : Number(blockGasLimit),
    }),
    ...(initialBaseFeePerGas !== undefined && { baseFee: Number(initialBaseFeePerGas) }),
    ...(network.allowUnlimitedContractSize && { codeSizeLimit: OPTION_RANGES.codeSizeLimit.max }),
    ...(network.allowBlocksWithSameTimestamp && { allowSameTimestamp: true }),
    ...(throwOnTransactionFailures !== undefined && { throwOnTransactionFailures }),
    ...(coinbase !== undefined && { coinbase: addressOf(coinbase) }),
    ...(network.initialDate !== undefined && { genesisTimestamp: secondsOf(network.initialDate) }),
  }
  if (!forking || forking.enabled === false) return { ...options, ...own }
  const { blockNumber, httpHeaders } = forking
  const fork = {
    url: await textOf(forking.url),
    ...(blockNumber !== undefined && { blockNumber: Number(blockNumber) }),
    ...(httpHeaders && { headers: httpHeaders }),
  }
  return { ...options, fork, ...own }
}

/** What makes a chain that has begun mine as the network does. */
export function miningCalls({
  mining = {},
}: SimulatedNetwork): readonly { method: string; params: readonly unknown[] }[] {
  const { auto = true, interval = 0 } = mining
  const automine = { method: 'evm_setAutomine', params: [auto] }
  return interval === 0 ? [automine] : [automine, { method: 'evm_setIntervalMining', params: [interval] }]
}

/** @returns Nothing if they are those that a chain of Hardhat has anyway. */
async function accountsOf(accounts: SimulatedNetwork['accounts']): Promise<readonly AccountOption[] | undefined> {
  if (accounts === undefined) return undefined
  if ('mnemonic' in accounts) {
    const { count = 20, initialIndex = 0, accountsBalance = USUAL_BALANCE } = accounts
    if (accounts.passphrase !== undefined && (await textOf(accounts.passphrase)) !== '') {
      throw new Error('blinknet/hardhat derives accounts without a passphrase: list their private keys in `accounts`')
    }
    const mnemonic = normalizeMnemonic(await textOf(accounts.mnemonic))
    const keys = await deriveKeys(mnemonic, initialIndex + count, accounts.path)
    return keys.slice(initialIndex).map((key) => ({ ...key, balance: String(accountsBalance) }))
  }
  const { privateKeyToAddress } = await import('viem/accounts')
  return Promise.all(
    accounts.map(async ({ privateKey, balance }) => {
      const text = (await textOf(privateKey)).trim().toLowerCase()
      const key = `0x${text.replace(/^0x/, '')}` as const
      return { privateKey: key, address: privateKeyToAddress(key).toLowerCase() as Address, balance: String(balance) }
    }),
  )
}

async function textOf(text: ConfigText): Promise<string> {
  return typeof text === 'string' ? text : text.get()
}

function addressOf(coinbase: string | Uint8Array): Address {
  return (
    typeof coinbase === 'string' ? coinbase : `0x${Buffer.from(coinbase).toString('hex')}`
  ).toLowerCase() as Address
}

/** Seconds since the Unix epoch. */
function secondsOf(date: string | Date): number {
  return Math.floor(new Date(date).getTime() / 1000)
}
