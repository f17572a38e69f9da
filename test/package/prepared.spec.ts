// Run by `npm run package` beside the example dapp: tests that begin on a chain which was prepared once.
import { writeFile } from 'node:fs/promises'
import { createChain } from 'blinknet'
import { expect, type PreparedChains, test } from 'blinknet/playwright'
import { createPublicClient, createWalletClient, custom, http } from 'viem'

/** Emits an event with the word that it is called with, and returns 7. */
const CODE = '0x5f355f527f111111111111111111111111111111111111111111111111111111111111111160205fa160075f5260205ff3'
const STRANGER = '0x00000000000000000000000000000000000000aa'

let prepared = 0
let contract: `0x${string}` | null | undefined
let deployedIn: bigint | undefined

// As people write it, with viem, over the chain's address.
async function prepare({ chain }: PreparedChains): Promise<void> {
  prepared++
  const transport = http(chain.url)
  const wallet = createWalletClient({ transport })
  const client = createPublicClient({ transport })
  const [account] = await wallet.getAddresses()
  if (!account) throw new Error('no account')
  const data = `0x60${(CODE.length / 2 - 1).toString(16)}8060095f395ff3${CODE.slice(2)}` as const
  const deployment = await client.waitForTransactionReceipt({
    hash: await wallet.sendTransaction({ account, chain: null, data }),
  })
  contract = deployment.contractAddress
  deployedIn = deployment.blockNumber
  await client.waitForTransactionReceipt({
    hash: await wallet.sendTransaction({ account, chain: null, to: contract ?? null, data: '0x' }),
  })
}

test.describe('prepared by a function', () => {
  test.use({ prepare })
  // One after the other in one worker process: what one leaves, the next must not have.
  test.describe.configure({ mode: 'default' })

  for (const which of ['one test', 'the next', 'a third one']) {
    test(`${which} begins with its contracts, blocks, receipts and logs`, async ({ chain }) => {
      const client = createPublicClient({ transport: custom(chain) })
      expect(prepared).toBe(1)
      expect(await client.getBlockNumber()).toBe(2n)
      expect(deployedIn).toBe(1n)
      expect(await client.getLogs({ address: contract ?? STRANGER, fromBlock: 0n })).toHaveLength(1)
      const { data } = await client.call({ to: contract ?? STRANGER })
      expect(BigInt(data ?? 0)).toBe(7n)
      expect(await client.getBalance({ address: STRANGER })).toBe(0n)
      const { automine, mode, paused } = await chain.request({ method: 'devnet_status' })
      expect({ automine, mode, paused }).toEqual({ automine: false, mode: 'manual', paused: true })
      await chain.request({ method: 'anvil_setBalance', params: [STRANGER, '0x5'] })
      await chain.seal()
    })
  }

  test('a named snapshot is taken in one test …', async ({ chain }) => {
    await chain.request({ method: 'anvil_setBalance', params: [STRANGER, '0x9'] })
    await chain.snapshot('sale')
    await chain.seal()
    for (const wrong of ['', '0x1f', 'x'.repeat(201)]) {
      await expect(chain.snapshot(wrong)).rejects.toThrow("a snapshot's name has 1 to 200 characters")
    }
  })

  test('… and the next goes back to it, as often as it likes, with its impersonated accounts', async ({
    chain,
    wallet,
  }) => {
    const balance = () => chain.request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })
    expect(await balance()).toBe('0x0')
    await wallet.use(`0x${'be'.repeat(20)}`)
    for (let round = 0; round < 2; round++) {
      await chain.revert('sale')
      expect(await balance()).toBe('0x9')
      await chain.request({ method: 'anvil_setBalance', params: [STRANGER, '0x1'] })
      expect(await chain.request({ method: 'eth_accounts' })).toContain(wallet.address)
    }
  })

  test('going back to a snapshot that is gone, or never was, says why', async ({ chain }) => {
    await expect(chain.revert('sail')).rejects.toThrow('has no snapshot "sail", it has "sale": each worker process')
    const id = await chain.snapshot()
    await chain.snapshot('later')
    await chain.revert(id)
    await expect(chain.revert(id)).rejects.toThrow('there is no snapshot')
    await expect(chain.revert('later')).rejects.toThrow('the snapshot "later" is gone: after it was taken')
    await expect(chain.revert('later')).rejects.toThrow('has no snapshot "later"')
    await chain.revert('sale')
  })

  test('a test that goes back behind the beginning …', async ({ chain }) => {
    await chain.request({ method: 'devnet_reset' })
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x0')
  })

  test('… leaves the next a chain that is prepared anew', async ({ chain }) => {
    expect(prepared).toBe(2)
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x2')
  })
})

test.describe('several chains', () => {
  test.use({
    chains: { l1: { chainId: 1 }, base: { chainId: 8453 } },
    prepare: async ({ chains }: PreparedChains) => {
      await chains.get('base').request({ method: 'anvil_setBalance', params: [STRANGER, '0x3'] })
    },
  })
  test('are prepared together', async ({ chains }) => {
    const of = (name: string) => chains.get(name).request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })
    expect([await of('l1'), await of('base')]).toEqual(['0x0', '0x3'])
  })
})

test.describe('by the file of another chain', () => {
  test.use({
    chainOptions: async ({}, use, testInfo) => {
      const origin = await createChain({ clock: 'manual' })
      await origin.request({ method: 'anvil_setBalance', params: [STRANGER, '0x7'] })
      const file = testInfo.outputPath('prepared.blinknet')
      await writeFile(file, await origin.exportChain())
      await origin.close()
      await use({ loadState: file })
    },
  })
  test('a test begins where that one was', async ({ chain }) => {
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe('0x1')
    expect(await chain.request({ method: 'eth_getBalance', params: [STRANGER, 'latest'] })).toBe('0x7')
  })
})

test.describe('a preparation that fails', () => {
  test.use({
    prepare: async () => {
      throw new Error('no coffee beans')
    },
  })
  test.fail('fails the test and says why', ({ chain }) => {
    expect(chain).toBeDefined()
  })
})
