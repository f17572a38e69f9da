import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { test } from 'vitest'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { explainFailure } from '#solidity/stack/explain-failure.ts'
import { describeFrame } from '#solidity/stack/stack-frame.ts'
import { parseTrace } from '#solidity/trace/parsed-trace.ts'
import { createFrameCodes } from '#solidity/stack/traced-code.ts'
import { internalCallsAt } from '#solidity/stack/internal-calls.ts'
import { FORMS } from './forms.ts'
const [seed, variant, form, call, frame = '0', tail = '60'] = process.env['Q']!.split('|')
test('dbg', () => {
  const read = JSON.parse(gunzipSync(readFileSync(`/tmp/corpus/${seed}-${variant}.gz`)).toString())
  const build = (FORMS as any)[form!](readStandardJson(read.json))
  const trace = { ...read.traces[Number(call)], codes: read.codes }
  const index = createCodeIndex([build])
  const lines = read.text.split('\n')
  console.log(explainFailure(trace, index)?.frames.map(describeFrame))
  const parsed = parseTrace(trace)
  const codeOf = createFrameCodes(parsed, index)
  const f = Number(frame)
  const code = codeOf(f)!
  const last = trace.frames[f].endStep - 1
  const show = (p: any) => p ? `${p.callable?.contract?.name}.${p.callable?.name}:${p.source.text.lineAt(p.start)} \`${p.source.text.slice(p.start, Math.min(p.end, p.start + 70)).replaceAll(/\s+/g, ' ')}\`` : '-'
  const name = (pc: number) => [...code.entries.get(pc) ?? []].map((e) => e.name).join()
  for (const c of internalCallsAt(parsed, f, code, last)) console.log('CALL step', c.step, 'site pc', code.mapped!.pcs[c.site], show(code.placeOf(c.site)), '-> pc', code.mapped!.pcs[c.target], name(code.mapped!.pcs[c.target]!), show(code.placeOf(c.target)))
  let before = ''
  for (const { start, end } of parsed.segmentsOf(f)) for (let s = Math.max(start, last - Number(tail)); s < end; s++) {
    const pc = parsed.pcs[s]!
    const i = code.mapped!.at[pc]!
    const op = code.bytes[pc]!
    const text = show(code.placeOf(i)) + (code.mapped!.jumps[i] ? ' ' + '-io'[code.mapped!.jumps[i]!] : '')
    console.log(s, pc, op.toString(16), [0x56, 0x57, 0x5b, 0xfd].includes(op) ? ({ 86: 'JUMP', 87: 'JUMPI', 91: 'JUMPDEST', 253: 'REVERT' } as any)[op] : '', name(pc), text === before ? '"' : text)
    before = text
  }
})
