import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { devSigner } from '#client/signing/dev-signer.ts'
import { type CompleteTransaction, toViem } from './complete.ts'
import { rawSnippet, viemSnippet } from './viem-snippet.ts'

const TX: CompleteTransaction = {
  to: `0x${'ab'.repeat(20)}`,
  value: 10n ** 16n,
  data: '0x1234',
  type: '2',
  chainId: 31_337,
  nonce: 7,
  gas: 30_000n,
  feeCap: 2_000_000_001n,
  tip: 1n,
}

/** Runs code with its imports; resolves with the bytes it submits. */
async function submittedBy(code: string): Promise<unknown> {
  const body = code.replaceAll(/^import .*$/gm, '')
  let submitted: unknown
  const client = {
    sendRawTransaction: async (call: { serializedTransaction: unknown }) => (submitted = call.serializedTransaction),
  }
  // oxlint-disable-next-line typescript/no-implied-eval -- the snippet is there to be run
  const run = new Function(
    'createPublicClient',
    'custom',
    'privateKeyToAccount',
    'window',
    `return (async () => {${body}})()`,
  ) as (...args: readonly unknown[]) => Promise<void>
  await run(
    () => client,
    () => undefined,
    privateKeyToAccount,
    {},
  )
  return submitted
}

test.each(['0', '1', '2'] as const)(
  'the code for type %s submits exactly the bytes that the page shows',
  async (type) => {
    const tx = { ...TX, type }
    const raw = await devSigner(3).signTransaction(toViem(tx))
    expect(await submittedBy(viemSnippet(tx, { index: 3, other: undefined }))).toBe(raw)
  },
)

test('so does the code for a new contract', async () => {
  const tx = { ...TX, to: null }
  const raw = await devSigner(0).signTransaction(toViem(tx))
  expect(await submittedBy(viemSnippet(tx, { index: 0, other: undefined }))).toBe(raw)
})

test('the code for an account without a key impersonates it, then sends the same fields', async () => {
  const account = `0x${'cd'.repeat(20)}` as const
  const code = viemSnippet(TX, { index: 3, other: account })
  const asked: unknown[] = []
  // oxlint-disable-next-line typescript/no-implied-eval -- the snippet is there to be run
  const run = new Function(
    'createTestClient',
    'createWalletClient',
    'custom',
    'window',
    `return (async () => {${code.replaceAll(/^import .*$/gm, '')}})()`,
  ) as (...args: readonly unknown[]) => Promise<void>
  await run(
    () => ({ impersonateAccount: async (call: unknown) => asked.push(call) }),
    () => ({ sendTransaction: async (call: unknown) => asked.push(call) }),
    () => undefined,
    {},
  )
  const { chainId, ...fields } = toViem(TX)
  expect(chainId).toBe(31_337)
  expect(asked).toEqual([{ address: account }, { account, chain: null, ...fields }])
})

test('while nobody is chosen there is no code', () => {
  expect(viemSnippet(TX, { index: 0, other: 'undecided' })).toBe('')
})

test('bytes signed elsewhere are submitted unchanged', async () => {
  expect(await submittedBy(rawSnippet('0xabcd'))).toBe('0xabcd')
})
