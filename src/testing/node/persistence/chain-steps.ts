import fc from 'fast-check'
import type { Hex } from '#primitives/hex.ts'
import { devAccount, RpcError, signTransfer, type TestNode } from '#testing/node/test-node.ts'

const EDITED: Hex = `0x${'e2'.repeat(20)}`
const IMPERSONATED: Hex = `0x${'ab'.repeat(20)}`
/** Address of {@link STORE_AND_LOG}. */
export const CONTRACT: Hex = `0x${'c0'.repeat(20)}`
/** Writes the call's first word into slot 0 and logs it. */
const STORE_AND_LOG: Hex = '0x5f3580805f5500005f525f60205fa1'

/** An operation on a chain. */
export type Step =
  | { readonly kind: 'send'; readonly sender: number; readonly gap: number }
  | { readonly kind: 'tick' | 'mine' | 'drop' | 'reorg' | 'travel' | 'revert' | 'store' | 'stall'; readonly n: number }
  | { readonly kind: 'faucet' | 'code' | 'snapshot' | 'impersonate' | 'pause' | 'baseFee' | 'deploy' | 'withdraw' }

const counted = (kind: Extract<Step, { n: number }>['kind'], max: number): fc.Arbitrary<Step> =>
  fc.record({ kind: fc.constant(kind), n: fc.integer({ min: 1, max }) })
const plain = (kind: 'faucet' | 'code' | 'snapshot' | 'impersonate' | 'pause' | 'baseFee' | 'deploy' | 'withdraw') =>
  fc.constant<Step>({ kind })

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('send' as const), sender: fc.nat(2), gap: fc.constantFrom(0, 0, 0, 1) }),
  },
  { weight: 6, arbitrary: counted('tick', 12) },
  counted('mine', 4),
  counted('drop', 4),
  counted('reorg', 3),
  counted('travel', 100),
  counted('revert', 3),
  counted('store', 9),
  counted('stall', 3),
  ...(['faucet', 'code', 'snapshot', 'impersonate', 'pause', 'baseFee', 'deploy', 'withdraw'] as const).map(plain),
)

/** Runs one step. Refusals (a reorg too deep, a snapshot that is gone) are part of the test. */
export async function run({ request }: TestNode, action: Step): Promise<void> {
  const nonce = async (account: string) => Number(await request('eth_getTransactionCount', [account, 'pending']))
  const [sender] = [devAccount(0).address.toLowerCase()]
  try {
    switch (action.kind) {
      case 'send': {
        const from = devAccount(action.sender).address
        await request('eth_sendRawTransaction', [await signTransfer(action.sender, (await nonce(from)) + action.gap)])
        return
      }
      case 'tick':
        await request('devnet_tick', [action.n])
        return
      case 'mine':
        await request('anvil_mine', [`0x${action.n.toString(16)}`])
        return
      case 'drop':
        await request('devnet_dropPartialBlocks', [action.n, action.n % 2 === 0 ? 'requeue' : 'lose'])
        return
      case 'reorg':
        await request('devnet_reorg', [action.n, action.n % 2 === 0 ? 'requeue' : 'lose'])
        return
      case 'travel':
        await request('evm_increaseTime', [action.n])
        return
      case 'revert':
        await request('evm_revert', [`0x${action.n.toString(16)}`])
        return
      case 'store':
        await request('eth_sendTransaction', [
          { from: sender, to: CONTRACT, input: `0x${action.n.toString(16).padStart(64, '0')}`, gas: '0x30d40' },
        ])
        return
      case 'stall':
        await request('devnet_stallPartialBlocks', [action.n])
        return
      case 'faucet':
        await request('devnet_faucet', [EDITED, '0x5'])
        return
      case 'code':
        await request('anvil_setCode', [CONTRACT, STORE_AND_LOG])
        return
      case 'snapshot':
        await request('evm_snapshot')
        return
      case 'impersonate':
        await request('anvil_impersonateAccount', [IMPERSONATED])
        await request('devnet_faucet', [IMPERSONATED, '0xde0b6b3a7640000'])
        await request('eth_sendTransaction', [{ from: IMPERSONATED, to: EDITED, value: '0x1' }])
        return
      case 'pause':
        await request('devnet_pause')
        return
      case 'withdraw':
        await request('devnet_withdrawNext')
        return
      case 'baseFee':
        await request('anvil_setNextBlockBaseFeePerGas', ['0x77359400'])
        return
      case 'deploy':
        await request('eth_sendTransaction', [{ from: sender, input: '0x6001600c60003960016000f300', gas: '0x30d40' }])
        return
      default:
        action satisfies never
    }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
  }
}

/** Everything that a node's clients may ask about its chain. */
export async function present({ request }: TestNode): Promise<unknown> {
  const head = Number(await request('eth_blockNumber'))
  const blocks: unknown[] = []
  for (let number = 0; number <= head; number++) {
    const selector = `0x${number.toString(16)}`
    blocks.push([
      await request('eth_getBlockByNumber', [selector, true]),
      await request('eth_getBlockReceipts', [selector]),
      number > 0 && (await request('debug_traceBlockByNumber', [selector, { tracer: 'prestateTracer' }])),
      await request('eth_getBalance', [EDITED, selector]),
      await request('eth_getCode', [CONTRACT, selector]),
      await request('eth_getProof', [CONTRACT, ['0x0'], selector]),
    ])
  }
  const { chainTimeMs: _now, faults, ...status } = await request('devnet_status')
  // The newest withdrawal is reported only until the node stops; a planned one survives.
  const planned = { ...faults, withdrawal: faults.withdrawal?.planned }
  return {
    blocks,
    live: await request('eth_getBlockByNumber', ['pending', true]),
    receipts: await request('eth_getBlockReceipts', ['pending']),
    state: await request('devnet_exportState'),
    pool: await request('txpool_content'),
    logs: await request('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'pending' }]),
    trace: await request('debug_traceBlockByNumber', ['pending']),
    status: { ...status, faults: planned },
  }
}
