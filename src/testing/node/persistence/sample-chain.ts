import { fromBase64 } from '#primitives/base64.ts'
import { createTestNode, devAccount, signTransfer } from '#testing/node/test-node.ts'

/** A chain file with at least one entry of every kind. */
export async function exportSample(): Promise<Uint8Array> {
  const { node, request } = await createTestNode({ mode: 'manual' })
  await request('eth_sendRawTransaction', [await signTransfer(0, 0)])
  await request('eth_sendTransaction', [{ from: devAccount(1).address, input: '0x6001600c60003960016000f300' }])
  await request('anvil_mine', ['0x3'])
  await request('anvil_impersonateAccount', [devAccount(9).address])
  await request('devnet_faucet', [devAccount(5).address, '0x7'])
  await request('eth_sendRawTransaction', [await signTransfer(0, 1)])
  await request('devnet_tick', [3])
  await request('eth_sendRawTransaction', [await signTransfer(2, 4)])
  const file = fromBase64(await request('devnet_exportChain'))
  await node.close()
  return file
}
