import { readFile } from 'node:fs/promises'
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  parseEventLogs,
} from 'viem'
import {
  createBundlerClient,
  entryPoint07Abi,
  entryPoint08Abi,
  getUserOperationHash,
  type SmartAccount,
  toSmartAccount,
  type UserOperation,
} from 'viem/account-abstraction'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSystemClock } from '#primitives/system-clock.ts'
import { DEV_KEYS, type DevKey } from '#rpc-types/dev-keys.ts'
import { parseCommand } from '../../src/server/cli/cli.ts'
import { ENTRY_POINTS } from '../../src/server/cli/entry-points.ts'
import { type NodeServer, runNode } from '../../src/server/run-node.ts'
import { type Alto, startAlto } from './support/alto.ts'

const [OWNER, EXECUTOR, UTILITY] = DEV_KEYS as readonly [DevKey, DevKey, DevKey]
const DEAD: Address = '0x000000000000000000000000000000000000dEaD'
/** Answers 0 to everything, so it validates every operation; the second reads TIMESTAMP first, which ERC-7562 forbids. */
const ACCEPTING: Hex = '0x5f5f5260205ff3'
const READING_THE_TIME: Hex = '0x42505f5f5260205ff3'
/** Has the form of a signature, and is nobody's. */
const SIGNATURE: Hex = `0x${'f'.repeat(31)}${'0'.repeat(33)}7${'a'.repeat(63)}1c`

let server: NodeServer
let alto: Alto
beforeAll(async () => {
  const flags = ['--port', '0', '--entrypoint', '0.7,0.8', '--js-tracers', '--block-time', '0.5']
  const command = parseCommand(flags)
  if (command.kind !== 'run') throw new Error(JSON.stringify(command))
  server = await runNode(command, { clock: createSystemClock(globalThis), log: () => {}, print: () => {} })
  alto = await startAlto({
    rpcUrl: `http://127.0.0.1:${server.port}`,
    entryPoints: [ENTRY_POINTS['0.7'].address, ENTRY_POINTS['0.8'].address],
    executorKey: EXECUTOR.privateKey,
    utilityKey: UTILITY.privateKey,
  })
})
afterAll(async () => {
  await alto?.close()
  await server?.close()
})

interface Artifact {
  readonly abi: Abi
  readonly bytecode: Hex
}
const artifact = async (alias: string, name: string) =>
  JSON.parse(await readFile(`node_modules/${alias}/artifacts/${name}.json`, 'utf8')) as Artifact

const VERSIONS = [
  { version: '0.7', alias: 'aa07', abi: entryPoint07Abi },
  { version: '0.8', alias: 'aa08', abi: entryPoint08Abi },
] as const

