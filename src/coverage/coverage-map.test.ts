import { readFileSync } from 'node:fs'
import { encodeDeployData, encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { ExecutedCode } from '#node/evm/coverage/executed-code.ts'
import { createChain } from '#library/chain.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { recognise } from './code-hits.ts'
import { coverSources } from './coverage-map.ts'

test('x', async () => {
  const read = (n: string) => readFileSync(`src/testing/coverage/contracts/${n}`, 'utf8')
  const compiled = compileStandard({ 'src/Ledger.sol': read('Ledger.sol'), 'src/Amounts.sol': read('Amounts.sol') })
  const build = readStandardJson(compiled)
  const { abi, evm } = compiled.output.contracts['src/Ledger.sol']!['Ledger']!
  const executed = new ExecutedCode()
  const chain = await createChain({ clock: 'manual', executed } as never)
  const [from] = (await chain.request({ method: 'eth_accounts' })) as string[]
  const send = async (to: string | undefined, data: string, value = 0n) => {
    const hash = await chain.request({ method: 'eth_sendTransaction', params: [{ from, to, data, value: `0x${value.toString(16)}`, gas: '0x5b8d80' }] as never })
    await chain.tick()
    return (await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] as never })) as any
  }
  const call = (to: string, data: string) => chain.request({ method: 'eth_call', params: [{ from, to, data }, 'pending'] as never })
  const { contractAddress: to } = await send(undefined, encodeDeployData({ abi: abi as never, bytecode: `0x${evm.bytecode.object}`, args: [5n] as never }))
  const f = (functionName: string, args: unknown[] = []) => encodeFunctionData({ abi: abi as never, functionName: functionName as never, args: args as never })
  await send(to, f('pay'), 20n)
  await send(to, '0x', 5000n)
  await send(to, f('pay'))
  await call(to, f('sum', [2n]))
  await call(to, f('sum', [20n]))
  await call(to, f('grade', [5000n]))
  await call(to, f('grade', [5n]))
  await send(to, f('close', [from]))
  await call(to, f('tryGrade', [to, 200n]))
  await call(to, f('mix', [7n, 3n]))
  await send(to, f('spawn'))
  await chain.close()
  const counts = executed.take()
  const { hits, unknown } = recognise(counts.codes, createCodeIndex([build]))
  const { files } = coverSources([build], hits)
  console.log(unknown, JSON.stringify(counts.gas))
  for (const { data, content, ...rest } of files) {
    console.log(data.path, JSON.stringify(rest))
    const lines = new Map<number, number>()
    for (const [id, { start }] of Object.entries(data.statementMap)) lines.set(start.line, Math.max(lines.get(start.line) ?? 0, data.s[id]!))
    console.log([...lines].sort((a, b) => a[0] - b[0]).map(([l, n]) => `DA:${l},${n}`).join(' '))
    console.log(Object.entries(data.fnMap).map(([id, { name }]) => `${name}=${data.f[id]}`).join(' '))
    console.log(Object.entries(data.branchMap).map(([id, { line, type }]) => `${line}:${type}=${data.b[id]}`).join(' '))
  }
  expect(1).toBe(1)
})
