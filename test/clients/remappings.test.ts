import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inferRemappings } from '#compiler/project/infer-remappings.ts'
import { remappingText } from '#compiler/project/resolve-import.ts'
import { describeWith } from './support/describe-with.ts'
import { runFoundry } from './support/foundry.ts'

const FOLDERS = ['src', 'contracts', 'lib', 'a', 'b', 'test', 'node_modules', 'tokens', 'interfaces', 'oz', 'ds-test']

/** Whole numbers below `n`, the same for the same seed. */
function numbersOf(seed: number): (n: number) => number {
  let state = seed
  return (n) => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff
    return (state >> 8) % n
  }
}

/** Paths of sources in libraries of every shape. */
function layoutOf(seed: number, lib: string): readonly string[] {
  const below = numbersOf(seed)
  const paths = Array.from({ length: 1 + below(8) }, () => {
    const library = ['solmate', 'oz', 'ds-test', '@x'][below(4)]
    const folders = Array.from({ length: below(5) }, () => FOLDERS[below(FOLDERS.length)])
    return [lib, library, ...folders, `${'ABC'[below(3)]}.sol`].join('/')
  })
  return [...new Set(paths)]
}

describeWith('forge', 'forge', (binary) => {
  test.each(['lib', 'node_modules'])(
    'forge infers the same remappings for libraries of every shape in %s',
    async (lib) => {
      for (let seed = 1; seed <= 40; seed++) {
        const paths = layoutOf(seed, lib)
        const folder = await mkdtemp(join(tmpdir(), 'remappings-'))
        try {
          await writeFile(join(folder, 'foundry.toml'), `[profile.default]\nlibs = ["${lib}"]\n`)
          for (const path of paths) {
            await mkdir(dirname(join(folder, path)), { recursive: true })
            await writeFile(join(folder, path), '')
          }
          const { output } = await runFoundry(binary, '', ['remappings'], folder)
          const inferred = inferRemappings(paths, [lib]).map(remappingText)
          expect(inferred.toSorted(), `seed ${seed}: ${paths.join(' ')}`).toEqual(
            output.split('\n').filter(Boolean).toSorted(),
          )
        } finally {
          await rm(folder, { recursive: true })
        }
      }
    },
  )
})
