import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
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
    expect(await submittedBy(viemSnippet(tx, DEV_ACCOUNTS[3] as DevAddress))).toBe(raw)
  },
)

test('so does the code for a new contract', async () => {
  const tx = { ...TX, to: null }
  const raw = await devSigner(0).signTransaction(toViem(tx))
  expect(await submittedBy(viemSnippet(tx, DEV_ACCOUNTS[0] as DevAddress))).toBe(raw)
})

test('bytes signed elsewhere are submitted unchanged', async () => {
  expect(await submittedBy(rawSnippet('0xabcd'))).toBe('0xabcd')
})
