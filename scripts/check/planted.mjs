// Checks that the lint rules work: violates each of them once in a copy of the set-up and expects a report; expects
// none for sources that follow them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A violation: the file, its source, and part of the expected report. */
const LAYER_BREACHES = [
  [
    'src/primitives/a.ts',
    `import type { Hash } from '#rpc-types/x.ts'\nexport type A = Hash`,
    'may not import src/rpc-types',
  ],
  ['src/primitives/b.ts', `import React from 'react'\nexport const b = React`, 'may not use the package react'],
  ['src/rpc-types/a.ts', `import { node } from '#node/node.ts'\nexport const a = node`, 'may not import src/node'],
  ['src/node/a.ts', `import { serve } from '#transport/x.ts'\nexport const a = serve`, 'may not import src/transport'],
  ['src/node/rpc/ui.ts', `import { app } from '#ui/app.tsx'\nexport const a = app`, 'may not import src/ui'],
  ['src/node/rpc/fs.ts', `import fs from 'node:fs'\nexport const a = fs`, 'may not use the package node:fs'],
  ['src/node/rpc/leaves.ts', `export { a } from '../../primitives/x.ts'`, 'leaves its folder'],
  [
    'src/node/tx/a.ts',
    `import type { Pool } from '../txpool/x.ts'\nexport type A = Pool`,
    'may not import src/node/txpool',
  ],
  ['src/node/state/a.ts', `export * from '../evm/x.ts'`, 'may not import src/node/evm'],
  ['src/node/payload/a.ts', `export type A = import('../storage/x.ts').Chain`, 'may not import src/node/storage'],
  [
    'src/node/crypto/a.ts',
    `import { spec } from '#node/spec/x.ts'\nexport const a = spec`,
    'may not import src/node/spec',
  ],
  [
    'src/node/rpc/wires.ts',
    `import { createNode } from '../node.ts'\nexport const a = createNode`,
    'may not import src/node/node.ts',
  ],
  [
    'src/node/rpc/facts.ts',
    `import { METHOD_FACTS } from '#rpc-types/facts.ts'\nexport const f = METHOD_FACTS`,
    'is for tables that are worked out at build',
  ],
  ['src/worker/fake.ts', `export * from '#testing/primitives/fake-clock.ts'`, 'is for tests only'],
  ['src/node/rpc/fixture.ts', `export * from '#testing/node/tx/x.ts'`, 'is for tests only'],
  ['src/ui/testing.ts', `export const a = () => import('#testing/ui/x.ts')`, 'is for tests only'],
  ['src/testing/transport/a.ts', `export * from '#node/x.ts'`, 'src/transport may not import src/node'],
  ['src/testing/nowhere/a.ts', `import '#primitives/x.ts'`, 'src/nowhere is no folder of the table'],
  ['src/client/g.test.ts', `export * from '#testing/ui/x.ts'`, 'src/client may not import src/ui'],
  ['src/node/rpc/climbs.test.ts', `export * from '../../testing/node/x.ts'`, 'leaves its folder'],
  ['src/node/nowhere/a.ts', `import '../spec/x.ts'`, 'is no folder of the table'],
  ['src/transport/a.ts', `export const a = () => import('#node/node.ts')`, 'may not import src/node'],
  ['src/compiler/a.ts', `import { app } from '#ui/app.tsx'\nexport const a = app`, 'may not import src/ui'],
  ['src/worker/a.ts', `import { app } from '#ui/app.tsx'\nexport const a = app`, 'may not import src/ui'],
  [
    'src/server/a.ts',
    `import { provider } from '#client/x.ts'\nexport const a = provider`,
    'may not import src/client',
  ],
  ['src/client/a.ts', `import { node } from '#node/node.ts'\nexport const a = node`, 'may not import src/node'],
  ['src/client/b.ts', `import { start } from '#worker/w.ts'\nexport const a = start`, 'may not import src/worker'],
  [
    'src/client/c.ts',
    `export const a = new URL('../server/main.ts', import.meta.url)`,
    'may not name a file of src/server',
  ],
  [
    'src/client/d.ts',
    `import url from '#server/main.ts?worker&url'\nexport const a = url`,
    'may not name a file of src/server',
  ],
  ['src/client/e.ts', `import { w } from '#worker/x.ts?raw'\nexport const a = w`, 'may not import src/worker'],
  ['src/ui/a.tsx', `import { node } from '#node/node.ts'\nexport const a = node`, 'may not import src/node'],
  [
    'src/ui/b.ts',
    `import { messages } from '#transport/x.ts'\nexport const a = messages`,
    'may not import src/transport',
  ],
  ['src/ui/c.ts', `import { ws } from 'ws'\nexport const a = ws`, 'may not use the package ws'],
  ['src/ui/d.ts', `import { x } from './x'\nexport const a = x`, 'must be named with its extension'],
  ['src/ui/own/e.ts', `import { x } from '../x.ts'\nexport const a = x`, 'climbs; write #ui/x.ts'],
  ['src/elsewhere/a.ts', `import '#primitives/x.ts'`, 'is no folder of the table'],
  ['src/engine/b.ts', `import type { A } from './b.ts'\nexport type B = A`, 'a circle of imports: engine/b.ts'],
  ['src/client/f.ts', `import type { Z } from './z.ts'\nexport type F = Z`, 'a circle of imports: client/'],
  ['src/ui/own/p/a.ts', `import type { B } from '#ui/own/q/b.ts'\nexport type A = B`, 'a circle of folders: ui/'],
  ['src/ui/nowhere/a.ts', `import '#ui/page/x.ts'`, 'src/ui/nowhere is no folder of the table'],
  ['src/ui/page/a.ts', `import { own } from '#ui/own/x.ts'\nexport const a = own`, 'may not import src/ui/own'],
  [
    'src/ui/screens/a.ts',
    `import type { shell } from '#ui/shell/x.ts'\nexport type A = typeof shell`,
    'may not import src/ui/shell',
  ],
  ['src/ui/shell/a.tsx', `import { App } from '#ui/app.tsx'\nexport const a = App`, 'may not import src/ui/app.tsx'],
]

