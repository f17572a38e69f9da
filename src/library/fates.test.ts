import { createPublicClient, createWalletClient, custom, type Hash, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { FateError, type FatesRun, fates } from './fates.ts'

const SHOP = '0x00000000000000000000000000000000005470b0'
const account = privateKeyToAccount(DEV_KEYS[0]?.privateKey ?? '0x')
const PRICE = parseEther('1')

function clientsOf({ provider }: FatesRun) {
  const transport = custom(provider, { retryCount: 0 })
  return {
    wallet: createWalletClient({ account, chain: foundry, transport }),
    client: createPublicClient({ chain: foundry, transport, pollingInterval: 5 }),
  }
}

async function paid({ chain }: FatesRun): Promise<bigint> {
  return BigInt(await chain.request({ method: 'eth_getBalance', params: [SHOP, 'latest'] }))
}

/** A dapp that pays once, whatever happens, and says what is true in the end. */
async function payOnce(run: FatesRun): Promise<void> {
  const { wallet, client } = clientsOf(run)
  const signed = await wallet.signTransaction(
    await wallet.prepareTransactionRequest({ to: SHOP, value: PRICE, type: 'eip1559' }),
  )
  const { keccak256 } = await import('viem')
  const hash = keccak256(signed)
  let shown = 'paying'
  for (let tries = 0; tries < 5 && shown === 'paying'; tries++) {
    // Whatever the answer is: the same transaction cannot pay twice.
    await wallet.sendRawTransaction({ serializedTransaction: signed }).catch(() => {})
    await run.chain.settle()
    const receipt = await client.getTransactionReceipt({ hash }).catch(() => undefined)
    if (receipt && Number(receipt.blockHash) !== 0) shown = 'paid'
    else if ((await client.getTransactionCount({ address: account.address })) > 0) shown = 'replaced'
  }
  expect(await paid(run)).toBe(shown === 'paid' ? PRICE : 0n)
  expect(shown).not.toBe('paying')
}

test('a dapp that pays once passes under all fates of two faults', async () => {
  const summary = await fates({ depth: 2 }, payOnce)
  expect(summary.histories).toBeGreaterThan(20)
  expect(summary.schedules).toBeGreaterThan(500)
  expect(summary.leftOut).toEqual([])
})

test('a dapp that sends again after a lost answer is found', async () => {
  const failing = fates({ depth: 2 }, async (run) => {
    const { wallet } = clientsOf(run)
    const pay = () => wallet.sendTransaction({ to: SHOP, value: PRICE })
    // It fails with the node's words, so the dapp believes that nothing was sent.
    await pay().catch(pay)
    await run.chain.settle()
    expect(await paid(run)).toBeLessThanOrEqual(PRICE)
  })
  await expect(failing).rejects.toThrow(FateError)
  await expect(failing).rejects.toMatchObject({ fate: 'lost-answer@send1' })
  await expect(failing).rejects.toThrow("fate: 'lost-answer@send1'")
  await expect(failing).rejects.toThrow(/the node takes it, and the answer is lost/)
})

test('a dapp that believes a pre-confirmation for ever is found', async () => {
  const body = async (run: FatesRun) => {
    const { wallet, client } = clientsOf(run)
    const hash: Hash | undefined = await wallet.sendTransaction({ to: SHOP, value: PRICE }).catch(() => undefined)
    if (!hash) return
    await run.chain.tick()
    const isPaid = (await client.getTransactionReceipt({ hash }).catch(() => undefined)) !== undefined
    await run.chain.settle()
    if (isPaid) expect(await paid(run)).toBe(PRICE)
  }
  const failing = fates({ depth: 1 }, body)
  await expect(failing).rejects.toMatchObject({ fate: expect.stringMatching(/^(lose|replace)@2$/) })
})

test('the error of a test that fails without faults is thrown as it is', async () => {
  const error = new Error('not even so')
  await expect(
    fates({}, () => {
      throw error
    }),
  ).rejects.toBe(error)
})
