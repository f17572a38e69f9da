import { expect, onTestFinished, test } from 'vitest'
import { findHistories } from '#fates/histories.ts'
import type { Recording } from '#fates/recording.ts'
import { ask } from '#rpc-types/ask.ts'
import { transfers } from '#testing/fates/replayed-chain.ts'
import { openChain } from './chain.ts'

test('a transaction that the node signs has the histories of one that is signed, however long that takes', async () => {
  const { node, close } = await openChain({ clock: 'manual', log: () => {} })
  onTestFinished(close)
  const snapshot = await ask(node, 'devnet_snapshot')
  const startOver = async () => void (await ask(node, 'devnet_reset', snapshot, [snapshot]))
  const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  const unsigned: Recording = {
    acts: [{ kind: 'send', chain: 'chain', method: 'eth_sendTransaction', params: [{ from, to: from, value: '0x1' }] }],
    listens: true,
  }
  const find = async (recording: Recording) => {
    const { histories } = await findHistories([{ name: 'chain', node, startOver }], recording, { depth: 1 })
    return histories.map(({ fate, seen }) => ({ fate, seen }))
  }
  expect(await find(unsigned)).toEqual(await find(await transfers(1, true)))
})
