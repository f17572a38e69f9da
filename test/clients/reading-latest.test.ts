import { Contract, ContractFactory, JsonRpcProvider, Network, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { beforeAll, expect, test } from 'vitest'
import { Web3 } from 'web3'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { onBlinknet, onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE, VAULT_SIGNATURES } from './support/vault-contract.ts'

// Scripts made for anvil and Hardhat: they send, and read at `latest` at once, with every library's defaults.

const SOMEBODY = '0x00000000000000000000000000000000000beef5'
const POLLING_MS = 50
const key = (index: number) => DEV_KEYS[index]?.privateKey ?? expect.fail('no such account')

/** @param url - Of a node whose `latest` has what a receipt tells of. */
function flows(url: () => string): void {
  test('web3.js deploys, writes and reads, one thing after the other', async () => {
    const web3 = new Web3(url())
    web3.setConfig({ transactionPollingInterval: POLLING_MS })
    const from = web3.eth.accounts.wallet.add(key(0))[0]?.address ?? expect.fail('no account')
    const contract = new web3.eth.Contract(VAULT_ABI)
    const deployed = await contract.deploy({ data: VAULT_BYTECODE, arguments: [5n] }).send({ from })
    const vault = new web3.eth.Contract(VAULT_ABI, deployed.options.address)
    for (const number of [8n, 9n]) await vault.methods.set(number, 'noted').send({ from })
    expect(await vault.methods['number']?.().call()).toBe(9n)
    await web3.eth.sendTransaction({ from, to: SOMEBODY, value: 7n })
    expect(await web3.eth.getTransactionCount(from)).toBe(4n)
  })

  test('ethers deploys, writes and reads, one thing after the other', async () => {
    const network = Network.from(31337)
    const provider = new JsonRpcProvider(url(), network, {
      staticNetwork: network,
      pollingInterval: POLLING_MS,
      cacheTimeout: -1,
    })
    const signer = new Wallet(key(1), provider)
    const deployed = await new ContractFactory(VAULT_SIGNATURES, VAULT_BYTECODE, signer).deploy(5n)
    await deployed.deploymentTransaction()?.wait()
    const vault = new Contract(await deployed.getAddress(), VAULT_SIGNATURES, signer)
    for (const number of [8n, 9n]) await (await vault.getFunction('set').send(number, 'noted')).wait()
    expect(await vault.getFunction('number')()).toBe(9n)
    expect(await provider.getTransactionCount(signer.address, 'latest')).toBe(3)
    provider.destroy()
  })

  test('viem deploys, writes and reads, one thing after the other', async () => {
    const transport = http(url())
    const account = privateKeyToAccount(key(2))
    const reader = createPublicClient({ chain: foundry, transport, pollingInterval: POLLING_MS })
    const wallet = createWalletClient({ chain: foundry, transport, account })
    const hash = await wallet.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })
    const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
    const address = contractAddress ?? expect.fail('no contract')
    const written = await wallet.writeContract({ abi: VAULT_ABI, address, functionName: 'set', args: [9n, 'noted'] })
    await reader.waitForTransactionReceipt({ hash: written })
    expect(await reader.readContract({ abi: VAULT_ABI, address, functionName: 'number' })).toBe(9n)
    expect(await reader.getTransactionCount({ address: account.address })).toBe(2)
  })
}

onEveryNode('what reads latest, with automine', (node) => {
  beforeAll(() => node().rpc('evm_setAutomine', true))
  flows(() => node().http)
})

onBlinknet(
  'what reads latest, with latest=preconfirmed',
  (node) => flows(() => `${node().http}/?latest=preconfirmed`),
  {},
)

// anvil answers a send before its block is there.
onBlinknet('a send with automine', (node) => {
  beforeAll(() => node().rpc('evm_setAutomine', true))

  test('each transaction has a block of its own, which latest has when its send is answered', async () => {
    const before = Number(await node().rpc('eth_blockNumber'))
    for (const later of [1, 2, 3]) {
      const hash = await node().rpc('eth_sendTransaction', { from: DEV_KEYS[3]?.address, to: SOMEBODY, value: '0x1' })
      const latest = await node().rpc('eth_getBlockByNumber', 'latest', false)
      expect(latest).toMatchObject({ number: `0x${(before + later).toString(16)}`, transactions: [hash] })
      expect(await node().rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' })
    }
  })
})
