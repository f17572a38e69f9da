import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  numberToHex,
} from 'viem'
import { expect, test } from 'vitest'
import type { RpcBlock, RpcFeeHistory, RpcReceipt } from '#rpc-types/objects.ts'
import { onEveryNode } from './support/on-every-node.ts'
import type { StartedNode } from './support/running-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'
const MULTICALL3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Where a method has its block: MetaMask puts the number of the latest one that it knows there. */
const BLOCK_PARAM: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
}

interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/**
 * What MetaMask's network client puts on the wire, in its order and its forms. MetaMask itself needs a browser profile;
 * its calls are known from its published packages (controllers of networks, gas fees, accounts and transactions).
 */
class MetaMask {
  readonly #node: StartedNode
  /** Large and counted on, as MetaMask has them. */
  #id = 7_214_031_845_211

  constructor(node: StartedNode) {
    this.#node = node
  }

  async #post(body: unknown): Promise<unknown> {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' }
    const response = await fetch(this.#node.http, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return response.json()
  }

  #request(method: string, params: readonly unknown[]) {
    this.#id += 1
    return { id: this.#id, jsonrpc: '2.0', method, params }
  }

  async #send<Result>(method: string, params: readonly unknown[]): Promise<Result> {
    const request = this.#request(method, params)
    const answer = (await this.#post(request)) as Answer
    expect(answer.id).toBe(request.id)
    if (answer.error) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.result as Result
  }

  async call<Result>(method: string, ...params: readonly unknown[]): Promise<Result> {
    const index = BLOCK_PARAM[method]
    if (index === undefined) return this.#send(method, params)
    return this.#send(method, params.toSpliced(index, 1, await this.#send('eth_blockNumber', [])))
  }

