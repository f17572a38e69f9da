import type { Hex } from '#primitives/hex.ts'

const CONSOLE = '636f6e736f6c652e6c6f67'
const size = (bytes: number) => bytes.toString(16).padStart(4, '0')

/** How a contract of {@link logging} ends; `echo` reverts with its input. */
export type Ending = 'succeed' | 'revert' | 'echo' | 'fail'

const ENDINGS: Readonly<Record<Ending, string>> = {
  succeed: '00',
  revert: '5f5ffd',
  echo: '365f5f37365ffd',
  fail: 'fe',
}

/** The code of a contract that calls the console with these inputs, by these opcodes in turn, and ends as it is told. */
export function logging(inputs: readonly Hex[], ending: Ending, opcodes: readonly string[] = ['fa']): Hex {
  const bytes = inputs.map((input) => input.slice(2))
  // PUSH2 size, PUSH2 where, PUSH0, CODECOPY; PUSH0, PUSH0, PUSH2 size, PUSH0, [PUSH0,] PUSH11 console, GAS, call, POP.
  const steps = (at: number, i: number) => {
    const length = size((bytes[i] ?? '').length / 2)
    const opcode = opcodes[i % opcodes.length] as string
    const value = opcode === 'f1' || opcode === 'f2' ? '5f' : ''
    return `61${length}61${size(at)}5f395f5f61${length}5f${value}6a${CONSOLE}5a${opcode}50`
  }
  const head = bytes.map((_, i) => steps(0, i)).join('').length / 2 + ENDINGS[ending].length / 2
  let at = head
  const code = bytes.map((input, i) => {
    const step = steps(at, i)
    at += input.length / 2
    return step
  })
  return `0x${code.join('')}${ENDINGS[ending]}${bytes.join('')}`
}
