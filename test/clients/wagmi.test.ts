import {
  connect,
  disconnect,
  getBalance,
  getBlockNumber,
  getConnection,
  getTransactionCount,
  getWalletClient,
  prepareTransactionRequest,
  readContract,
  readContracts,
  sendTransaction,
  signMessage,
  signTypedData,
  simulateContract,
  switchChain,
  verifyMessage,
  verifyTypedData,
  waitForTransactionReceipt,
  watchAsset,
  watchBlockNumber,
  watchContractEvent,
  writeContract,
} from '@wagmi/core'
import { mainnet } from 'viem/chains'
import { expect, onTestFinished, test } from 'vitest'
import { onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI as abi } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'
import { connectedConfig, deployVault, useWindow, wagmiConfig } from './support/wagmi-config.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

const reasonOf = (error: unknown) => String(error)

onEveryNode('wagmi', (node) => {
  useWindow()

  test('a wallet is connected with all its accounts, and disconnected', async () => {
    const config = wagmiConfig(node())
    expect(getConnection(config)).toMatchObject({ status: 'disconnected' })
    const connector = config.connectors[0] ?? expect.fail('no connector')
    const { accounts, chainId } = await connect(config, { connector })
    expect(chainId).toBe(31337)
    expect(accounts).toHaveLength(10)
    expect(accounts).toContain(devAccount(9).address)
    expect(getConnection(config)).toMatchObject({ status: 'connected', address: accounts[0], chain: { id: 31337 } })
    await disconnect(config)
    expect(getConnection(config)).toMatchObject({ status: 'disconnected' })
  })

  test('the wallet sends a transaction, whose receipt comes and whose value has moved', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(1).address
    const before = await getBalance(config, { address: SOMEBODY })
    const nonce = await getTransactionCount(config, { address: account, blockTag: 'pending' })
    expect(await prepareTransactionRequest(config, { account, to: SOMEBODY, value: 7n })).toMatchObject({
      gas: 21_000n,
      nonce,
      type: 'eip1559',
    })
    const hash = await sendTransaction(config, { account, to: SOMEBODY, value: 7n })
    const receipt = await waitForTransactionReceipt(config, { hash })
    expect(receipt).toMatchObject({ status: 'success', transactionHash: hash, from: account.toLowerCase() })
    expect((await getBalance(config, { address: SOMEBODY })).value).toBe(before.value + 7n)
    expect(await getTransactionCount(config, { address: account, blockTag: 'pending' })).toBe(nonce + 1)
  })

  test('a contract is deployed, simulated, written and read', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(2).address
    const address = await deployVault(config, account)
    const { request } = await simulateContract(config, {
      account,
      address,
      abi,
      functionName: 'set',
      args: [9n, 'nine'],
    })
    const receipt = await waitForTransactionReceipt(config, { hash: await writeContract(config, request) })
    expect(receipt).toMatchObject({ status: 'success', logs: [{ address }] })
    expect(await readContract(config, { address, abi, functionName: 'number' })).toBe(9n)
    const both = await readContracts(config, {
      allowFailure: false,
      contracts: [
        { address, abi, functionName: 'owner' },
        { address, abi, functionName: 'notes', args: [account] },
      ],
    })
    expect(both).toEqual([account, 'nine'])
  })

  test('reverts come back decoded', async () => {
    const config = await connectedConfig(node())
    const address = await deployVault(config, devAccount(0).address)
    const odd = simulateContract(config, { address, abi, functionName: 'needEven', args: [3n] })
    await expect(odd).rejects.toMatchObject({ cause: { reason: 'number must be even' } })
    const account = devAccount(3).address
    const foreign = { account, address, abi, functionName: 'needOwner', args: [8n] } as const
    const decoded = { cause: { data: { errorName: 'Unauthorized', args: [account, 8n] } } }
    await expect(simulateContract(config, foreign)).rejects.toMatchObject(decoded)
    const written = writeContract(config, foreign)
    // DIFFERENCES.md, 4: anvil sends it.
    if (node().name === 'Blinknet') await expect(written).rejects.toMatchObject(decoded)
    else expect(await waitForTransactionReceipt(config, { hash: await written }).catch(reasonOf)).toMatch(/revert/)
  })

  test('block numbers and events are watched', async () => {
    const config = await connectedConfig(node())
    const address = await deployVault(config, devAccount(0).address)
    const numbers: bigint[] = []
    const notes: (string | undefined)[] = []
    onTestFinished(watchBlockNumber(config, { onBlockNumber: (number) => void numbers.push(number) }))
    const unwatch = watchContractEvent(config, {
      address,
      abi,
      eventName: 'Changed',
      onLogs: (logs) => void notes.push(...logs.map(({ args }) => args.note)),
    })
    onTestFinished(unwatch)
    // The watcher tells of what comes after its first look.
    await expect.poll(() => numbers.length).toBeGreaterThan(0)
    const before = await getBlockNumber(config)
    const hash = await writeContract(config, { address, abi, functionName: 'set', args: [1n, 'watched'] })
    await waitForTransactionReceipt(config, { hash })
    await expect.poll(() => notes).toContain('watched')
    await expect.poll(() => numbers.at(-1)).toBeGreaterThan(before)
  })

  test('messages and typed data are signed, and verified', async () => {
    const config = await connectedConfig(node())
    const { address } = devAccount(4)
    const message = 'hello'
    const signature = await signMessage(config, { account: address, message })
    expect(signature).toBe(await devAccount(4).signMessage({ message }))
    expect(await verifyMessage(config, { address, message, signature })).toBe(true)
    const typed = {
      domain: { name: 'Mail', chainId: 31337, verifyingContract: SOMEBODY },
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Mail',
      message: { amount: 2n ** 200n },
    } as const
    const signed = await signTypedData(config, { account: address, ...typed })
    expect(signed).toBe(await devAccount(4).signTypedData(typed))
    expect(await verifyTypedData(config, { address, ...typed, signature: signed })).toBe(true)
    expect(await verifyTypedData(config, { address: SOMEBODY, ...typed, signature: signed })).toBe(false)
  })

  test('the wallet client is one of viem, for the account in use', async () => {
    const client = await getWalletClient(await connectedConfig(node()))
    expect(client.account.address).toBe(devAccount(0).address)
    expect(await client.getChainId()).toBe(31337)
  })

  test('the wallet switches to its own chain, but not to another', async () => {
    const config = await connectedConfig(node())
    // anvil is no wallet and knows nothing of `wallet_` methods.
    if (node().name === 'anvil')
      return expect(switchChain(config, { chainId: 31337 })).rejects.toThrow(/Method not found/)
    expect(await switchChain(config, { chainId: 31337 })).toMatchObject({ id: 31337 })
    await expect(switchChain(config, { chainId: mainnet.id })).rejects.toThrow(/has chain 0x7a69 only/)
    expect(getConnection(config).chainId).toBe(31337)
  })

  test('the wallet accepts an asset', async () => {
    const config = await connectedConfig(node())
    const options = { address: SOMEBODY, symbol: 'BEAN', decimals: 18 }
    const watched = watchAsset(config, { type: 'ERC20', options })
    if (node().name === 'anvil') return expect(watched).rejects.toThrow(/Method not found/)
    expect(await watched).toBe(true)
  })
})
