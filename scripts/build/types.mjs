// Writes the package's types to `dist/types`: the compiler's declarations that the entries need, with imports that also
// resolve outside this project.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const EMITTED = '.cache/types'
const OUT = 'dist/types'
const ENTRIES = [
  'library/index.d.ts',
  'library/fates.d.ts',
  'hardhat/index.d.ts',
  'playwright/index.d.ts',
  'expect/index.d.ts',
  'browser/index.d.ts',
  'coverage/reporters/playwright-reporter.d.ts',
  'coverage/reporters/vitest-reporter.d.ts',
]
/** A module of this project in an import, or in an `import()` type. */
const SPECIFIER = /(?<=(?:from|import)\s*\(?\s*['"])[#.][^'"]+/g

rmSync(EMITTED, { recursive: true, force: true })
rmSync(OUT, { recursive: true, force: true })
const { status } = spawnSync('npx', ['tsc', '--project', 'tsconfig/types.json', '--noCheck'], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const waiting = [...ENTRIES]
const seen = new Set(ENTRIES)
for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
  const from = path.dirname(file)
  const text = readFileSync(path.join(EMITTED, file), 'utf8').replace(SPECIFIER, (name) => {
    const target = name.startsWith('#') ? name.slice(1) : path.join(from, name)
    const declaration = target.replace(/\.ts$/, '.d.ts')
    if (!seen.has(declaration)) {
      seen.add(declaration)
      waiting.push(declaration)
    }
    const relative = path.relative(from, target.replace(/\.ts$/, '.js')).split(path.sep).join('/')
    return relative.startsWith('.') ? relative : `./${relative}`
  })
  const out = path.join(OUT, file)
  mkdirSync(path.dirname(out), { recursive: true })
  writeFileSync(out, text)
}
console.log(`types: ${seen.size} files in ${OUT}`)