/** Sources that the table allows. */
const LAYER_KEPT = [
  ['src/primitives/x.ts', `export const x = 1`],
  ['src/rpc-types/x.ts', `import { x } from '#primitives/x.ts'\nexport const y = x`],
  ['src/node/node.ts', `import { r } from './rpc/x.ts'\nexport const node = r`],
  [
    'src/node/rpc/x.ts',
    `import { s } from '../sequencer/x.ts'\nimport { y } from '#rpc-types/x.ts'\nexport const r = [s, y]`,
  ],
  [
    'src/node/rpc/x.test.ts',
    `import { node } from '../node.ts'\nimport fc from 'fast-check'\nexport const t = [node, fc]`,
  ],
  [
    'src/testing/node/x.ts',
    `import { node } from '#node/node.ts'\nimport fc from 'fast-check'\nexport const t = [node, fc]`,
  ],
  ['src/rpc-types/facts.ts', `export const METHOD_FACTS = {}`],
  ['src/client/facts.derived.ts', `import { METHOD_FACTS } from '#rpc-types/facts.ts'\nexport const f = METHOD_FACTS`],
  [
    'src/client/facts.ts',
    `import type { METHOD_FACTS } from '#rpc-types/facts.ts'\nexport type F = typeof METHOD_FACTS`,
  ],
  ['src/client/x.test.ts', `import { t } from '#testing/transport/x.ts'\nexport const u = t`],
  ['src/node/evm/x.ts', `import { EVM } from '@ethereumjs/evm'\nexport const e = EVM`],
  ['src/worker/x.ts', `import { node } from '#node/node.ts'\nexport const w = node`],
  [
    'src/server/x.ts',
    `import http from 'node:http'\nimport { WebSocketServer } from 'ws'\nexport const s = [http, WebSocketServer]`,
  ],
  ['src/client/x.ts', `export const url = new URL('../worker/x.ts', import.meta.url)`],
  ['src/client/z.ts', `import type { F } from './f.ts'\nexport type Z = F`],
  ['src/ui/own/p/d.ts', `export type D = 1`],
  ['src/ui/own/q/b.ts', `export type B = 1`],
  ['src/ui/own/q/c.ts', `import type { D } from '#ui/own/p/d.ts'\nexport type C = D`],
  ['src/ui/screens/b.tsx', `import { own } from '#ui/own/x.ts'\nimport './b.css'\nexport const b = own`],
  ['src/ui/main.tsx', `import { App } from './app.tsx'\nexport const main = App`],
  ['src/client/y.ts', `import url from '#worker/x.ts?worker&url'\nexport const a = url`],
  [
    'src/ui/x.tsx',
    `import './x.css'\nimport { url } from '#client/x.ts'\nimport { useState } from 'react'\nexport const u = [url, useState]`,
  ],
]

