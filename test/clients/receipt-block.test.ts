import { Contract, ContractFactory, JsonRpcProvider, Network, Wallet } from 'ethers'
import { createPublicClient, createWalletClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { Web3 } from 'web3'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { onBlinknet } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE, VAULT_SIGNATURES } from './support/vault-contract.ts'

// From a pre-confirmed receipt to the events and states of its block, as each library goes. Blocks take two seconds, so
// that the block is still the live one.

const LONG_BLOCKS = { partialMs: 20, partialsPerBlock: 100 }
const POLLING_MS = 50
const key = (index: number) => DEV_KEYS[index]?.privateKey ?? expect.fail('no such account')

/** @param url - Of the node, in one of the readings of `latest`. */
function events(url: () => string): void {
  test('web3.js: getPastEvents after send', async () => {
    const web3 = new Web3(url())
    web3.setConfig({ transactionPollingInterval: POLLING_MS, defaultBlock: 'pending' })
    const from = web3.eth.accounts.wallet.add(key(0))[0]?.address ?? expect.fail('no account')
    const gas = '2000000'
    const contract = new web3.eth.Contract(VAULT_ABI)
    const deployed = await contract.deploy({ data: VAULT_BYTECODE, arguments: [5n] }).send({ from, gas })
    const vault = new web3.eth.Contract(VAULT_ABI, deployed.options.address)
    const { blockNumber } = await vault.methods.set(8n, 'noted').send({ from, gas })
    for (const range of [
      { fromBlock: blockNumber },
      { fromBlock: blockNumber, toBlock: blockNumber },
      { fromBlock: blockNumber, toBlock: 'latest' },
    ]) {
      const found = await vault.getPastEvents('Changed', { filter: { number: 8n }, ...range })
      expect(found).toMatchObject([{ returnValues: { number: 8n, note: 'noted' } }])
    }
  })

  test('ethers: queryFilter of the block that the receipt names', async () => {
    const network = Network.from(31337)
    const provider = new JsonRpcProvider(url(), network, { staticNetwork: network, pollingInterval: POLLING_MS })
    const signer = new Wallet(key(1), provider)
    const deployed = await new ContractFactory(VAULT_SIGNATURES, VAULT_BYTECODE, signer).deploy(5n)
    const receipt = (await deployed.deploymentTransaction()?.wait()) ?? expect.fail('no receipt')
    const vault = new Contract(await deployed.getAddress(), VAULT_SIGNATURES, signer)
    expect(await vault.queryFilter('Changed', receipt.blockNumber, receipt.blockNumber)).toHaveLength(1)
    expect(await vault.queryFilter('Changed', receipt.blockNumber)).toHaveLength(1)
    provider.destroy()
  })

  test('viem: getContractEvents from the block that the receipt names', async () => {
    const transport = http(url())
    const account = privateKeyToAccount(key(2))
    const reader = createPublicClient({ chain: foundry, transport, pollingInterval: POLLING_MS })
    const wallet = createWalletClient({ chain: foundry, transport, account })
    const hash = await wallet.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })
    const { contractAddress, blockNumber } = await reader.waitForTransactionReceipt({ hash })
    const wanted = { abi: VAULT_ABI, address: contractAddress ?? expect.fail('no contract') }
    const found = [{ eventName: 'Changed', args: { number: 5n, note: 'made' } }]
    expect(await reader.getContractEvents({ ...wanted, fromBlock: blockNumber })).toMatchObject(found)
    expect(await reader.getContractEvents({ ...wanted, fromBlock: blockNumber, toBlock: blockNumber })).toMatchObject(
      found,
    )
  })
}

onBlinknet('events of a receipt’s block', (node) => events(() => node().http), LONG_BLOCKS)

onBlinknet(
  'events and states of a receipt’s block, with latest=preconfirmed',
  (node) => {
    const url = () => `${node().http}/?latest=preconfirmed`
    events(url)

    // As Hardhat's matchers `balancesHaveChanged` and `changeEtherBalance` look.
    test('the balance at the block that a receipt names, and at the one before', async () => {
      const network = Network.from(31337)
      const provider = new JsonRpcProvider(url(), network, { staticNetwork: network, pollingInterval: POLLING_MS })
      const to = '0x00000000000000000000000000000000000beef6'
      const sent = await new Wallet(key(3), provider).sendTransaction({ to, value: 7n })
      const { blockNumber } = (await sent.wait()) ?? expect.fail('no receipt')
      expect(await provider.getBalance(to, blockNumber)).toBe(7n)
      expect(await provider.getBalance(to, blockNumber - 1)).toBe(0n)
      expect((await provider.getBlock(blockNumber))?.transactions).toContain(sent.hash)
      provider.destroy()
    })

    test('viem and ethers watch events without losing one, although the live block has a number', async () => {
      const transport = http(url())
      const account = privateKeyToAccount(key(4))
      const reader = createPublicClient({ chain: foundry, transport, pollingInterval: POLLING_MS })
      const wallet = createWalletClient({ chain: foundry, transport, account })
      const hash = await wallet.deployContract({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })
      const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
      const address = contractAddress ?? expect.fail('no contract')
      const network = Network.from(31337)
      const provider = new JsonRpcProvider(url(), network, {
        staticNetwork: network,
        pollingInterval: POLLING_MS,
        polling: true,
      })
      const seen = { viem: [] as bigint[], ethers: [] as bigint[] }
      // The two libraries ask for the head's number, and then for the logs up to it.
      const stop = reader.watchContractEvent({
        abi: VAULT_ABI,
        address,
        eventName: 'Changed',
        poll: true,
        onLogs: (logs) => seen.viem.push(...logs.map(({ args }) => args.number ?? -1n)),
      })
      const vault = new Contract(address, VAULT_SIGNATURES, provider)
      await vault.on('Changed', (_by: string, number: bigint) => seen.ethers.push(number))
      for (const [nonce, number] of [10n, 11n, 12n].entries()) {
        await wallet.writeContract({
          abi: VAULT_ABI,
          address,
          functionName: 'set',
          args: [number, 'noted'],
          gas: 200_000n,
          nonce: nonce + 1,
        })
      }
      await expect.poll(() => seen.viem.filter((number) => number >= 10n)).toEqual([10n, 11n, 12n])
      await expect.poll(() => seen.ethers.filter((number) => number >= 10n)).toEqual([10n, 11n, 12n])
      stop()
      await vault.removeAllListeners()
      provider.destroy()
    })
  },
  LONG_BLOCKS,
)
