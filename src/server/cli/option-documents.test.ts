import { expect, test } from 'vitest'
import { OPTIONS } from '#rpc-types/node-options.ts'
import { numberInWords, type OptionFacts, type OptionKind, withDefault } from '#rpc-types/option.ts'
import { madeSection, markdownTable } from '#testing/primitives/made-section.ts'
import { FLAG_GROUPS, type Flag } from './flags.ts'

const ALL = Object.entries<OptionFacts>(OPTIONS)
const code = (text: string) => `\`${text}\``

/** `--port PORT` (`-p`). */
function spelled(name: string, { takes, optional, several, short, also = [] }: Flag): string {
  const argument = takes === undefined ? '' : several ? ` ${takes}…` : optional ? ` [${takes}]` : ` ${takes}`
  const others = [...(short === undefined ? [] : [`-${short}`]), ...also.map((other) => `--${other}`)].map(code)
  return code(`--${name}${argument}`) + (others.length === 0 ? '' : ` (${others.join(', ')})`)
}

function detailsOf(name: string): string | undefined {
  return ALL.find(([, { flag }]) => flag?.name === name)?.[1].flag?.details
}

/** What a value may be. */
function valuesOf(kind: OptionKind): string {
  switch (kind.is) {
    case 'number':
      return numberInWords(kind)
    case 'word':
      return [...kind.words.map(code), ...(kind.orMoment ? ['seconds since the Unix epoch'] : [])].join(', ')
    case 'switch':
      return '`true`, `false`'
    case 'name':
      return '1 to 100 characters of ASCII'
    case 'address':
      return 'an address'
    case 'balances':
      return 'an object: wei by address'
    default:
      return ''
  }
}

function defaultOf(kind: OptionKind): string {
  switch (kind.is) {
    case 'number':
      return kind.isMoment ? `now; ${kind.default} on a manual clock` : String(kind.default)
    case 'address':
      return kind.default
    case 'word':
      return kind.words[0] ?? ''
    case 'switch':
      return 'false'
    case 'name':
      return 'Blinknet/v…'
    default:
      return ''
  }
}

test('docs/server.md has every flag, in the words of --help and what documents say beyond', () => {
  const groups = Object.entries(FLAG_GROUPS).map(([group, flags]) => {
    const rows = Object.entries(flags).map(([name, flag]) => {
      const details = flag.details ?? detailsOf(name)
      const help = withDefault(flag.help, flag.kind)
      return [spelled(name, flag), details === undefined ? help : `${help}. ${details}`]
    })
    return `**${group}**\n\n${markdownTable(['Flag', ''], rows)}`
  })
  const made = groups.join('\n')
  expect(madeSection('docs/server.md', 'flags', made)).toBe(made)
})

test('docs/server.md has every option of a chain for programs, with its flag', () => {
  const rows = ALL.filter(([, { kind }]) => kind.is !== 'accounts' && kind.is !== 'genesis').map(
    ([name, { kind, flag }]) => [
      // The library says it as the command line and the page do.
      code(name === 'mode' ? 'clock' : name),
      valuesOf(kind),
      defaultOf(kind),
      flag === undefined ? '' : code(`--${flag.name}`),
    ],
  )
  const made = markdownTable(['Option', 'Values', 'Default', 'Flag'], rows)
  expect(madeSection('docs/server.md', 'options', made)).toBe(made)
})

test('docs/page.md has every option that the address of the page takes', () => {
  const rows = ALL.flatMap(([, { parameter, kind, flag }]) =>
    parameter === undefined
      ? []
      : [
          [
            code(`?${parameter}=`),
            kind.is === 'switch' ? '`on`' : valuesOf(kind),
            kind.is === 'switch' ? 'off' : defaultOf(kind),
            (flag?.help ?? '').replace(/ \(default \{default\}[^)]*\)/, ''),
          ],
        ],
  )
  expect(rows.length).toBeGreaterThan(5)
  const made = markdownTable(['In the address', 'Values', 'Default', ''], rows)
  expect(madeSection('docs/page.md', 'parameters', made)).toBe(made)
})

test('docs/storage.md has every option that is chosen at each start', () => {
  const flags = ALL.flatMap(([, { flag, eachStart }]) => (flag && eachStart ? [code(`--${flag.name}`)] : []))
  const made = `${flags.join(', ')}\n`
  expect(madeSection('docs/storage.md', 'each-start', made)).toBe(made)
})