/** A violation of a lint rule: the file, its source, the rule. */
const LINT_BREACHES = [
  [
    'src/ui/floating.ts',
    `async function f(): Promise<void> {}\nexport function g(): void {\n  f()\n}`,
    'no-floating-promises',
  ],
  ['src/ui/misused.ts', `export const on = (f: () => void): void => f()\non(async () => {})`, 'no-misused-promises'],
  ['src/ui/thenable.ts', `export const f = async (): Promise<number> => await 1`, 'await-thenable'],
  [
    'src/ui/switch.ts',
    `export function f(kind: 'a' | 'b'): number {\n  switch (kind) {\n    case 'a':\n      return 1\n  }\n  return 0\n}`,
    'switch-exhaustiveness-check',
  ],
  ['src/ui/any.ts', `export const f = (x: any): unknown => x`, 'no-explicit-any'],
  ['src/ui/unsafe.ts', `export const f = (text: string): string => JSON.parse(text).name`, 'no-unsafe-'],
  ['src/ui/default.ts', `export default 1`, 'no-default-export'],
  ['src/ui/barrel.ts', `export * from './any.ts'`, 'no-barrel-file'],
  ['src/ui/throw.ts', `export function f(): never {\n  throw 'no'\n}`, 'only-throw-error'],
  ['src/ui/swallow.ts', `export function f(g: () => void): void {\n  try {\n    g()\n  } catch {}\n}`, 'no-empty'],
  ['src/ui/console.ts', `console.log(1)`, 'no-console'],
  [
    'src/ui/hooks.ts',
    `import { useState } from 'react'\nexport function useX(a: boolean): void {\n  if (a) useState(1)\n}`,
    'rules-of-hooks',
  ],
  ['src/ui/alt.tsx', `export const Picture = () => <img src="/a.png" />`, 'alt-text'],
  ['src/ui/cycle-a.ts', `import { b } from './cycle-b.ts'\nexport const a = (): unknown => b`, 'no-cycle'],
  ['src/ui/cycle-b.ts', `import { a } from './cycle-a.ts'\nexport const b = (): unknown => a`, 'no-cycle'],
  ['src/ui/unused.ts', `// oxlint-disable-next-line no-console\nexport const a = 1`, 'Unused'],
  ['src/node/spec/date.ts', `export const now = (): number => Date.now()`, 'no-restricted-globals'],
  ['src/node/spec/random.ts', `export const dice = (): number => Math.random()`, 'no-restricted-properties'],
  [
    'src/ui/only.test.ts',
    `import { expect, test } from 'vitest'\ntest.only('x', () => {\n  expect(1).toBe(1)\n})`,
    'no-focused-tests',
  ],
  [
    'src/ui/skip.test.ts',
    `import { expect, test } from 'vitest'\ntest.skip('x', () => {\n  expect(1).toBe(1)\n})`,
    'no-disabled-tests',
  ],
  ['src/ui/nothing.test.ts', `import { test } from 'vitest'\ntest('x', () => {})`, 'expect-expect'],
]

const LINT_KEPT = [
  ['src/worker/console.ts', `console.log('the worker logs')`],
  ['a.config.ts', `export default {}`],
  ['scripts/build/a.config.ts', `export default {}`],
  [
    'src/ui/handled.ts',
    `async function f(): Promise<void> {}\nexport async function g(): Promise<void> {\n  await f()\n}`,
  ],
]

/** Too long, with a glossary that is too long and in disorder. */
const LONG_ARCHITECTURE = [
  '# Architecture',
  'word '.repeat(2_500),
  '## Glossary',
  '| word | means |',
  '|---|---|',
  ...Array.from({ length: 40 }, (_, index) => `| w${100 + index} | this |`),
  '| w100 | that |',
].join('\n')

