import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { parseTrace } from '#solidity/trace/parsed-trace.ts'
import { createFrameCodes } from '#solidity/stack/traced-code.ts'
import { FORMS } from './forms.ts'
import { LOG, mergedIn } from '#solidity/stack/merged-log.ts'
const [seed, variant, form] = process.env['Q']!.split('|')
test('dbg', () => {
  const read = JSON.parse(gunzipSync(readFileSync(`/tmp/corpus/${seed}-${variant}.gz`)).toString())
  const build = (FORMS as any)[form!](readStandardJson(read.json))
  const trace = { ...read.traces[0], codes: read.codes }
  const index = createCodeIndex([build])
  const parsed = parseTrace(trace)
  const code = createFrameCodes(parsed, index)(0)!
  const show = (p: any) => p ? `${p.callable?.contract?.name}.${p.callable?.name}:${p.source.text.lineAt(p.start)} \`${p.source.text.slice(p.start, Math.min(p.end, p.start + 70)).replaceAll(/\s+/g, ' ')}\`` : '-'
  LOG.length = 0
  const merged = mergedIn(code)
  console.log('merged instrs', merged.reduce((a, b) => a + b, 0), 'of', merged.length)
  const m = code.mapped!
  const raw = (i: number) => code.placeOf(i) ? show(code.placeOf(i)) : `raw ${m.files[i]}:${m.starts[i]}:${m.lengths[i]} `
  for (const { into, start, bad } of LOG) {
    console.log('BLOCK pc', m.pcs[start], raw(start), [...code.entries.get(m.pcs[start]!) ?? []].map((e) => e.name).join())
    for (const r of into) console.log('     ', bad.includes(r) ? 'BAD' : 'ok ', r.push === undefined ? 'falls in' : 'pc ' + m.pcs[r.push] + ' ' + raw(r.push) + ' -' + '-io'[m.jumps[r.push + 1]!])
  }
})
