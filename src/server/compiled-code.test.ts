import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ownFolder, ScriptLoader } from './compiled-code.ts'

let parent: string
beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'blinknet-code-test-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(parent, { recursive: true })
})

const folder = () => path.join(parent, `blinknet-code-${process.getuid?.()}`)

describe('the folder', () => {
  test('compiled code is kept in a folder that only its user can write to, again at the next start', () => {
    expect(ownFolder(parent)).toBe(folder())
    expect(statSync(folder()).mode & 0o777).toBe(0o700)
    expect(ownFolder(parent)).toBe(folder())
  })

  test('a folder that others can write to is not used', () => {
    mkdirSync(folder())
    chmodSync(folder(), 0o777)
    expect(ownFolder(parent)).toBeUndefined()
  })

  test('neither is what leads elsewhere, nor a file', () => {
    symlinkSync(tmpdir(), folder())
    expect(ownFolder(parent)).toBeUndefined()
    rmSync(folder())
    writeFileSync(folder(), '')
    expect(ownFolder(parent)).toBeUndefined()
  })

  test('without a folder for temporary files there is none, and none is made', () => {
    const missing = path.join(parent, 'missing')
    expect(ownFolder(missing)).toBeUndefined()
    expect(existsSync(missing)).toBe(false)
    expect(ownFolder(path.join(parent, 'file\0'))).toBeUndefined()
  })
})