/** A violation of how names, comments and titles are: the file, its source, and part of the expected report. */
const NAME_BREACHES = [
  ['src/node/twice.ts', `export interface Known { readonly a: 1 }`, 'exports a type Known as well'],
  ['src/node/listed.ts', `interface Known { readonly a: 2 }\nexport type { Known }`, 'exports a type Known as well'],
  ['src/node/renamed.ts', `export type { Other as Known } from './other.ts'`, 'exports a type Known as well'],
  ['src/testing/node/known.ts', `export class Known {}`, 'exports a type Known as well'],
  ['src/ui/known.tsx', `export type Known = 1`, 'exports a type Known as well'],
  ['e2e/twice.ts', `export type Driven = 2`, 'exports a type Driven as well'],
  ['src/node/points.ts', `/** Those of the block. */\nexport const a = 1`, 'a comment begins with “Those”'],
  ['src/ui/points.tsx', `export const A = () => <p>{/* Its text. */}</p>`, 'a comment begins with “Its”'],
  ['src/ui/points.module.css', `.a {\n  /* Of the bar. */\n  width: 1px;\n}`, 'a comment begins with “Of”'],
  [
    'src/ui/wide.module.css',
    `@media (width <= 820px) {\n  .a {\n    margin: 0;\n  }\n}`,
    'does not follow the size of text',
  ],
  ['src/engine/assembly/points.ts', `/** Its gas. */\n@inline function gas(): i64 { return 1 }`, 'begins with “Its”'],
  ['scripts/points.mjs', `// Both are read.\nexport const a = 1`, 'a comment begins with “Both”'],
  ['bench/points.mjs', `// Likewise.\nexport const a = 1`, 'a comment begins with “Likewise”'],
  ['examples/dapp/points.js', `// They wait.\nexport const a = 1`, 'a comment begins with “They”'],
  ['points.config.ts', `// The same.\nexport const a = 1`, 'a comment begins with “The same”'],
  ['src/node/long.ts', '\n'.repeat(401), 'its top does not say why'],
  ['src/node/state/fork.ts', `export const forkedAt = { fork: 1 }`, '“fork” has another meaning'],
  [
    'src/engine/undo.ts',
    `export class A { #journal = 1; b() { return this.#journal } }`,
    '“journal” has another meaning',
  ],
  ['src/node/rpc/feed.ts', `export interface OpenFeed { readonly a: 1 }`, '“OpenFeed” has another meaning'],
  ['src/ui/feed/stage.ts', `export const a = (tx: { stage: 1 }) => tx.stage`, '“stage” has another meaning'],
  ['src/node/timed.ts', `// To hash it takes 30 ms.\nexport const a = 1`, 'a comment tells a timing'],
  ['src/node/numbered.ts', `// A call is refused (A6).\nexport const a = 1`, 'a comment has (A6)'],
  ['src/node/points.test.ts', `// It fails.\nexport const a = 1`, 'a comment begins with “It”'],
  ['src/node/tracked.test.ts', `test('a block is sealed (A6)', () => {})`, 'a title ends with (A6)'],
  ['src/node/began.test.ts', `describe('A17, B9: a block', () => {})`, 'a title begins with A17, B9:'],
  ['e2e/tracked.spec.ts', `test.step('a block is sealed (15, 19)', () => {})`, 'a title ends with (15, 19)'],
  ['src/ui/tracked.test.ts', 'test.each([1])(`%s is sealed (20)`, () => {})', 'a title ends with (20)'],
  ['e2e/shared.ts', `export const shared = () => test('a block is sealed (B12)', () => {})`, 'a title ends with (B12)'],
  ['src/node/limit.test.ts', `test('a block is sealed', () => {}, 60_000)`, 'a limit of 60000 ms'],
  ['src/node/options.test.ts', `test.each([1])('%s', { timeout: 9_000 }, () => {})`, 'a limit of 9000 ms'],
  ['test/clients/hook.test.ts', `beforeAll(async () => {}, 120_000)`, 'a limit of 120000 ms'],
]

/** Names, comments and titles as they should be. */
const NAME_KEPT = [
  ['src/node/known.ts', `/** Known to all. */\nexport interface Known { readonly b: 1 }`],
  ['e2e/driven.ts', `export type Driven = 1`],
  ['src/node/other.ts', `export type { Known } from './known.ts'\nexport type Other = 1`],
  ['src/node/told.ts', `// Longer than most files, as it is planted.${'\n'.repeat(401)}`],
  ['src/node/fork/a.ts', `export const fork = { journal: 1 }`],
  ['src/ui/screens/stage/a.tsx', `export const Stage = () => null`],
  ['src/ui/wide.css', `@media (width <= 50rem) {\n  .a {\n    margin: 8px;\n  }\n}`],
  ['src/node/later.ts', `// So that nothing waits longer than 200 ms.\nexport const a = 1`],
  ['src/node/lines.ts', `// A comment\n// It goes on in the second line.\nexport const a = 1`],
  ['src/node/long.test.ts', `test('a block is sealed', { timeout: 7_200_000 }, () => {})`],
  ['src/node/value.test.ts', `test('a list is told', () => expect(text).toBe('0x1 (1)'))`],
]