describe.each(VERSIONS)('alto in safe mode, with EntryPoint $version', ({ version, alias, abi }) => {
  const entryPoint = ENTRY_POINTS[version].address
  const owner = privateKeyToAccount(OWNER.privateKey)
  const clients = () => {
    const transport = http(`http://127.0.0.1:${server.port}`)
    const client = createPublicClient({ chain: foundry, transport, pollingInterval: 100 })
    return { client, wallet: createWalletClient({ chain: foundry, transport, account: owner }) }
  }
  const bundler = () =>
    createBundlerClient({
      client: clients().client,
      chain: foundry,
      transport: http(alto.url),
      pollingInterval: 200,
    })
  const fees = async () => {
    const { maxFeePerGas } = await clients().client.estimateFeesPerGas()
    return { maxFeePerGas: 2n * maxFeePerGas, maxPriorityFeePerGas: 1_000_000_000n }
  }
  /** Sends a transaction, and waits for its block. */
  const sealed = async (hash: Hex) => {
    const { client } = clients()
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    await expect.poll(() => client.getBlockNumber({ cacheTime: 0 })).toBeGreaterThanOrEqual(blockNumber)
  }

  /** An account of the package's factory, not deployed yet, with ether. */
  async function simpleAccount(): Promise<SmartAccount> {
    const { client, wallet } = clients()
    const [factory, contract] = [await artifact(alias, 'SimpleAccountFactory'), await artifact(alias, 'SimpleAccount')]
    const deployed = await wallet.deployContract({ ...factory, args: [entryPoint] })
    await sealed(deployed)
    const { contractAddress } = await client.getTransactionReceipt({ hash: deployed })
    const address = contractAddress as Address
    const sender = (await client.readContract({
      address,
      abi: factory.abi,
      functionName: 'getAddress',
      args: [owner.address, 0n],
    })) as Address
    await sealed(await wallet.sendTransaction({ to: sender, value: parseEther('1') }))
    const hashOf = (userOperation: UserOperation) =>
      getUserOperationHash({
        chainId: foundry.id,
        entryPointAddress: entryPoint,
        entryPointVersion: version,
        userOperation,
      })
    return toSmartAccount({
      client,
      entryPoint: { abi, address: entryPoint, version } as never,
      getAddress: () => Promise.resolve(sender),
      encodeCalls: ([call]) =>
        Promise.resolve(
          encodeFunctionData({
            abi: contract.abi,
            functionName: 'execute',
            args: [call?.to, call?.value ?? 0n, call?.data ?? '0x'],
          }),
        ),
      getFactoryArgs: () =>
        Promise.resolve({
          factory: address,
          factoryData: encodeFunctionData({
            abi: factory.abi,
            functionName: 'createAccount',
            args: [owner.address, 0n],
          }),
        }),
      getStubSignature: () => Promise.resolve(SIGNATURE),
      signMessage: () => Promise.reject(new Error('not of this test')),
      signTypedData: () => Promise.reject(new Error('not of this test')),
      signUserOperation: (operation) => {
        const hash = hashOf({ ...operation, sender })
        // Since 0.8 the hash is that of typed data.
        return version === '0.8' ? owner.sign({ hash }) : owner.signMessage({ message: { raw: hash } })
      },
    })
  }

  test('an operation that deploys a simple account and pays is mined, and has its receipt', async () => {
    const { client } = clients()
    const account = await simpleAccount()
    const before = await client.getBalance({ address: DEAD })
    const hash = await bundler().sendUserOperation({ account, calls: [{ to: DEAD, value: 5n }], ...(await fees()) })
    const { success, sender, receipt, logs } = await bundler().waitForUserOperationReceipt({ hash })
    expect({ success, sender }).toEqual({ success: true, sender: account.address })
    await sealed(receipt.transactionHash)
    expect((await client.getBalance({ address: DEAD })) - before).toBe(5n)
    expect(await client.getCode({ address: account.address })).toBeDefined()
    const all = (await client.getTransactionReceipt({ hash: receipt.transactionHash })).logs
    const events = parseEventLogs({ abi, eventName: 'UserOperationEvent', logs: all })
    expect(events.map(({ args }) => args.userOpHash)).toEqual([hash])
    expect(all.length).toBeGreaterThanOrEqual(logs.length)
  })

  /** An operation of a contract whose code is all that there is of it. */
  async function operationOf(name: string, code: Hex) {
    const { client, wallet } = clients()
    const sender: Address = `0x${name.repeat(20)}`
    await client.request({ method: 'anvil_setCode', params: [sender, code] } as never)
    const data = encodeFunctionData({ abi, functionName: 'depositTo', args: [sender] })
    await sealed(await wallet.sendTransaction({ to: entryPoint, data, value: parseEther('1') }))
    return {
      sender,
      nonce: 0n,
      callData: '0x',
      callGasLimit: 100_000n,
      verificationGasLimit: 200_000n,
      preVerificationGas: 100_000n,
      signature: '0x',
      ...(await fees()),
    } as const
  }
  const submit = (operation: Awaited<ReturnType<typeof operationOf>>) =>
    bundler().sendUserOperation({ ...operation, entryPointAddress: entryPoint })

  test('an operation whose validation reads the time is refused by what the trace shows, the same without that is taken', async () => {
    const refused = await operationOf(version === '0.7' ? '71' : '81', READING_THE_TIME)
    await expect(submit(refused)).rejects.toThrow(/banned opcode: TIMESTAMP/)
    const hash = await submit(await operationOf(version === '0.7' ? '72' : '82', ACCEPTING))
    expect(await bundler().waitForUserOperationReceipt({ hash })).toMatchObject({ success: true })
  })
})
