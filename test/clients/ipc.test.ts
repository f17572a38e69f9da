import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { IpcSocketProvider, parseEther as parseEthersEther } from 'ethers'
import { createPublicClient, createWalletClient, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { ipc } from 'viem/node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createSystemClock } from '#primitives/system-clock.ts'
import { DEV_KEYS, type DevKey } from '#rpc-types/dev-keys.ts'
import { parseCommand } from '../../src/server/cli/cli.ts'
import { type NodeServer, runNode } from '../../src/server/run-node.ts'

const [FROM, TO] = DEV_KEYS as readonly [DevKey, DevKey]

let folder: string
let socket: string
let server: NodeServer
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'blinknet-ipc-'))
  socket = path.join(folder, 'node.ipc')
  const command = parseCommand(['--port', '0', '--ipc', socket, '--block-time', '0.5'])
  if (command.kind !== 'run') throw new Error(JSON.stringify(command))
  server = await runNode(command, { clock: createSystemClock(globalThis), log: () => {}, print: () => {} })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

test('viem sends, waits and watches blocks over IPC', async () => {
  const transport = ipc(socket)
  const client = createPublicClient({ chain: foundry, transport })
  const wallet = createWalletClient({ chain: foundry, transport, account: privateKeyToAccount(FROM.privateKey) })
  const seen: bigint[] = []
  const stop = client.watchBlockNumber({ onBlockNumber: (number) => seen.push(number) })
  const hash = await wallet.sendTransaction({ to: TO.address, value: parseEther('1') })
  expect(await client.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
  await expect.poll(() => seen.length).toBeGreaterThan(1)
  stop()
  const before = await Promise.all(Array.from({ length: 50 }, () => client.getChainId()))
  expect(new Set(before)).toEqual(new Set([31_337]))
  ;(await client.transport.getRpcClient()).close()
})

test('ethers sends, waits and hears of blocks over IPC', async () => {
  const provider = new IpcSocketProvider(socket)
  const block = new Promise((resolve) => void provider.on('block', resolve))
  const signer = await provider.getSigner(FROM.address)
  const sent = await signer.sendTransaction({ to: TO.address, value: parseEthersEther('1') })
  expect(await sent.wait()).toMatchObject({ status: 1 })
  expect(await block).toEqual(expect.any(Number))
  provider.destroy()
})