/** A violation of what the documents keep to: the file, its source, and part of the expected report. */
/** A script of the page that may not come, and that nobody misses. */
const LOAD_BREACHES = [
  ['src/ui/a.ts', `void import('./x.ts').then(({ x }) => x())`, 'src/ui/a.ts:1: nothing handles it'],
  [
    'src/ui/b.ts',
    `const load = () => import('./x.ts')\nexport const b = () => void load().then(({ x }) => x())`,
    'b.ts:2: ',
  ],
  ['src/ui/c.ts', `async function c() {\n  const { x } = await import('./x.ts')\n  x()\n}\nvoid c()`, 'c.ts:5: '],
  ['src/ui/d.ts', `import { load } from './kept.ts'\nexport const d = () => void load()`, 'd.ts:2: '],
  ['src/ui/e.ts', `let e\nexport function f() {\n  e ??= import('./x.ts')\n}`, 'e.ts:3: '],
  ['src/ui/f.ts', `void Promise.all([import('./x.ts')]).then(([{ x }]) => x())`, 'f.ts:1: '],
  [
    'src/ui/g.tsx',
    `export const g = <p onClick={() => void (async () => (await import('./x.ts')).x())()} />`,
    'g.tsx:1: ',
  ],
  [
    'src/ui/h.tsx',
    `const H = lazy(async () => ({ default: (await import('./x.ts')).X }))\nexport const h = <Suspense fallback={null}><H /></Suspense>`,
    'h.tsx:1: a lazy part',
  ],
]

const LOAD_KEPT = [
  ['src/ui/x.ts', `export const x = () => {}`],
  ['src/ui/kept.ts', `export const load = async () => (await import('./x.ts')).x()`],
  [
    'src/ui/handled.ts',
    `import { load } from './kept.ts'
let kept
export function all() {
  void import('./x.ts').then(({ x }) => x(), () => {})
  void load().catch(console.error)
  kept ??= load()
  return kept
}
async function tried() {
  try {
    await load()
  } catch {}
}
void tried()`,
  ],
]

const DOCUMENT_BREACHES = [
  ['docs/link.md', `[x](nowhere.md)`, 'there is no docs/nowhere.md'],
  ['docs/picture.md', `![x](nowhere.png)`, 'there is no docs/nowhere.png'],
  ['docs/heading.md', `[x](good.md#nothing)`, 'docs/good.md has no heading #nothing'],
  ['docs/file.md', 'Its file is `src/nowhere.ts`.', 'there is no src/nowhere.ts'],
  ['docs/table.md', `| a | b |\n|---|---|\n| c |`, 'not as many cells'],
  ['docs/placeholder.md', 'Measured:\n\nTABLE\n', '“TABLE” was to be replaced'],
  ['docs/alone.md', `# Alone`, 'no other document leads here'],
  ['src/ui/comment.ts', `// See docs/gone.md.`, 'there is no docs/gone.md'],
  ['src/ui/anchor.ts', `// See docs/good.md#gone.`, 'docs/good.md has no heading #gone'],
  ['ARCHITECTURE.md', LONG_ARCHITECTURE, '2500 at most'],
  ['ARCHITECTURE.md', LONG_ARCHITECTURE, '40 at most'],
  ['ARCHITECTURE.md', LONG_ARCHITECTURE, '“w100” stands after “w139”'],
]

const DOCUMENT_KEPT = [
  ['README.md', `[good](docs/good.md#as-it-is-a--b), [a site](https://a.example/b.md), ![p](p.png)`],
  ['p.png', ''],
  [
    'docs/good.md',
    '## As it is: `a` | b\n\nIn `src/ui/good.ts`; [here](#as-it-is-a--b), [and above](../README.md).\n\n```\n[x](nowhere.md)\n```\n\n| `a\\|b` |\n|---|\n| c |',
  ],
  ['src/ui/good.ts', `// See docs/good.md#as-it-is-a--b.`],
]

const BAD_WORKFLOW = `jobs:
  a:
    strategy: { matrix: { node: ['18'] } }
    steps:
      - uses: somebody/else@v1
      - run: npm run nothing
      - run: node scripts/nothing.mjs
      - run: echo \${{ github.event.issue.title }}`

const BAD_DOCKERFILE = 'FROM node AS build\nCOPY secret ./\nCMD node main.js'

