// Checks the types of the TypeScript in the documents, as a reader copies it into a strict project that has the package: each
// block imports what it takes from packages, and leaves open only what is named here.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const DOCUMENTS = ['README.md', ...readdirSync('docs').map((name) => `docs/${name}`)].filter((name) =>
  name.endsWith('.md'),
)
const BLOCK = /^```ts\n([\s\S]*?)^```$/gm
/** A name that a block uses and does not have; the shorthand of a property, too. */
const MISSING =
  /^blocks\/(\S+?)\(.*error TS\d+: (?:Cannot find name '(\w+)'|No value exists in scope for the shorthand property '(\w+)')/

/** @param {string} type */
const fixture = (type) => `import('blinknet/playwright').${type}`
/** What a block may leave open, and its type: what the text around it has introduced, and what is the reader's own. */
const GIVEN = /** @type {Readonly<Record<string, string>>} */ ({
  test: `typeof ${fixture('test')}`,
  expect: `typeof ${fixture('expect')}`,
  page: "import('@playwright/test').Page",
  chain: fixture('TestChain'),
  chains: fixture('TestChains'),
  wallet: "import('viem').WalletClient<import('viem').Transport, import('viem').Chain, import('viem').Account>",
  client: "import('viem').PublicClient",
  prepared: 'unknown',
  hash: "import('viem').Hash",
  to: "import('viem').Address",
  value: 'bigint',
  abi: `[
    { type: 'function'; name: 'price'; stateMutability: 'view'; inputs: [{ type: 'address'; name: 'token' }]; outputs: [{ type: 'uint256' }] },
    { type: 'function'; name: 'update'; stateMutability: 'nonpayable'; inputs: []; outputs: [] },
    { type: 'error'; name: 'Stale'; inputs: [{ type: 'uint256'; name: 'since' }] },
    { type: 'event'; name: 'Transfer'; inputs: [{ type: 'uint256'; name: 'value' }] },
  ]`,
  portalAbi:
    "[{ type: 'event'; name: 'Deposited'; inputs: [{ type: 'address'; name: 'to' }, { type: 'uint256'; name: 'amount' }] }]",
  bytecode: "import('viem').Hex",
  shop: "import('viem').Address",
  ORACLE: "import('viem').Address",
  TOKEN: "import('viem').Address",
  PORTAL: "import('viem').Address",
  MESSENGER: "import('viem').Address",
  L1_BLOCK: "import('viem').Address",
  prepare: `(chains: ${fixture('PreparedChains')}) => Promise<void>`,
  encodeMint: "(to: import('viem').Address, amount: bigint) => import('viem').Hex",
  openShop:
    "(transport: import('viem').CustomTransport) => { buy(what: string): Promise<void>; shownOrders(): Promise<unknown> }",
  ordersOn: "(chain: import('blinknet/fates').FatedChain) => Promise<unknown>",
})

/**
 * @param {string} folder A project that has the package, and those that the documents name.
 * @param {string} tsc
 * @returns What was found, in words.
 */
export function testDocumentCode(folder, tsc) {
  const blocks = path.join(folder, 'blocks')
  rmSync(blocks, { recursive: true, force: true })
  mkdirSync(blocks)
  /** Blocks by the names of their files, with the lines before their first in the document. */
  const texts = new Map(
    DOCUMENTS.flatMap((document) => {
      const text = readFileSync(document, 'utf8')
      return [...text.matchAll(BLOCK)].map(({ 1: code = '', index }) => {
        const before = text.slice(0, index).split('\n').length
        const name = `${document.replaceAll(/[/.]/g, '-')}-${before + 1}.ts`
        return /** @type {const} */ ([name, { document, before, code: `${code}\nexport {}\n` }])
      })
    }),
  )
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2023',
  }
  const lib = ['es2023', 'dom']
  const config = {
    compilerOptions: { ...compilerOptions, lib, types: ['node'], skipLibCheck: true },
    include: ['blocks'],
  }
  writeFileSync(path.join(folder, 'tsconfig.blocks.json'), JSON.stringify(config))
  for (const [name, { code }] of texts) writeFileSync(path.join(blocks, name), code)
  // What is left open is found by the compiler: the second run has it.
  /** @type {Map<string, Set<string>>} */
  const open = new Map()
  for (const line of compile(folder, tsc)) {
    const [, file = '', name = '', shorthand = name] = MISSING.exec(line) ?? []
    if (Object.hasOwn(GIVEN, shorthand)) open.set(file, (open.get(file) ?? new Set()).add(shorthand))
  }
  for (const [file, names] of open) {
    // On the block's first line, so that the numbers of lines hold.
    const given = [...names].map((name) => `declare const ${name}: ${GIVEN[name]?.replaceAll(/\n */g, ' ')}; `).join('')
    writeFileSync(path.join(blocks, file), `${given}${texts.get(file)?.code}`)
  }
  const wrong = compile(folder, tsc).map((line) =>
    line.replace(/^blocks\/(\S+?)\((\d+),\d+\)/, (_, /** @type {string} */ file, /** @type {string} */ number) => {
      const block = texts.get(file)
      return `${block?.document}:${(block?.before ?? 0) + Number(number)}`
    }),
  )
  if (wrong.length > 0) throw new Error(`the code of the documents does not compile:\n${wrong.join('\n')}`)
  return `${texts.size} blocks of TypeScript in the documents compile as they stand`
}

/** @param {string} folder @param {string} tsc @returns The compiler's errors. */
function compile(folder, tsc) {
  const { stdout } = spawnSync(tsc, ['-p', 'tsconfig.blocks.json', '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout.split('\n').filter((line) => line !== '')
}
