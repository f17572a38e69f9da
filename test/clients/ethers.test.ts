import {
  AbiCoder,
  Contract,
  ContractFactory,
  type ContractTransactionReceipt,
  type EventLog,
  getAddress,
  isError,
  JsonRpcProvider,
  type JsonRpcSigner,
  Network,
  NonceManager,
  parseEther,
  parseUnits,
  type TransactionReceipt,
  type TransactionRequest,
  verifyMessage,
  verifyTypedData,
  Wallet,
  WebSocketProvider,
} from 'ethers'
import { afterAll, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_BYTECODE, VAULT_SIGNATURES } from './support/vault-contract.ts'

const SOMEBODY = getAddress('0x00000000000000000000000000000000000beef5')
const NETWORK = Network.from(31337)
/** How often ethers asks, in milliseconds. */
const POLLING_MS = 100

/** What the promise was rejected with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  )
}

onEveryNode('ethers', (node) => {
  const providers: { destroy(): unknown }[] = []
  afterAll(async () => {
    for (const provider of providers) await provider.destroy()
  })

  function connect(): JsonRpcProvider {
    const provider = new JsonRpcProvider(node().http, NETWORK, {
      staticNetwork: NETWORK,
      pollingInterval: POLLING_MS,
      cacheTimeout: -1,
    })
    providers.push(provider)
    return provider
  }

  function wallet(index: number): Wallet {
    return new Wallet(DEV_KEYS[index]?.privateKey ?? expect.fail('no such account'), connect())
  }

  async function mined(sent: Promise<{ wait(): Promise<TransactionReceipt | null> }>): Promise<TransactionReceipt> {
    const receipt = await (await sent).wait()
    return receipt ?? expect.fail('no receipt')
  }

  async function deployVault(signer: Wallet): Promise<Contract> {
    const factory = new ContractFactory(VAULT_SIGNATURES, VAULT_BYTECODE, signer)
    const contract = await factory.deploy(5)
    await contract.waitForDeployment()
    return new Contract(await contract.getAddress(), VAULT_SIGNATURES, signer)
  }

  const accessList = [{ address: SOMEBODY, storageKeys: [] }]
  test.each<[type: number, request: TransactionRequest, gasUsed: bigint]>([
    [0, {}, 21_000n],
    [1, { accessList }, 23_400n],
    [2, { accessList, maxFeePerGas: parseUnits('10', 'gwei'), maxPriorityFeePerGas: 1n }, 23_400n],
  ])('a transaction of type %i moves its value', async (type, request, gasUsed) => {
    const signer = wallet(0)
    const before = await signer.provider?.getBalance(SOMEBODY, 'pending')
    const receipt = await mined(signer.sendTransaction({ ...request, type, to: SOMEBODY, value: 7n }))
    expect(receipt).toMatchObject({ type, status: 1, gasUsed, from: signer.address, to: SOMEBODY })
    expect(await signer.provider?.getBalance(SOMEBODY, 'pending')).toBe((before ?? 0n) + 7n)
    const found = await signer.provider?.getTransaction(receipt.hash)
    expect(found).toMatchObject({ type, value: 7n, from: signer.address, chainId: 31337n })
  })

  test('an account signs over its code to a contract (type 4)', async () => {
    const signer = wallet(1)
    const vault = await deployVault(signer)
    const self = Wallet.createRandom(signer.provider)
    const authorization = await self.authorize({ address: await vault.getAddress(), nonce: 0, chainId: 31337n })
    const data = vault.interface.encodeFunctionData('set', [42, 'mine'])
    const receipt = await mined(
      signer.sendTransaction({ type: 4, to: self.address, data, authorizationList: [authorization] }),
    )
    expect(receipt).toMatchObject({ type: 4, status: 1 })
    const code = await signer.provider?.getCode(self.address, 'pending')
    expect(code).toBe(`0xef0100${(await vault.getAddress()).slice(2).toLowerCase()}`)
    const own = vault.attach(self.address) as Contract
    expect(await own.getFunction('number').staticCall({ blockTag: 'pending' })).toBe(42n)
    const found = await signer.provider?.getTransaction(receipt.hash)
    expect(found?.authorizationList?.[0]).toMatchObject({
      address: await vault.getAddress(),
      nonce: 0n,
      chainId: 31337n,
    })
  })

  test('a contract is deployed, written, read, and its events are found', async () => {
    const signer = wallet(2)
    const vault = await deployVault(signer)
    const receipt = (await mined(vault.getFunction('set').send(9, 'nine'))) as ContractTransactionReceipt
    const [event] = receipt.logs as EventLog[]
    expect(event?.eventName).toBe('Changed')
    expect(event?.args.toArray()).toEqual([signer.address, 9n, 'nine'])
    const reading = { blockTag: 'pending' }
    expect(await vault.getFunction('number').staticCall(reading)).toBe(9n)
    expect(await vault.getFunction('notes').staticCall(signer.address, reading)).toBe('nine')
    expect(await vault.getFunction('context').staticCall(reading)).toMatchObject({ 0: 31337n })

    const all = (await vault.queryFilter('Changed', 0, 'pending')) as EventLog[]
    expect(all.map(({ args }): unknown[] => args.toArray())).toEqual([
      [signer.address, 5n, 'made'],
      [signer.address, 9n, 'nine'],
    ])
    const nine = await vault.queryFilter(vault.filters['Changed']?.(null, 9) ?? 'Changed', 0, 'pending')
    expect(nine.map(({ transactionHash }) => transactionHash)).toEqual([receipt.hash])
  })

  test('a listener hears an event over HTTP', async () => {
    const vault = await deployVault(wallet(3))
    const heard: unknown[] = []
    await vault.on('Changed', (...args: unknown[]) => heard.push(args.slice(0, 3)))
    await mined(vault.getFunction('burst').send(2))
    await expect.poll(() => heard.length).toBeGreaterThanOrEqual(2)
    await vault.removeAllListeners()
    expect(heard.slice(-2)).toEqual([
      [DEV_KEYS[3] && wallet(3).address, 0n, 'burst'],
      [wallet(3).address, 1n, 'burst'],
    ])
  })

  test('blocks and events are pushed over WebSocket', async () => {
    const provider = new WebSocketProvider(node().webSocket, NETWORK, { staticNetwork: NETWORK })
    providers.push(provider)
    const vault = await deployVault(wallet(4))
    const listening = new Contract(await vault.getAddress(), VAULT_SIGNATURES, provider)
    const numbers: number[] = []
    const heard: unknown[] = []
    await provider.on('block', (number: number) => numbers.push(number))
    await listening.on('Changed', (_by, number: bigint, note: string) => heard.push([number, note]))
    // A round trip on the same socket: both subscriptions stand.
    await provider.getBlockNumber()
    const { blockNumber } = await mined(vault.getFunction('set').send(77, 'pushed'))
    await expect.poll(() => numbers).toContain(blockNumber)
    await expect.poll(() => heard).toContainEqual([77n, 'pushed'])
  })

  test('reverts come back decoded', async () => {
    const owner = wallet(5)
    const vault = await deployVault(owner)
    const stranger = vault.connect(wallet(6)) as Contract
    const reading = { blockTag: 'pending' }

    const odd = await failure(vault.getFunction('needEven').staticCall(3, reading))
    expect(odd).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'number must be even' })
    const foreign = await failure(stranger.getFunction('needOwner').staticCall(8, reading))
    const data = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [wallet(6).address, 8])
    expect(foreign).toMatchObject({
      code: 'CALL_EXCEPTION',
      data: `0xda472023${data.slice(2)}`,
      revert: { name: 'Unauthorized', args: [wallet(6).address, 8n] },
    })
    const byZero = await failure(vault.getFunction('divide').staticCall(0, reading))
    expect(byZero).toMatchObject({ code: 'CALL_EXCEPTION', revert: { name: 'Panic', args: [18] } })
    const estimated = await failure(stranger.getFunction('needOwner').send(8))
    expect(estimated).toMatchObject({ code: 'CALL_EXCEPTION', action: 'estimateGas' })
    const failed = await failure(mined(stranger.getFunction('needOwner').send(8, { gasLimit: 100_000 })))
    expect(failed).toMatchObject({ code: 'CALL_EXCEPTION', receipt: { status: 0 } })
  })

  test('a spent nonce is NONCE_EXPIRED', async () => {
    const signer = wallet(7)
    await mined(signer.sendTransaction({ to: SOMEBODY, value: 1n }))
    const error = await failure(signer.sendTransaction({ to: SOMEBODY, value: 2n, nonce: 0, gasLimit: 21_000 }))
    expect(isError(error, 'NONCE_EXPIRED'), String(error)).toBe(true)
  })

  test('more than the balance is INSUFFICIENT_FUNDS', async () => {
    const poor = Wallet.createRandom(connect())
    const sent = await failure(poor.sendTransaction({ to: SOMEBODY, value: 1n, gasLimit: 21_000 }))
    expect(isError(sent, 'INSUFFICIENT_FUNDS'), String(sent)).toBe(true)
    const estimating = connect().estimateGas({ from: poor.address, to: SOMEBODY, value: 1n })
    // DIFFERENCES.md, 6.
    if (node().name === 'anvil') return expect(await estimating).toBe(21_000n)
    const estimated = await failure(estimating)
    expect(isError(estimated, 'INSUFFICIENT_FUNDS'), String(estimated)).toBe(true)
  })

  test('a replacement that pays no more is REPLACEMENT_UNDERPRICED', async () => {
    const signer = wallet(8)
    const nonce = (await signer.getNonce('pending')) + 5
    const fees = { maxFeePerGas: parseUnits('10', 'gwei'), maxPriorityFeePerGas: parseUnits('2', 'gwei') }
    const waiting = { to: SOMEBODY, nonce, gasLimit: 21_000, ...fees }
    await signer.sendTransaction({ ...waiting, value: 1n })
    const error = await failure(signer.sendTransaction({ ...waiting, value: 2n }))
    expect(isError(error, 'REPLACEMENT_UNDERPRICED'), String(error)).toBe(true)
  })

  test('the node signs for a development account', async () => {
    const signer: JsonRpcSigner = await connect().getSigner(9)
    const receipt = await mined(signer.sendTransaction({ to: SOMEBODY, value: 3n }))
    expect(receipt).toMatchObject({ status: 1, from: signer.address })
    expect(verifyMessage('hello', await signer.signMessage('hello'))).toBe(signer.address)
    const domain = { name: 'Mail', chainId: 31337, verifyingContract: SOMEBODY }
    const types = { Mail: [{ name: 'amount', type: 'uint256' }] }
    const message = { amount: 2n ** 200n }
    const signature = await signer.signTypedData(domain, types, message)
    expect(verifyTypedData(domain, types, message, signature)).toBe(signer.address)
  })

  test('transactions that are sent at once are all mined, in their order', async () => {
    const signer = new NonceManager(wallet(9))
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, value) => signer.sendTransaction({ to: SOMEBODY, value, gasLimit: 21_000 })),
    )
    const receipts = await Promise.all(sent.map((transaction) => transaction.wait()))
    expect(receipts.map((receipt) => receipt?.status)).toEqual([1, 1, 1, 1, 1])
    expect(sent.map(({ nonce }) => nonce)).toEqual([0, 1, 2, 3, 4].map((index) => (sent[0]?.nonce ?? 0) + index))
  })

  test('blocks, fees and a transaction with confirmations', async () => {
    const signer = wallet(2)
    const provider = signer.provider ?? expect.fail('no provider')
    expect((await provider.getFeeData()).maxFeePerGas).toBeGreaterThan(0n)
    expect(await provider.estimateGas({ from: signer.address, to: SOMEBODY, value: 1n })).toBe(21_000n)
    const sent = await signer.sendTransaction({ to: SOMEBODY, value: parseEther('0.5') })
    const receipt = (await sent.wait()) ?? expect.fail('no receipt')
    await expect.poll(() => provider.getBlockNumber()).toBeGreaterThanOrEqual(receipt.blockNumber)
    const block = (await provider.getBlock(receipt.blockNumber, true)) ?? expect.fail('no block')
    expect(block.getPrefetchedTransaction(sent.hash)).toMatchObject({ value: parseEther('0.5'), blockHash: block.hash })
    expect(await provider.getBlock('pending')).toHaveProperty('parentHash')
  })
})
