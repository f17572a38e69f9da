import fc from 'fast-check'
import { getContractAddress, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { describeWith } from './support/describe-with.ts'
import { useNodePair } from './support/node-pair.ts'
import { observeBlock } from './support/observe-block.ts'
import { deploying, randomProgram } from './support/random-program.ts'
import { devAccount } from './support/viem-clients.ts'

// anvil runs revm, which shares no line with Blinknet's engine. The programs are the same in every run.
const SEED = 20_260_521
const PROGRAMS_PER_BLOCK = 8
const BLOCKS = 5

describeWith('anvil', 'random programs at Blinknet and at anvil', (binary) => {
  const pair = useNodePair(binary)
  const programs = fc.sample(randomProgram, { seed: SEED, numRuns: PROGRAMS_PER_BLOCK * BLOCKS })

  test.each(Array.from({ length: BLOCKS }, (_, index) => index))('programs of block %i', async (index) => {
    const account = devAccount(index)
    let nonce = 0
    const sign = (request: { to?: Hex; data: Hex; value: bigint }) =>
      account.signTransaction({
        chainId: 31337,
        gas: 150_000n,
        maxFeePerGas: 10_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
        ...request,
        nonce: nonce++,
      })
    const raws: Hex[] = []
    for (const program of programs.slice(index * PROGRAMS_PER_BLOCK, (index + 1) * PROGRAMS_PER_BLOCK)) {
      const to = getContractAddress({ from: account.address, nonce: BigInt(nonce) })
      raws.push(await sign({ data: deploying(program), value: 3n }))
      raws.push(await sign({ to, data: program, value: 0n }), await sign({ to, data: '0x', value: 1n }))
      // As init code, too.
      raws.push(await sign({ data: program, value: 1n }))
    }
    const seen = await observeBlock(pair(), await pair().mine(raws))
    expect(seen.blinknet).toEqual(seen.anvil)
  })
})