describe('scripts', () => {
  /** As long as {@link OTHER}: V8 itself does not see a difference between scripts of one length. */
  const SCRIPT = `exports.one = () => 'one'\nexports.other = () => require('./other.js')`
  const OTHER = `exports.one = () => 'two'\nexports.other = () => require('./other.js')`

  beforeEach(() => {
    writeFileSync(path.join(parent, 'main.js'), SCRIPT)
    writeFileSync(
      path.join(parent, 'other.js'),
      `exports.own = () => require('./main.js'); exports.sep = require('node:path').sep`,
    )
  })

  /** A start: what it compiled is kept. @returns Whether all of it was kept before. */
  async function start(use = true): Promise<{ readonly said: string; readonly wasKept: boolean }> {
    const before = keptFile() === undefined ? undefined : statSync(keptFile() as string, { bigint: true }).ino
    const loader = new ScriptLoader(parent, ownFolder(parent))
    const main = loader.load('main.js') as { one(): string; other(): { own(): unknown; sep: string } }
    const said = main.one()
    if (use) {
      expect(main.other().own()).toBe(main)
      expect(main.other().sep).toBe(path.sep)
    }
    await loader.keep()
    const after = keptFile() === undefined ? undefined : statSync(keptFile() as string, { bigint: true }).ino
    return { said, wasKept: before !== undefined && before === after }
  }

  /** The only one. */
  function keptFile(): string | undefined {
    const names = existsSync(folder()) ? readdirSync(folder()) : []
    expect(names.length).toBeLessThanOrEqual(1)
    return names[0] === undefined ? undefined : path.join(folder(), names[0])
  }

  test('run as with require, and the next start uses the code that this one compiled', async () => {
    expect(await start()).toEqual({ said: 'one', wasKept: false })
    expect(statSync(keptFile() as string).mode & 0o777).toBe(0o600)
    expect(await start()).toEqual({ said: 'one', wasKept: true })
  })

  test('what a process compiled is kept at once where it ends', async () => {
    const loader = new ScriptLoader(parent, ownFolder(parent))
    loader.load('main.js')
    loader.load('other.js')
    loader.keepAtOnce()
    expect((await start()).wasKept).toBe(true)
    rmSync(keptFile() as string)
    loader.keepAtOnce()
    expect(keptFile()).toBeUndefined()
  })

  test('functions of files are there when they are asked for, and not loaded before', async () => {
    writeFileSync(
      path.join(parent, 'main.js'),
      `const files = require('node:fs/promises'); exports.files = files; exports.read = () => files.readFile(__filename, 'utf8')`,
    )
    const loader = new ScriptLoader(parent, undefined)
    const main = loader.load('main.js') as { files: object; read(): Promise<string> }
    expect(Object.keys(main.files)).toEqual([])
    expect(await main.read()).toContain('node:fs/promises')
  })

  test('one that is first loaded later is kept with the others', async () => {
    await start(false)
    expect((await start()).wasKept).toBe(false)
    await start(false)
    expect((await start()).wasKept).toBe(true)
  })

  test('one that has changed is compiled anew, also if it is as long as before', async () => {
    await start()
    writeFileSync(path.join(parent, 'main.js'), OTHER)
    expect(await start()).toEqual({ said: 'two', wasKept: false })
    expect(await start()).toEqual({ said: 'two', wasKept: true })
  })

  test('a damaged file is not used, wherever the damage is, and is replaced', async () => {
    await start()
    const whole = readFileSync(keptFile() as string)
    for (const at of [0, 5, 20, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole)
      damaged[at] = (damaged[at] as number) ^ 1
      writeFileSync(keptFile() as string, damaged)
      expect(await start()).toEqual({ said: 'one', wasKept: false })
    }
    for (const bytes of [0, 7, whole.length - 8]) {
      writeFileSync(keptFile() as string, whole.subarray(0, bytes))
      expect(await start()).toEqual({ said: 'one', wasKept: false })
    }
    expect((await start()).wasKept).toBe(true)
  })

  test('a file that is far too large is not read, and is replaced', async () => {
    await start()
    const large = Buffer.concat([readFileSync(keptFile() as string), Buffer.alloc(64 << 20)])
    large.writeUInt32LE(crc32(large.subarray(4)))
    writeFileSync(keptFile() as string, large)
    expect(await start()).toEqual({ said: 'one', wasKept: false })
    expect((await start()).wasKept).toBe(true)
  })

  test.each(['{', 'null', '{"main.js":null}', '{"main.js":{"source":1,"at":-9,"bytes":"x"}}'])(
    'a whole file with another table, %s, is not used, and is replaced',
    async (table) => {
      await start()
      const rest = Buffer.concat([Buffer.alloc(4), Buffer.from(table)])
      rest.writeUInt32LE(table.length)
      const sum = Buffer.alloc(4)
      sum.writeUInt32LE(crc32(rest))
      writeFileSync(keptFile() as string, Buffer.concat([sum, rest]))
      expect(await start()).toEqual({ said: 'one', wasKept: false })
      expect((await start()).wasKept).toBe(true)
    },
  )

  test('a file that others can write to is not used, nor one that leads elsewhere', async () => {
    await start()
    chmodSync(keptFile() as string, 0o666)
    expect((await start()).wasKept).toBe(false)
    const file = keptFile() as string
    renameSync(file, path.join(parent, 'elsewhere'))
    symlinkSync(path.join(parent, 'elsewhere'), file)
    await start()
    expect(statSync(file).isFile()).toBe(true)
    expect((await start()).wasKept).toBe(true)
  })

  test('a file that cannot take its place is not left behind', async () => {
    await start()
    const file = keptFile() as string
    rmSync(file)
    mkdirSync(path.join(file, 'in-the-way'), { recursive: true })
    expect((await start()).said).toBe('one')
    expect(readdirSync(folder())).toEqual([path.basename(file)])
  })

  test('other options of Node.js have a file of their own, and the newest four stay, whatever else is there', async () => {
    await start()
    const [first] = readdirSync(folder())
    mkdirSync(path.join(folder(), 'v22-cache/of-node'), { recursive: true })
    const old = new Set<string>()
    for (const [seconds, options] of ['--no-a', '--no-b', '--no-c', '--no-d'].entries()) {
      for (const name of readdirSync(folder())) {
        if (!old.has(name)) utimesSync(path.join(folder(), name), seconds, seconds)
        old.add(name)
      }
      vi.stubEnv('NODE_OPTIONS', options)
      const loader = new ScriptLoader(parent, ownFolder(parent))
      loader.load('main.js')
      await loader.keep()
    }
    expect(readdirSync(folder())).toHaveLength(4)
    expect(readdirSync(folder())).not.toContain('v22-cache')
    expect(readdirSync(folder())).not.toContain(first)
  })

  test('run where nothing can be kept', async () => {
    const loader = new ScriptLoader(parent, undefined)
    expect((loader.load('main.js') as { one(): string }).one()).toBe('one')
    await loader.keep()
    const gone = new ScriptLoader(parent, path.join(parent, 'gone'))
    expect((gone.load('main.js') as { one(): string }).one()).toBe('one')
    await gone.keep()
    expect(existsSync(path.join(parent, 'gone'))).toBe(false)
  })

  test('one that throws says where, and is run again when it is asked for again', () => {
    writeFileSync(path.join(parent, 'bad.js'), `throw new Error('bad')`)
    const loader = new ScriptLoader(parent, undefined)
    for (const _ of [1, 2]) {
      expect(() => loader.load('bad.js')).toThrow('bad')
    }
    try {
      loader.load('bad.js')
    } catch (error) {
      expect((error as Error).stack).toContain(`${path.join(parent, 'bad.js')}:1:7`)
    }
    expect(() => loader.load('missing.js')).toThrow('ENOENT')
  })
})
