import { readdirSync } from 'node:fs'
import path from 'node:path'
import calls from '#testing/solidity/contracts/look-alikes/calls.json' with { type: 'json' }
import { contractText, marksOf } from '#testing/solidity/scenarios.ts'
import type { LookAlikes } from './generate.ts'

const FOLDER = path.join(import.meta.dirname, '../contracts/look-alikes')

/** A source whose right lines are marked by hand, with its calls; all of them fail. */
export interface ByHand extends LookAlikes {
  readonly file: string
  /** For each call, the right lines, innermost first. */
  readonly right: readonly (readonly number[])[]
}

/** The contracts beside `calls.json`. */
export function byHand(): ByHand[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sol'))
  return files.map((file) => {
    const { deployed, calls: steps } = (calls as Readonly<Record<string, (typeof calls)['super.sol']>>)[file] ?? {}
    if (!deployed || !steps) throw new Error(`calls.json has nothing for ${file}`)
    const text = contractText(`look-alikes/${file}`)
    const marks = marksOf(text)
    const linesOf = (name: string) => {
      const lines: number[] = []
      for (let i = 0; ; i++) {
        const line = marks.get(i === 0 ? name : `${name}#${i}`)
        if (line === undefined) return lines
        lines.push(line)
      }
    }
    return {
      file,
      text,
      deployed: deployed.map((name) => ({ name, args: [] })),
      calls: steps.map(({ contract, call, args }) => ({ contract, call, args })),
      right: steps.map(({ name }) => linesOf(name)),
    }
  })
}
