import { encodeFunctionData } from 'viem'
import { afterAll, expect, test } from 'vitest'
import { Web3, WebSocketProvider } from 'web3'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
/** How often web3.js asks, in milliseconds. */
const POLLING_MS = 100

onEveryNode('web3.js', (node) => {
  const sockets: WebSocketProvider[] = []
  afterAll(() => {
    for (const socket of sockets) socket.disconnect()
  })

  /** With the keys of the development accounts in its wallet; reads are at `pending`. */
  function connect(provider: string | WebSocketProvider = node().http): Web3 {
    const web3 = new Web3(provider)
    web3.setConfig({
      transactionPollingInterval: POLLING_MS,
      transactionConfirmationPollingInterval: POLLING_MS,
      blockHeaderTimeout: 5,
      // Nonces are counted there, too: DIFFERENCES.md, 2.
      defaultBlock: 'pending',
    })
    for (const { privateKey } of DEV_KEYS) web3.eth.accounts.wallet.add(privateKey)
    return web3
  }

  async function deployVault(web3: Web3, from: string) {
    const contract = new web3.eth.Contract(VAULT_ABI)
    const deployed = await contract.deploy({ data: VAULT_BYTECODE, arguments: [5n] }).send({ from })
    const address = deployed.options.address ?? expect.fail('no contract')
    // web3.js estimates gas at `latest`, whatever its default block is: DIFFERENCES.md, 2.
    await expect.poll(() => web3.eth.getCode(address, 'latest')).not.toBe('0x')
    return new web3.eth.Contract(VAULT_ABI, address)
  }

  const accessList = [{ address: SOMEBODY, storageKeys: [] }]
  test.each([
    [0, { gasPrice: 5_000_000_000n }, 21_000n],
    [1, { gasPrice: 5_000_000_000n, accessList, gas: 30_000n }, 23_400n],
    [2, { maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 1_000_000n, accessList, gas: 30_000n }, 23_400n],
  ])('a transaction of type %i moves its value', async (type, request, gasUsed) => {
    const web3 = connect()
    const { address: from } = devAccount(0)
    const before = await web3.eth.getBalance(SOMEBODY)
    const receipt = await web3.eth.sendTransaction({ ...request, type, from, to: SOMEBODY, value: 7n })
    expect(receipt).toMatchObject({ type: BigInt(type), status: 1n, gasUsed })
    expect(await web3.eth.getBalance(SOMEBODY)).toBe(before + 7n)
    expect(await web3.eth.getTransaction(receipt.transactionHash)).toMatchObject({ type: BigInt(type), value: 7n })
  })

  // web3.js 4 can neither sign nor decode type 4: its `sendSignedTransaction` refuses the bytes.
  test('a transaction of type 4 that another library signed is sent and read', async () => {
    const web3 = connect()
    const account = devAccount(1)
    const vault = await deployVault(web3, account.address)
    const contractAddress = vault.options.address?.toLowerCase() as `0x${string}`
    const nonce = Number(await web3.eth.getTransactionCount(account.address))
    const authorization = await account.signAuthorization({ contractAddress, chainId: 31337, nonce: nonce + 1 })
    const raw = await account.signTransaction({
      type: 'eip7702',
      chainId: 31337,
      nonce,
      gas: 200_000n,
      maxFeePerGas: 5_000_000_000n,
      maxPriorityFeePerGas: 1n,
      to: account.address,
      data: encodeFunctionData({ abi: VAULT_ABI, functionName: 'number' }),
      authorizationList: [authorization],
    })
    const hash = await web3.requestManager.send({ method: 'eth_sendRawTransaction', params: [raw] })
    const receipt = async () =>
      (await web3.requestManager.send({ method: 'eth_getTransactionReceipt', params: [hash] })) !== null
    await expect.poll(receipt).toBe(true)
    expect(await web3.eth.getTransactionReceipt(hash)).toMatchObject({ type: 4n, status: 1n })
    expect(await web3.eth.getTransaction(hash)).toMatchObject({ type: 4n, to: account.address.toLowerCase() })
    expect(await web3.eth.getCode(account.address)).toBe(`0xef0100${contractAddress.slice(2)}`)
  })

  test('a contract is deployed, written, read, and its events are found', async () => {
    const web3 = connect()
    const { address: from } = devAccount(2)
    const vault = await deployVault(web3, from)
    const receipt = await vault.methods.set(9n, 'nine').send({ from })
    expect(receipt.events?.['Changed']?.returnValues).toMatchObject({ by: from, number: 9n, note: 'nine' })
    expect(await vault.methods['number']?.().call()).toBe(9n)
    expect(await vault.methods['notes']?.(from).call()).toBe('nine')
    const found = await vault.getPastEvents('Changed', { fromBlock: 0n, toBlock: 'pending', filter: { number: 9n } })
    expect(found).toMatchObject([{ event: 'Changed', transactionHash: receipt.transactionHash }])
    const estimated = await vault.methods.set(10n, 'ten').estimateGas({ from })
    expect(estimated).toBeGreaterThan(21_000n)
  })

  test('reverts come back decoded', async () => {
    const web3 = connect()
    const vault = await deployVault(web3, devAccount(3).address)
    const stranger = devAccount(4).address
    await expect(vault.methods.needEven(3n).call()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('number must be even') as unknown },
    })
    await expect(vault.methods.needOwner(8n).call({ from: stranger })).rejects.toMatchObject({
      cause: { errorName: 'Unauthorized', errorArgs: { caller: stranger, wanted: 8n } },
    })
    await expect(vault.methods.needOwner(8n).send({ from: stranger, gas: '100000' })).rejects.toThrow(/revert/i)
  })

  test('heads and logs are pushed over WebSocket', async () => {
    const socket = new WebSocketProvider(node().webSocket, {}, { autoReconnect: false })
    sockets.push(socket)
    const web3 = connect(socket)
    const { address: from } = devAccount(5)
    const vault = await deployVault(connect(), from)
    const heads = await web3.eth.subscribe('newBlockHeaders')
    const logs = await web3.eth.subscribe('logs', { address: vault.options.address as string })
    const numbers: bigint[] = []
    const heard: string[] = []
    heads.on('data', ({ number }) => void numbers.push(BigInt(number ?? 0)))
    logs.on('data', ({ transactionHash }) => void heard.push(String(transactionHash)))
    const { blockNumber, transactionHash } = await vault.methods.set(1n, 'pushed').send({ from })
    await expect.poll(() => heard).toContain(transactionHash)
    await expect.poll(() => numbers).toContain(blockNumber)
    await heads.unsubscribe()
    await logs.unsubscribe()
  })

  test('calls go out as one batch', async () => {
    const web3 = connect()
    const batch = new web3.BatchRequest()
    const chainId = batch.add({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })
    const nonce = batch.add({ jsonrpc: '2.0', id: 2, method: 'eth_getTransactionCount', params: [SOMEBODY, 'pending'] })
    await batch.execute()
    expect(await chainId).toBe('0x7a69')
    expect(await nonce).toBe('0x0')
  })

  test('a proof, fees and a block', async () => {
    const web3 = connect()
    const block = await web3.eth.getBlock('latest')
    expect(block).toMatchObject({ uncles: [], difficulty: 0n })
    const { address } = devAccount(9)
    const { accountProof, balance, storageProof } = await web3.eth.getProof(address, [`0x${'00'.repeat(32)}`], 'latest')
    expect(accountProof.length).toBeGreaterThan(0)
    expect(balance).toBe(web3.utils.toBigInt(web3.utils.toWei('10000', 'ether')))
    expect(storageProof).toMatchObject([{ value: 0n }])
    const history = await web3.eth.getFeeHistory(1n, 'latest', [50])
    expect(history.baseFeePerGas).toHaveLength(2)
    expect(history.reward).toHaveLength(1)
    const fees = await web3.eth.calculateFeeData()
    expect(fees.maxFeePerGas).toBeGreaterThan(0n)
  })

  test('the node signs for an account that is not in the wallet', async () => {
    const web3 = new Web3(node().http)
    web3.eth.transactionPollingInterval = POLLING_MS
    const { address: from } = devAccount(6)
    expect((await web3.eth.getAccounts()).map((account) => account.toLowerCase())).toContain(from.toLowerCase())
    const receipt = await web3.eth.sendTransaction({ from, to: SOMEBODY, value: 1n })
    expect(receipt.status).toBe(1n)
    const message = web3.utils.utf8ToHex('hello')
    expect(await web3.eth.sign(message, from)).toBe(await devAccount(6).signMessage({ message: 'hello' }))
  })

  test('web3.js passes on the message of a refusal', async () => {
    const web3 = connect()
    const { address: from } = devAccount(7)
    await web3.eth.sendTransaction({ from, to: SOMEBODY, value: 1n })
    const spent = web3.eth.sendTransaction({ from, to: SOMEBODY, value: 2n, nonce: 0n, gas: 21_000n })
    await expect(spent).rejects.toThrow(/nonce too low/)
    const poor = web3.eth.accounts.wallet.create(1).at(-1)?.address ?? expect.fail('no account')
    const unpaid = web3.eth.sendTransaction({ from: poor, to: SOMEBODY, value: 1n, gas: 21_000n })
    // web3.js calls before it sends, and calls every error of that call a revert.
    await expect(unpaid).rejects.toMatchObject({ reason: expect.stringMatching(/insufficient funds/i) as unknown })
  })
})
