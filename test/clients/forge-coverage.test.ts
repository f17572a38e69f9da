import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { recognise } from '#coverage/code-hits.ts'
import { coverSources } from '#coverage/coverage-map.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { functionHits, lineHits } from '#testing/coverage/covered.ts'
import { callLedger, compileLedger, FORGE_TEST, SOURCES } from '#testing/coverage/ledger.ts'
import { describeWith } from './support/describe-with.ts'
import { runFoundry } from './support/foundry.ts'

const SOLC = fileURLToPath(new URL('./support/solc.mjs', import.meta.url))
const CONFIGURATION = `[profile.default]
src = "src"
test = "test"
evm_version = "osaka"
solc = ${JSON.stringify(SOLC)}
offline = true
`

interface LcovFile {
  readonly lines: ReadonlyMap<number, number>
  readonly functions: ReadonlyMap<string, number>
}

function readLcov(text: string): ReadonlyMap<string, LcovFile> {
  return new Map(
    text.split('end_of_record').flatMap((record) => {
      const file = /^SF:(.*)$/m.exec(record)?.[1]
      if (file === undefined) return []
      const lines = [...record.matchAll(/^DA:(\d+),(\d+)$/gm)].map(
        ([, line, hits]) => [Number(line), Number(hits)] as const,
      )
      const functions = [...record.matchAll(/^FNDA:(\d+),(.*)$/gm)].map(
        ([, hits, name = '']) => [name, Number(hits)] as const,
      )
      const read: LcovFile = { lines: new Map(lines), functions: new Map(functions) }
      return [[file, read] as const]
    }),
  )
}

async function forgeCoverage(binary: string): Promise<ReadonlyMap<string, LcovFile>> {
  const folder = await mkdtemp(join(tmpdir(), 'blinknet-forge-coverage-'))
  try {
    for (const [name, text] of Object.entries({
      ...SOURCES,
      'test/Ledger.t.sol': FORGE_TEST,
      'foundry.toml': CONFIGURATION,
    })) {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), text)
    }
    const run = await runFoundry(binary, '', ['coverage', '--report', 'lcov'], folder)
    expect(run.code, run.errors).toBe(0)
    return readLcov(await readFile(join(folder, 'lcov.info'), 'utf8'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Lines on which functions begin: forge counts them as lines. */
function heads(text: string): ReadonlySet<number> {
  return new Set(
    text
      .split('\n')
      .flatMap((line, i) => (/^\s*(?:function|modifier|constructor|receive|fallback)\b/.test(line) ? [i + 1] : [])),
  )
}

/** Lines of clauses that catch: forge counts them as branches of the `try`. */
function clauses(text: string): ReadonlySet<number> {
  return new Set(text.split('\n').flatMap((line, i) => (/^\s*\} catch\b/.test(line) ? [i + 1] : [])))
}

describeWith('forge', 'forge coverage', (binary) => {
  test('tells the same of the same calls, but for lines that only one of them counts', async () => {
    const theirs = await forgeCoverage(binary)
    const compiled = compileLedger()
    const counts = await callLedger(compiled)
    const { hits } = recognise(counts.codes, createCodeIndex([compiled.build]))
    const { files } = coverSources([compiled.build], hits)
    expect(files.map(({ source }) => source)).toEqual([...theirs.keys()])
    const onlyOurs: string[] = []
    const onlyTheirs: string[] = []
    const differing: string[] = []
    const counted: string[] = []
    for (const file of files) {
      const their = theirs.get(file.source) ?? expect.fail('a file is in both')
      const our = lineHits(file)
      const [begin, caught] = [heads(file.content), clauses(file.content)]
      for (const [line, all] of our) {
        const other = their.lines.get(line)
        if (other === undefined) onlyOurs.push(`${file.source}:${line}`)
        else if (other > 0 !== all > 0) differing.push(`${file.source}:${line}`)
        else if (other !== all) counted.push(`${file.source}:${line} ${all}, forge ${other}`)
      }
      for (const line of their.lines.keys()) {
        if (!our.has(line) && !begin.has(line) && !caught.has(line)) onlyTheirs.push(`${file.source}:${line}`)
      }
      const names = functionHits(file)
      for (const [name, all] of their.functions) {
        const own = names[name.replace(/\.\d+$/, '')]
        if (own === undefined || own > 0 !== all > 0) differing.push(`${file.source} ${name}`)
      }
    }
    // A `continue` in an `if`, which was not taken: forge counts what leads there.
    expect(differing).toEqual(['src/Ledger.sol:81'])
    // forge leaves out functions without a contract, and `delete`.
    expect(onlyOurs).toEqual(['src/Amounts.sol:5', 'src/Ledger.sol:106'])
    expect(onlyTheirs).toEqual([])
    // forge counts a modifier in the first function alone that has it, and of a loop what it begins with.
    expect(counted).toEqual([
      'src/Ledger.sol:20 4, forge 3',
      'src/Ledger.sol:78 4, forge 2',
      'src/Ledger.sol:129 4, forge 1',
    ])
  })
})
