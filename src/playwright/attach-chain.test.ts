import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createChain } from '#library/index.ts'
import type { Address } from '#primitives/hex.ts'
import { attachChain } from './attach-chain.ts'

const STRANGER: Address = `0x${'aa'.repeat(20)}`

test('a failed test has its chain and its timelines, also if it has planned failures of the calls that they need', async () => {
  const chain = await createChain({ clock: 'manual' })
  const folder = await mkdtemp(path.join(tmpdir(), 'blinknet-attach-'))
  try {
    const [from = STRANGER] = await chain.request({ method: 'eth_accounts' })
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to: from, value: '0x1' }] })
    await chain.tick()
    const error = { code: -32000, message: 'planned' }
    for (const methods of [
      ['devnet_status'],
      ['eth_getBlockByNumber', 'eth_call'],
      ['devnet_exportChain'],
      ['devnet_status', 'txpool_content', 'evm_setAccountBalance'],
    ]) {
      await chain.request({ method: 'devnet_failNext', params: [{ methods, error, times: 100 }] })
    }
    const attached = new Map<string, string>()
    await attachChain('base', chain, {
      outputPath: (...names: readonly string[]) => path.join(folder, ...names),
      async attach(name, { body, path: file } = {}) {
        attached.set(name, String(body ?? file))
      },
    })
    expect(attached.get('base-timeline.txt')).toContain(hash)
    expect((await stat(attached.get('base.blinknet') ?? '')).size).toBeGreaterThan(0)
  } finally {
    await chain.close()
    await rm(folder, { recursive: true })
  }
})
