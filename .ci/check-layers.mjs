// Each room imports only what the table in layers.mjs allows it. Usage: check-layers.mjs [folder that holds src/]
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { violations } from './layers.mjs'

const root = path.resolve(process.argv[2] ?? '.', 'src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.split(path.sep).join('/'))
  .filter((file) => /\.tsx?$/.test(file))
  .toSorted()
if (files.length === 0) throw new Error(`no sources under ${root}: nothing was checked`)

const found = violations(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]))
for (const { file, line, message } of found) console.error(`src/${file}:${line}: ${message}`)
console.log(`layers: ${files.length} files, ${found.length} violations`)
process.exitCode = found.length === 0 ? 0 : 1
