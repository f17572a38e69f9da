import { writeFile } from 'node:fs/promises'
import type { TestInfo } from '@playwright/test'
import { describeTimeline } from '#expect/describe-timeline.ts'
import type { Chain } from '#library/chain.ts'
import type { Hash } from '#primitives/hex.ts'
import { ALIASES, EFFECTS } from '#rpc-types/method-tables.derived.ts'
import { ENDS_FAULTS } from '#rpc-types/methods/devnet.ts'
import { ONLY_CHAIN } from './chain-pool.ts'

/** Transactions whose timelines are attached: the newest. */
const TOLD = 50

/** All methods that a failure can be planned for. */
const PLANNABLE = [...Object.keys(EFFECTS), ...Object.keys(ALIASES)].filter((name) => !ENDS_FAULTS.includes(name))

/**
 * Attaches what a failure can be looked at with: the chain's file, which the page imports, and what happened to its
 * transactions.
 *
 * @returns The file.
 */
export async function attachChain(
  name: string,
  chain: Pick<Chain, 'request' | 'exportChain'>,
  testInfo: Pick<TestInfo, 'attach' | 'outputPath'>,
): Promise<Uint8Array> {
  const hashes: Hash[] = []
  // Failures that the test has planned for the dapp would meet these calls. Nothing is asked before: it might fail, too.
  await chain.request({ method: 'devnet_failNext', params: [{ methods: PLANNABLE, times: 0 }] })
  const { fork, head: newest } = await chain.request({ method: 'devnet_status' })
  const [head, first] = [Number(newest.number), Number(fork?.number ?? 0)]
  for (let number = head + 1; number > first && hashes.length < TOLD; number--) {
    const selector = number > head ? 'pending' : (`0x${number.toString(16)}` as const)
    const block = await chain.request({ method: 'eth_getBlockByNumber', params: [selector, false] })
    hashes.unshift(...((block?.transactions ?? []) as readonly Hash[]))
  }
  const { pending, queued } = await chain.request({ method: 'txpool_content' })
  for (const part of [pending, queued]) {
    for (const bySender of Object.values(part)) for (const { hash } of Object.values(bySender)) hashes.push(hash)
  }
  const timelines = await Promise.all(
    hashes
      .slice(-TOLD)
      .map(async (hash) =>
        describeTimeline(hash, await chain.request({ method: 'devnet_getTransactionTimeline', params: [hash] })),
      ),
  )
  const body = timelines.length > 0 ? timelines.join('\n\n') : 'no transaction was sent'
  const timeline = name === ONLY_CHAIN ? 'timeline.txt' : `${name}-timeline.txt`
  await testInfo.attach(timeline, { body, contentType: 'text/plain' })
  const file = `${name}.blinknet`
  const bytes = await chain.exportChain()
  await writeFile(testInfo.outputPath(file), bytes)
  await testInfo.attach(file, { path: testInfo.outputPath(file), contentType: 'application/octet-stream' })
  return bytes
}