  /** Results in the order of the calls, whatever the order of the answers. */
  async batch(...calls: readonly (readonly [method: string, params: readonly unknown[]])[]): Promise<unknown[]> {
    const requests = calls.map(([method, params]) => this.#request(method, params))
    const answers = (await this.#post(requests)) as Answer[]
    expect(answers).toHaveLength(requests.length)
    return requests.map(({ id }) => answers.find((answer) => answer.id === id)?.result)
  }

  /** Gas with the margin that it adds. */
  async gasFor(request: Readonly<Record<string, unknown>>): Promise<Hex> {
    const { gasLimit } = await this.call<RpcBlock>('eth_getBlockByNumber', 'latest', false)
    expect(BigInt(gasLimit)).toBeGreaterThan(0n)
    const estimated = BigInt(await this.call<Hex>('eth_estimateGas', { value: '0x0', ...request }))
    return numberToHex((estimated * 3n) / 2n)
  }

  /** The medium one of its three suggestions, from the fees of the last five blocks. */
  async fees() {
    const number = await this.call<Hex>('eth_blockNumber')
    const history = await this.call<RpcFeeHistory>('eth_feeHistory', '0x5', number, [10, 20, 30])
    expect(history.baseFeePerGas.length).toBe((history.reward?.length ?? 0) + 1)
    const tips = (history.reward ?? []).map((rewards) => BigInt(rewards[1] ?? 0))
    const maxPriorityFeePerGas = tips.reduce((highest, tip) => (tip > highest ? tip : highest), 1_000_000_000n)
    const maxFeePerGas = (BigInt(history.baseFeePerGas.at(-1) ?? 0) * 27n) / 20n + maxPriorityFeePerGas
    return { maxFeePerGas, maxPriorityFeePerGas }
  }

  /** What the chain counts, or more when it has sent more itself. */
  async nonce(address: Address, sent: number): Promise<number> {
    return Math.max(Number(await this.call<Hex>('eth_getTransactionCount', address)), sent)
  }

  /** As it does it with every new block: the receipt, and the block that the receipt names. */
  async confirmed(hash: Hex): Promise<RpcReceipt> {
    let found: RpcReceipt | null = null
    const look = async () => {
      await this.call('eth_blockNumber')
      found = await this.call<RpcReceipt | null>('eth_getTransactionReceipt', hash)
      return found ? this.call<RpcBlock | null>('eth_getBlockByHash', found.blockHash, false) : null
    }
    await expect.poll(look).toMatchObject({ baseFeePerGas: expect.any(String) as unknown })
    return found ?? expect.fail('no receipt')
  }
}

/** Creates a vault. */
const DEPLOYMENT = encodeDeployData({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })

/** Deploys a vault with the first transaction of the account; its address. */
async function deploy(wallet: MetaMask, account: ReturnType<typeof devAccount>, gas: bigint): Promise<Address | null> {
  const request = {
    type: 'eip1559',
    chainId: 31337,
    data: DEPLOYMENT,
    gas,
    nonce: 0,
    ...(await wallet.fees()),
  } as const
  const hash = await wallet.call<Hex>('eth_sendRawTransaction', await account.signTransaction(request))
  return (await wallet.confirmed(hash)).contractAddress
}

onEveryNode("MetaMask's calls", (node) => {
  test('a network is added: its id, its version and its latest block', async () => {
    const wallet = new MetaMask(node())
    expect(await wallet.call('eth_chainId')).toBe('0x7a69')
    expect(await wallet.call('net_version')).toBe('31337')
    const block = await wallet.call<RpcBlock>('eth_getBlockByNumber', 'latest', false)
    // The sign of EIP-1559.
    expect(block.baseFeePerGas).toMatch(/^0x[1-9a-f]/)
    expect(BigInt(await wallet.call<Hex>('eth_gasPrice'))).toBeGreaterThan(0n)
  })

  test('balances of all accounts come by Multicall3, or one by one in a batch', async () => {
    const wallet = new MetaMask(node())
    const addresses = [devAccount(8).address, devAccount(9).address, SOMEBODY] as const
    const one = await wallet.batch(...addresses.map((address) => ['eth_getBalance', [address, 'latest']] as const))
    expect(one.map((balance) => BigInt(balance as Hex) / 10n ** 18n)).toEqual([10_000n, 10_000n, 0n])
    // anvil has no Multicall3.
    if ((await wallet.call('eth_getCode', MULTICALL3)) === '0x') return expect(node().name).toBe('anvil')
    const calls = addresses.map((address) => ({
      target: MULTICALL3,
      allowFailure: true,
      callData: encodeFunctionData({ abi: multicall3Abi, functionName: 'getEthBalance', args: [address] }),
    }))
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [calls] })
    const answer = await wallet.call<Hex>('eth_call', { to: MULTICALL3, data })
    const results = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer })
    expect(results.map(({ returnData }) => BigInt(returnData))).toEqual(one.map((balance) => BigInt(balance as Hex)))
  })

  test('two transfers in a row are prepared, sent and confirmed', async () => {
    const wallet = new MetaMask(node())
    const account = devAccount(0)
    expect(await wallet.call('eth_getCode', SOMEBODY)).toBe('0x')
    const hashes: Hex[] = []
    for (let sent = 0; sent < 2; sent++) {
      const gas = await wallet.gasFor({ from: account.address, to: SOMEBODY, value: '0x7', type: '0x2' })
      expect(gas).toBe(numberToHex(31_500))
      const nonce = await wallet.nonce(account.address, sent)
      expect(nonce).toBe(sent)
      const fees = await wallet.fees()
      const request = { type: 'eip1559', chainId: 31337, to: SOMEBODY, value: 7n, nonce, gas: BigInt(gas) } as const
      hashes.push(await wallet.call('eth_sendRawTransaction', await account.signTransaction({ ...request, ...fees })))
    }
    for (const hash of hashes) {
      expect(await wallet.confirmed(hash)).toMatchObject({ status: '0x1', gasUsed: '0x5208' })
      expect(await wallet.call('eth_getTransactionByHash', hash)).toMatchObject({ type: '0x2', hash })
    }
    expect(await wallet.call('eth_getTransactionCount', account.address)).toBe('0x2')
    const balance = BigInt(await wallet.call<Hex>('eth_getBalance', SOMEBODY))
    expect(balance).toBe(14n)
  })

  test('a deployment is estimated, also with all the gas of a block, and confirmed', async () => {
    const wallet = new MetaMask(node())
    const account = devAccount(1)
    const gas = BigInt(await wallet.gasFor({ from: account.address, data: DEPLOYMENT }))
    // Earlier releases let it have 95% of the block's gas, which is more than a transaction may have.
    const { gasLimit } = await wallet.call<RpcBlock>('eth_getBlockByNumber', 'latest', false)
    const most = numberToHex((BigInt(gasLimit) * 19n) / 20n)
    const estimated = await wallet.call<Hex>('eth_estimateGas', {
      from: account.address,
      data: DEPLOYMENT,
      gas: most,
      value: '0x0',
    })
    expect((BigInt(estimated) * 3n) / 2n).toBe(gas)
    const contractAddress = await deploy(wallet, account, gas)
    const number = encodeFunctionData({ abi: VAULT_ABI, functionName: 'number' })
    expect(BigInt(await wallet.call<Hex>('eth_call', { to: contractAddress, data: number }))).toBe(5n)
  })

  test('the estimate of a reverting call fails with the reason', async () => {
    const wallet = new MetaMask(node())
    const account = devAccount(2)
    const to = await deploy(wallet, account, BigInt(await wallet.gasFor({ from: account.address, data: DEPLOYMENT })))
    const odd = encodeFunctionData({ abi: VAULT_ABI, functionName: 'needEven', args: [3n] })
    const estimating = wallet.gasFor({ from: account.address, to, data: odd })
    await expect(estimating).rejects.toMatchObject({
      code: 3,
      message: expect.stringContaining('number must be even') as unknown,
    })
  })

  test('a sped-up transaction replaces the pending one', async () => {
    const wallet = new MetaMask(node())
    const account = devAccount(3)
    const fees = await wallet.fees()
    // Behind a gap, so that it waits.
    const waiting = { type: 'eip1559', chainId: 31337, to: SOMEBODY, gas: 21_000n, nonce: 1 } as const
    const first = await wallet.call<Hex>(
      'eth_sendRawTransaction',
      await account.signTransaction({ ...waiting, ...fees }),
    )
    const faster = {
      maxFeePerGas: (fees.maxFeePerGas * 11n) / 10n + 1n,
      maxPriorityFeePerGas: (fees.maxPriorityFeePerGas * 11n) / 10n + 1n,
    }
    const second = await wallet.call<Hex>(
      'eth_sendRawTransaction',
      await account.signTransaction({ ...waiting, ...faster }),
    )
    const filling = { ...waiting, ...fees, nonce: 0 }
    await wallet.call('eth_sendRawTransaction', await account.signTransaction(filling))
    expect(await wallet.confirmed(second)).toMatchObject({ status: '0x1' })
    expect(await wallet.call('eth_getTransactionReceipt', first)).toBeNull()
    expect(await wallet.call('eth_getTransactionCount', account.address)).toBe('0x2')
  })
})
