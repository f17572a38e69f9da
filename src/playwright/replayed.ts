import type { TestInfo } from '@playwright/test'
import type { OpenChain } from '#library/chain.ts'

/** Chains of a worker process. */
type Chains = readonly { readonly name: string; readonly open: Pick<OpenChain, 'replay'> }[]

/** From here on chains that are replayed from a fork file know who asks them. */
export function beginAsking(chains: Chains, asker: string): void {
  for (const { open } of chains) open.replay?.begin(asker)
}

/**
 * Ends what {@link beginAsking} began.
 *
 * @throws {Error} If a chain was asked for what its fork file does not have, whether the asker has noticed or not.
 */
export function endAsking(chains: Chains): void {
  const lines = chains.flatMap(({ name, open: { replay } }) => {
    const { values = [], advice = '' } = replay ? { ...replay.end(), advice: replay.advice } : {}
    if (values.length === 0) return []
    return [
      `the fork file of ${name} does not have what was asked for:`,
      ...values.map((value) => `  ${value}`),
      `record it: ${advice}`,
    ]
  })
  if (lines.length > 0) throw new Error(lines.join('\n'))
}

/** For a test that has failed: transactions and blocks that it asked for, of which it was told that there are none. */
export async function attachUnknown(chains: Chains, testInfo: Pick<TestInfo, 'attach'>): Promise<void> {
  for (const { name, open } of chains) {
    const hashes = open.replay?.asked().hashes ?? []
    if (hashes.length === 0) continue
    const body = [`${name} has said that there are none, as its fork file has none of these:`, ...hashes].join('\n')
    await testInfo.attach(`${name}-not-in-fork-file.txt`, { body, contentType: 'text/plain' })
  }
}
