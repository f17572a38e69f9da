import { parseEther, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { DEV_KEYS } from '../src/rpc-types/dev-keys.ts'
import { expect, type Playground, test } from './playground.ts'

const [{ privateKey }, { address: recipient }] = DEV_KEYS as [(typeof DEV_KEYS)[number], (typeof DEV_KEYS)[number]]
const sender = privateKeyToAccount(privateKey)

function signTransfer(fields: { nonce: number; value?: bigint; feeGwei?: string }) {
  const { nonce, value = 1n, feeGwei = '10' } = fields
  return sender.signTransaction({
    type: 'eip1559',
    chainId: 31337,
    nonce,
    to: recipient,
    value,
    gas: 21_000n,
    maxFeePerGas: parseGwei(feeGwei),
    maxPriorityFeePerGas: parseGwei(feeGwei),
  })
}

const submit = (playground: Playground, raw: string) => playground.request('eth_sendRawTransaction', [raw])
const refusal = (playground: Playground, raw: string) => playground.refusal('eth_sendRawTransaction', [raw])

test('refused transactions have the errors of the protocol', async ({ playground, page }) => {
  await playground.open()
  await test.step('a balance that covers neither value nor gas is insufficient', async () => {
    const error = await refusal(playground, await signTransfer({ nonce: 0, value: parseEther('10000') }))
    expect(error).toMatchObject({ code: -32000, message: 'insufficient funds for gas * price + value' })
  })

  await test.step('window.ethereum refuses with the same error object', async () => {
    const raw = await signTransfer({ nonce: 0, value: parseEther('10000') })
    const error = await page.evaluate(async (data) => {
      const provider = window.ethereum as { request(call: object): Promise<unknown> }
      try {
        await provider.request({ method: 'eth_sendRawTransaction', params: [data] })
      } catch (refused) {
        return { code: (refused as { code: unknown }).code, message: (refused as Error).message }
      }
      return undefined
    }, raw)
    expect(error).toEqual({ code: -32000, message: 'insufficient funds for gas * price + value' })
  })

  await test.step('a repeated transaction is already known, both in the pool and in the pending block', async () => {
    const raw = await signTransfer({ nonce: 0 })
    await submit(playground, raw)
    const inPool = await refusal(playground, raw)
    await playground.tick()
    const inLiveBlock = await refusal(playground, raw)
    for (const error of [inPool, inLiveBlock]) expect(error).toMatchObject({ code: -32000, message: 'already known' })
  })

  await test.step('a nonce used by a pre-confirmed transaction is too low', async () => {
    expect(await refusal(playground, await signTransfer({ nonce: 0, value: 2n }))).toEqual({
      code: -32000,
      message: 'nonce too low',
      data: { nextNonce: '0x1', txNonce: '0x0', hint: expect.stringContaining('/?latest=preconfirmed') as unknown },
    })
  })

  await test.step('a replacement with less than 10% more is underpriced, and accepted with exactly 10%', async () => {
    const first = await submit(playground, await signTransfer({ nonce: 1, feeGwei: '10' }))
    const error = await refusal(playground, await signTransfer({ nonce: 1, feeGwei: '10.999999999' }))
    expect(error).toMatchObject({ code: -32000, message: 'replacement transaction underpriced' })

    const second = await submit(playground, await signTransfer({ nonce: 1, feeGwei: '11' }))
    expect(await playground.request('chain_transactionStatus', [first])).toEqual({ status: 'Unknown' })
    expect(await playground.request('chain_transactionStatus', [second])).toEqual({ status: 'Known' })
  })
})