/** A violation of what is checked of files that GitHub and Docker read. */
const WORKFLOW_BREACHES = [
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'no `permissions`'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'without `timeout-minutes`'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'somebody/else@v1 is no action'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'no script nothing'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'there is no scripts/nothing.mjs'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'values come by `env`'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'Node.js 18 is not in `engines`'],
  ['.github/workflows/ci.yml', BAD_WORKFLOW, 'no job runs Node.js 20.19'],
  ['.github/ISSUE_TEMPLATE/a.yml', `a: [1`, 'a.yml: '],
  ['.github/SECURITY.md', `https://github.com/somebody/blinknet`, 'its owner is somebody'],
  ['Dockerfile', BAD_DOCKERFILE, 'secret is ignored'],
  ['Dockerfile', BAD_DOCKERFILE, 'CMD is no list'],
  ['Dockerfile', BAD_DOCKERFILE, 'it has no USER'],
  ['.dockerignore', '*\n!gone', 'there is no gone'],
]

const WORKFLOW_KEPT = [
  [
    'package.json',
    `{ "engines": { "node": "^20.19 || >=22.3" }, "scripts": { "build": "" }, "repository": { "url": "git+https://github.com/a/blinknet.git" } }`,
  ],
  [
    '.github/workflows/good.yml',
    `permissions: {}\njobs:\n  a:\n    timeout-minutes: 1\n    steps:\n      - uses: actions/checkout@v5\n      - run: npm run build`,
  ],
  ['README.md', `https://github.com/a/blinknet/issues`],
  ['CONTRIBUTING.md', ''],
  ['examples/docker/compose.yaml', 'services: {}'],
]

const repository = path.resolve(import.meta.dirname, '../..')
/** @type {string[]} */
const wrong = []

/**
 * Writes the sources, runs the check and compares its report.
 *
 * @param {readonly (readonly string[])[]} breaches
 * @param {readonly (readonly string[])[]} kept
 * @param {(folder: string) => { status: number | null, output: string }} check - Its output has one line per finding.
 */
function expectFindings(breaches, kept, check) {
  const folder = mkdtempSync(path.join(tmpdir(), 'blinknet-planted-'))
  try {
    for (const file of ['.oxlintrc.jsonc', 'ARCHITECTURE.md', 'tsconfig/base.json']) {
      cpSync(path.join(repository, file), path.join(folder, file))
    }
    const compilerOptions = { jsx: 'react-jsx', lib: ['ES2023', 'DOM'], types: [] }
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: './tsconfig/base.json', compilerOptions, include: ['src', '**/*.config.ts'] }),
    )
    symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
    for (const [file = '', source = ''] of [...breaches, ...kept]) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true })
      writeFileSync(path.join(folder, file), `${source}\n`)
    }
    const { status, output } = check(folder)
    if (status !== 1) wrong.push(`exit code ${status} in spite of planted breaches:\n${output}`)
    const lines = output.split('\n')
    for (const [file = '', , words = ''] of breaches) {
      if (!lines.some((line) => line.includes(file) && line.includes(words)))
        wrong.push(`not reported: ${file} (${words})`)
    }
    for (const [file = ''] of kept) {
      const line = lines.find((text) => text.includes(`${file}:`))
      if (line) wrong.push(`reported, though it is allowed: ${line}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs one of the checks of this folder on another one. @param {string} name */
const byCheck = (name) => (/** @type {string} */ folder) => {
  const script = path.join(repository, 'scripts/check', name)
  const { status, stdout, stderr } = spawnSync('node', [script, folder], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

expectFindings(LAYER_BREACHES, LAYER_KEPT, byCheck('layers.mjs'))
expectFindings(NAME_BREACHES, NAME_KEPT, byCheck('names.mjs'))
expectFindings(LOAD_BREACHES, LOAD_KEPT, byCheck('loads.mjs'))
expectFindings(DOCUMENT_BREACHES, DOCUMENT_KEPT, byCheck('documents.mjs'))
expectFindings(WORKFLOW_BREACHES, WORKFLOW_KEPT, byCheck('workflows.mjs'))
expectFindings(LINT_BREACHES, LINT_KEPT, (folder) => {
  const { status, stdout, stderr } = spawnSync('npx', ['oxlint', '--format', 'unix'], { cwd: folder, encoding: 'utf8' })
  return { status, output: stdout + stderr }
})

for (const line of wrong) console.error(line)
const planted = [
  LAYER_BREACHES,
  NAME_BREACHES,
  LOAD_BREACHES,
  DOCUMENT_BREACHES,
  WORKFLOW_BREACHES,
  LINT_BREACHES,
].flat().length
console.log(`planted: ${planted} breaches, ${wrong.length} surprises`)
process.exitCode = wrong.length === 0 ? 0 : 1
