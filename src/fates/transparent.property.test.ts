import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTestNode, signTransfer } from '#testing/node/test-node.ts'
import { parseFate } from './fault.ts'
import { playFate } from './play.ts'

const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** Calls of all sorts, some of which have side effects. */
const calls = (raws: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(
      { method: 'eth_blockNumber', params: [] },
      { method: 'eth_getBalance', params: [SENDER, 'pending'] },
      { method: 'eth_getTransactionCount', params: [SENDER, 'pending'] },
      { method: 'eth_getBlockByNumber', params: ['pending', true] },
      { method: 'eth_getLogs', params: [{ fromBlock: 'earliest', toBlock: 'pending' }] },
      { method: 'eth_sendTransaction', params: [{ from: SENDER, to: SENDER, value: '0x1' }] },
      { method: 'eth_noSuchMethod', params: [] },
      { method: 'eth_getBalance', params: {} },
      { method: 'eth_subscribe', params: ['newHeads'] },
      { method: 'devnet_tick', params: [] },
      { method: '', params: [] },
      { method: 5 },
    ),
    fc.constantFrom(...raws).map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })),
  )

const bodies = (raws: readonly string[]): fc.Arbitrary<string> => {
  const ids = fc.constantFrom('1', '"a"', 'null', '1e3', '12345678901234567890', '{}', '1e999', undefined)
  const call = fc.tuple(calls(raws), ids, fc.constantFrom('"2.0"', '"1.0"')).map(([members, id, version]) => {
    const rest = JSON.stringify(members).slice(1)
    return `{"jsonrpc":${version},${id === undefined ? '' : `"id":${id},`}${rest}`
  })
  const odd = fc.oneof(fc.constantFrom('', '{', '[]', '[[]]', '[1]', 'null', '"x"', '{"id":1}', '[[[[[['), fc.json())
  const item = fc.oneof({ weight: 4, arbitrary: call }, { weight: 1, arbitrary: odd })
  return fc.oneof(
    { weight: 2, arbitrary: item },
    { weight: 1, arbitrary: fc.array(item, { maxLength: 5 }).map((items) => `[${items.join(' , ')}]`) },
  )
}

test.each(['', 'refuse@send9999,lose@9999,lag@9999,lost-event@9999'])(
  'while no fault of %j is due, every body is answered byte for byte as by the node itself',
  async (fate) => {
    const raws = await Promise.all([0, 1, 2, 7].map((nonce) => signTransfer(0, nonce)))
    await fc.assert(
      fc.asyncProperty(fc.array(bodies(raws), { minLength: 1, maxLength: 8 }), async (sequence) => {
        const [alone, fated] = [await createTestNode({ mode: 'manual' }), await createTestNode({ mode: 'manual' })]
        const play = await playFate([{ name: 'chain', node: fated.node }], parseFate(fate))
        const told: string[][] = [[], []]
        const direct = alone.node.connect((body) => told[0]?.push(body))
        const through = play.endpointOf('chain').connect((body) => told[1]?.push(body))
        // The ids of subscriptions are drawn from one sequence, of which the play has had one.
        await alone.node
          .connect(() => {})
          .handle('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newPendingTransactions"]}')
        for (const body of sequence) expect(await through.handle(body)).toBe(await direct.handle(body))
        expect(told[1]).toEqual(told[0])
      }),
      { numRuns: 60 },
    )
  },
)
