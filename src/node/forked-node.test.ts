import { expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { ask } from '#rpc-types/ask.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { remoteOf } from '#testing/node/fork-of.ts'
import { createTestNode, devAccount } from '#testing/node/test-node.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { createForkedNode } from './forked-node.ts'
import { JournalError } from './storage/journal.ts'
import { MemoryJournal } from './storage/memory-journal.ts'

/** The endpoint of a chain whose development accounts have nothing. */
async function poorEndpoint() {
  const original = await createTestNode({ mode: 'manual', accounts: [] })
  await original.request('devnet_seal', [3])
  return remoteOf(original).remote
}

test('whatever write of a new fork a crash comes after, its development accounts are funded', async () => {
  const journal = new MemoryJournal()
  const crashes: MemoryJournal[] = []
  const write = journal.write.bind(journal)
  journal.write = async (changes) => {
    await write(changes)
    crashes.push(journal.afterCrash())
  }
  const deps = { clock: new FakeClock(), log: () => {}, journal }
  const { node } = await createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  await node.close()
  expect(crashes.length).toBeGreaterThan(0)
  for (const crash of crashes) {
    const again = await createTestNode({}, { journal: crash })
    expect(await again.request('eth_blockNumber')).toBe('0x4')
    for (const index of [0, 9]) {
      const balance = await again.request('eth_getBalance', [devAccount(index).address, 'latest'])
      expect(BigInt(balance)).toBe(10_000n * 10n ** 18n)
    }
  }
})

test('a new fork that cannot be written is not opened, and leaves nothing behind', async () => {
  const journal = new MemoryJournal()
  journal.failNext(new JournalError('quota', 'There is no room.'))
  const deps = { clock: new FakeClock(), log: () => {}, journal }
  const opening = createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  await expect(opening).rejects.toMatchObject({ code: 'quota' })
  expect(await journal.readAll('meta')).toEqual([])
})

test('a fork funds its development accounts in one edit, not in one for each', async () => {
  const deps = { clock: new FakeClock(), log: () => {} }
  const { node } = await createForkedNode({ remote: await poorEndpoint() }, { mode: 'manual' }, deps)
  const partials: string[] = []
  const connection = node.connect((body) => partials.push(body))
  await connection.handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}')
  await connection.handle('{"jsonrpc":"2.0","id":2,"method":"devnet_reset","params":[]}')
  expect(partials.length).toBeGreaterThan(0)
  expect(partials.length).toBeLessThan(10)
  await node.close()
})

test('development accounts that are delegated on the other chain are not on its fork', async () => {
  const delegation = `0xef0100${'51'.repeat(20)}` as const
  const [first, second, keyless, contract] = [0, 1, 2, 3].map((index) => devAccount(index).address.toLowerCase()) as [
    Hex,
    Hex,
    Hex,
    Hex,
  ]
  const rich = { balance: '0xffffffffffffffffffff' }
  const original = await createTestNode({
    mode: 'manual',
    accounts: [],
    genesis: {
      // Sends everything away.
      [`0x${'51'.repeat(20)}`]: { code: '0x5f5f5f5f4760995af1' },
      [first]: { code: delegation, storage: { '0x1': '0x2' } },
      [second]: { ...rich, code: delegation, nonce: 7 },
      [keyless]: { ...rich, code: delegation },
      [contract]: { ...rich, code: '0x5f5f5f5f' },
    },
  })
  const deps = { clock: new FakeClock(), log: () => {} }
  const accounts = DEV_KEYS.slice(0, 4).map(({ address, privateKey }, index) => ({
    address,
    balance: '1000',
    ...(index !== 2 && { privateKey }),
  }))
  const { node, undelegated } = await createForkedNode(
    { remote: remoteOf(original).remote },
    { mode: 'manual', accounts },
    deps,
  )
  node.start()
  expect(undelegated).toEqual([first, second])
  const codeOf = (account: Hex) => ask(node, 'eth_getCode', account, 'latest')
  for (const account of [first, second]) expect(await codeOf(account)).toBe('0x')
  // One that is only funded was named for what it is, and no key of a contract's is known.
  expect(await codeOf(keyless)).toBe(delegation)
  expect(await codeOf(contract)).toBe('0x5f5f5f5f')
  expect(await ask(node, 'eth_getTransactionCount', second, 'latest')).toBe('0x7')
  expect(await ask(node, 'eth_getStorageAt', first, '0x1', 'latest')).toBe(`0x${'2'.padStart(64, '0')}`)
  // What they are sent stays, and more than one transaction waits.
  const value = '0x64'
  const before = BigInt((await ask(node, 'eth_getBalance', second, 'latest')) as Hex)
  await ask(node, 'anvil_setBalance', first, '0xffffffffffffffff')
  for (const _ of [1, 2, 3]) await ask(node, 'eth_sendTransaction', { from: first, to: second, value, gas: '0x5208' })
  await ask(node, 'evm_mine')
  expect(BigInt((await ask(node, 'eth_getBalance', second, 'latest')) as Hex)).toBe(before + 300n)
  await node.close()
})

test('accounts of the other chain are funded in the first block, and stay what they are', async () => {
  const wallet: Hex = `0x${'c1'.repeat(20)}`
  const nobody: Hex = `0x${'c2'.repeat(20)}`
  const code = '0x60016002'
  const original = await createTestNode({
    mode: 'manual',
    accounts: [],
    genesis: { [wallet]: { balance: 7, nonce: 3, code, storage: { '0x1': '0x2a' } } },
  })
  await original.request('devnet_seal', [3])
  const { remote } = remoteOf(original)
  const fundAccounts = { [wallet]: '0x5', [nobody]: 9, [devAccount(0).address]: '1' }
  const deps = { clock: new FakeClock(), log: () => {} }
  const { node } = await createForkedNode({ remote }, { mode: 'manual', fundAccounts }, deps)
  for (let round = 0; round < 2; round++) {
    expect(await ask(node, 'eth_getAccountInfo', wallet, 'latest')).toEqual({ balance: '0x5', nonce: '0x3', code })
    expect(await ask(node, 'eth_getStorageAt', wallet, '0x1', 'latest')).toBe(`0x${'2a'.padStart(64, '0')}`)
    expect(await ask(node, 'eth_getBalance', nobody, 'latest')).toBe('0x9')
    // A development account has what it is given, not what the others have.
    expect(await ask(node, 'eth_getBalance', devAccount(0).address, 'latest')).toBe('0x1')
    expect(await ask(node, 'eth_getBalance', wallet, '0x3')).toBe('0x7')
    await ask(node, 'anvil_setBalance', wallet, '0x0')
    await ask(node, 'devnet_reset')
  }
  await node.close()
})
