import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { test } from 'vitest'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { explainFailure } from '#solidity/stack/explain-failure.ts'
import { VARIANTS } from '../scenarios.ts'
import { compileStandard } from '../solc.ts'
import { compareStacks } from './compare.ts'
import { FORMS } from './forms.ts'
import { lookAlikes } from './generate.ts'
import { playCalls } from './play.ts'
const CORPUS = process.env['CORPUS'] ?? '/tmp/corpus'
const [FROM, TO] = (process.env['SEEDS'] ?? '1..20').split('..').map(Number)
const SHOW = Number(process.env['SHOW'] ?? 0)
const ONLY = process.env['ONLY']
test('dev', async () => {
  mkdirSync(CORPUS, { recursive: true })
  const sums = new Map<string, any>()
  let failedCalls = 0, plainOk = 0, otherData = 0
  let out = ''
  const whys = new Map<string, number>()
  for (let seed = FROM!; seed <= TO!; seed++) {
    const given = JSON.parse(readFileSync('src/testing/solidity/look-alikes/contracts/calls.json', 'utf8'))
    const file = Object.keys(given)[-seed]
    const source: any = seed > 0 ? lookAlikes(seed) : { text: readFileSync('src/testing/solidity/look-alikes/contracts/' + file, 'utf8'), deployed: given[file!].deployed.map((name: string) => ({ name, args: [] })), calls: given[file!].calls.map((c: any) => ({ ...c, args: c.args })) }
    const played: any = {}
    for (const [variant, settings] of Object.entries(VARIANTS)) {
      const file = `${CORPUS}/${seed}-${variant}.gz`
      if (!existsSync(file)) {
        const json = compileStandard({ 'L.sol': source.text }, settings)
        const traces = await playCalls(source, json)
        const codes = Object.assign({}, ...traces.map((t) => t.codes))
        writeFileSync(file, gzipSync(JSON.stringify({ text: source.text, json, codes, traces: traces.map((t) => ({ ...t, codes: undefined })) }), { level: 1 }))
      }
      const read = JSON.parse(gunzipSync(readFileSync(file)).toString())
      if (read.text !== source.text) throw new Error('stale corpus ' + file)
      played[variant] = { build: readStandardJson(read.json), traces: read.traces.map((t: any) => ({ ...t, codes: read.codes })) }
    }
    const plainIndex = createCodeIndex([played.plain.build])
    const truth = played.plain.traces.map((t: any) => { try { return explainFailure(t, plainIndex) } catch (e) { console.log(e); return undefined } })
    const texts = source.text.split('\n')
    for (const [variant, { build, traces }] of Object.entries(played) as any) {
      for (const [form, change] of Object.entries(FORMS)) {
        const key = `${variant} / ${form}`
        if (ONLY && !key.includes(ONLY)) continue
        const index = createCodeIndex([change(build)])
        const sum = sums.get(key) ?? { right: 0, 'wrong line': 0, 'wrong name': 0, lines: 0, told: 0, shortened: 0, inner: 0, innerTold: 0 }
        sums.set(key, sum)
        for (let i = 0; i < traces.length; i++) {
          const right = truth[i]
          const t = traces[i]
          if (variant === 'plain' && form === 'everything') { plainOk++; if (right) failedCalls++ }
          if (!right || t.frames[0].error !== played.plain.traces[i].frames[0].error || t.frames[0].output !== played.plain.traces[i].frames[0].output) { if (right) otherData++; continue }
          if (/out of gas/.test(right.failure.message)) continue
          ;(globalThis as any).WHY = []
          const told = explainFailure(t, index)!
          if (told.frames[0]?.line === undefined) { const w = key + ' ' + told.failure.kind + ': ' + (globalThis as any).WHY.at(-1); whys.set(w, (whys.get(w) ?? 0) + 1) }
          const c = compareStacks(told.frames, right.frames)
          sum[c.verdict]++
          sum.lines += c.lines; sum.told += c.told
          sum.inner += right.frames[0]?.line === undefined ? 0 : 1
          sum.innerTold += told.frames[0]?.line === undefined ? 0 : 1
          if (c.isShortened) sum.shortened++
          if (c.verdict !== 'right' && variant !== 'plain' || (c.verdict !== 'right' && SHOW > 1000)) {
            const call = source.calls[i]!
            const line = (f: any) => `${f.contract}.${f.function || f.kind}${f.line ? ':' + f.line + ' `' + texts[f.line - 1]!.trim() + '`' : ' ?'}`
            out += `${key} seed ${seed} call ${i} ${call.contract}.${call.call}(${call.args}) ${c.verdict} ${right.failure.message}\n   told  ${told.frames.map(line).join(' < ')}\n   right ${right.frames.map(line).join(' < ')}\n`
          }
        }
      }
    }
  }
  writeFileSync(process.env['WRONG'] ?? '/tmp/wrong.txt', out)
  const rows = [...sums].map(([k, s]) => `${k.padEnd(42)} right ${s.right} line ${s['wrong line']} name ${s['wrong name']} told ${(100 * s.told / s.lines).toFixed(1)} inner ${(100 * s.innerTold / s.inner).toFixed(1)} short ${s.shortened}`)
  if (process.env['WHYS']) console.log([...whys].sort((a, b) => b[1] - a[1]).slice(0, 60).map(([k, n]) => n + ' ' + k).join('\n'))
  console.log(`failed ${failedCalls} of ${plainOk}, other data ${otherData}\n` + rows.join('\n'))
}, 3_600_000)
