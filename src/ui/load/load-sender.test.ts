import { expect, test } from 'vitest'
import { LOAD_ACCOUNTS } from '#client/signing/load-accounts.ts'
import type { Signer } from '#client/signing/spawn-signer.ts'
import { type Hex, toQuantity } from '#primitives/hex.ts'
import { FakeLoadNode } from '#testing/ui/fake-load-node.ts'
import { LoadSender, type Sent } from './load-sender.ts'
import { CREATE2_DEPLOYER, DEPLOYMENT_INPUT, LOAD_CALLS, LOAD_TARGET } from './load-target.ts'

type Job = Parameters<Signer['sign']>[0][number]

/** Records what it signs; its raw transactions are numbers. */
function fakeSigner() {
  const jobs: Job[] = []
  const signer: Signer = {
    sign: async (given) => given.map((job): Hex => `0x${jobs.push(job).toString(16).padStart(4, '0')}`),
    close: () => {},
  }
  return { signer, jobs }
}

function create() {
  const node = new FakeLoadNode()
  const { signer, jobs } = fakeSigner()
  return { node, jobs, sender: new LoadSender(node.provider, signer) }
}

const taken = async (sending: Promise<readonly Promise<Sent>[]>) => Promise.all(await sending)

test('accounts send in turn, each with consecutive nonces, at twice the base fee', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const count = LOAD_ACCOUNTS.length + 1
  expect(await taken(sender.send(count, 'steady'))).toEqual(Array.from({ length: count }, () => 'taken'))
  expect(jobs.map((job) => job.from)).toEqual([...LOAD_ACCOUNTS, LOAD_ACCOUNTS[0]].map((account) => account?.address))
  expect(jobs.map((job) => job.nonce)).toEqual([...LOAD_ACCOUNTS.map(() => 5n), 6n])
  expect(jobs[0]).toMatchObject({
    to: LOAD_ACCOUNTS[1]?.address,
    chainId: 31337n,
    maxFeePerGas: 201n,
    maxPriorityFeePerGas: 1n,
  })
  expect(node.raws).toHaveLength(count)
})

test('accounts that are nearly empty are refilled, the others are not', async () => {
  const { node, sender } = create()
  const [poor] = LOAD_ACCOUNTS
  node.answers['eth_getBalance'] = ([address]) => (address === poor?.address ? '0x1' : toQuantity(10n ** 20n))
  await sender.prepare()
  expect(node.calls('devnet_faucet')).toEqual([[poor?.address, toQuantity(10n ** 20n)]])
})

test('a refresh updates fees, but not the counted nonces', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  await taken(sender.send(1, 'steady'))
  node.answers['eth_getBlockByNumber'] = () => ({ baseFeePerGas: '0x3e8' })
  await sender.refresh()
  await taken(sender.send(LOAD_ACCOUNTS.length, 'steady'))
  expect(jobs.at(-1)).toMatchObject({ from: LOAD_ACCOUNTS[0]?.address, nonce: 6n, maxFeePerGas: 2_001n })
})

test('a nonce used by somebody else is reported, and counting continues from the chain’s', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const send = node.answers['eth_sendRawTransaction'] as () => unknown
  node.answers['eth_sendRawTransaction'] = () => ({ refusal: 'nonce too low: next nonce 9, tx nonce 5' })
  node.answers['eth_getTransactionCount'] = () => '0x9'
  expect(await taken(sender.send(1, 'steady'))).toEqual(['nonce-used'])
  node.answers['eth_sendRawTransaction'] = send
  await taken(sender.send(LOAD_ACCOUNTS.length, 'steady'))
  expect(jobs.at(-1)).toMatchObject({ from: LOAD_ACCOUNTS[0]?.address, nonce: 9n })
})

test('after any other refusal the next transaction fills the gap', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const send = node.answers['eth_sendRawTransaction'] as () => unknown
  node.answers['eth_sendRawTransaction'] = () => ({ refusal: 'out of order, on request' })
  const [sent] = await taken(sender.send(1, 'steady'))
  expect(sent).toMatchObject({ message: 'out of order, on request' })
  node.answers['eth_sendRawTransaction'] = send
  await taken(sender.send(LOAD_ACCOUNTS.length, 'steady'))
  expect(jobs.at(-1)).toMatchObject({ from: LOAD_ACCOUNTS[0]?.address, nonce: 5n })
})

test('missing nonces are found at the node and used first, however many wait behind them', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const [first] = LOAD_ACCOUNTS
  await taken(sender.send(4 * LOAD_ACCOUNTS.length, 'steady'))
  // Nonces 5 and 7 of the first account were lost; 6 and 8 wait.
  node.answers['txpool_contentFrom'] = ([address]) => ({
    pending: {},
    queued: address === first?.address ? { 6: {}, 8: {} } : {},
  })
  node.answers['eth_getTransactionCount'] = ([address]) => (address === first?.address ? '0x5' : '0x9')
  await sender.findGaps()
  jobs.length = 0
  await taken(sender.send(3 * LOAD_ACCOUNTS.length, 'steady'))
  expect(jobs.filter(({ from }) => from === first?.address).map(({ nonce }) => nonce)).toEqual([5n, 7n, 9n])
})

test('gaps are filled without sending anything else, until none is left', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const [first] = LOAD_ACCOUNTS
  let queued: Record<number, unknown> = { 7: {} }
  node.answers['txpool_contentFrom'] = ([address]) => ({
    pending: {},
    queued: address === first?.address ? queued : {},
  })
  expect(await sender.fillGaps()).toBe(false)
  expect(jobs).toMatchObject([
    { from: first?.address, nonce: 5n },
    { from: first?.address, nonce: 6n },
  ])
  queued = {}
  expect(await sender.fillGaps()).toBe(true)
  expect(jobs).toHaveLength(2)
})

test('gaps are not filled while an answer is pending', async () => {
  const { node, jobs, sender } = create()
  await sender.prepare()
  const sending = await sender.send(1, 'steady')
  node.answers['txpool_contentFrom'] = () => ({ pending: {}, queued: {} })
  expect(await sender.fillGaps()).toBe(false)
  await Promise.all(sending)
  expect(await sender.fillGaps()).toBe(true)
  expect(jobs).toHaveLength(1)
})

test('a load that was not prepared sends nothing', async () => {
  const { node, sender } = create()
  await expect(sender.send(1, 'steady')).rejects.toThrow('not prepared')
  expect(node.raws).toEqual([])
})

test('calls go to the load’s contract, which is deployed with the chain’s CREATE2 deployer', async () => {
  const { jobs, sender } = create()
  await sender.prepare()
  await sender.deploy()
  await taken(sender.send(1, 'calls'))
  await taken(sender.send(1, 'reverts'))
  expect(jobs.map(({ to, input }) => [to, input])).toEqual([
    [CREATE2_DEPLOYER, DEPLOYMENT_INPUT],
    [LOAD_TARGET, LOAD_CALLS.increment],
    [LOAD_TARGET, LOAD_CALLS.refuse],
  ])
})
