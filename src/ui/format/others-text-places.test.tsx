import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CodeBlock, LongText } from '#ui/components/CodeBlock.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { MessageScreen } from '#ui/components/MessageScreen.tsx'
import { WalletQuestion } from '#ui/connect/WalletQuestion.tsx'
import { rememberContract, useKnownContracts } from '#ui/decode/known-contracts.ts'
import { parseAbiJson } from '#ui/decode/parse-abi.ts'
import { RevertView, revertText } from '#ui/decode/RevertView.tsx'
import { Value } from '#ui/decode/Value.tsx'
import { decodedText } from '#ui/decode/value-text.ts'
import { Problems } from '#ui/screens/contracts/Problems.tsx'
import { JsonView } from '#ui/screens/rpc-console/JsonView.tsx'
import { Prose } from '#ui/screens/rpc-console/Prose.tsx'
import { answerText, valueText } from '#ui/screens/rpc-console/pin-words.ts'
import { describeFaults } from '#ui/shell/fault-words.ts'

/** One of each kind of character that hides, turns or replaces what stands beside it. */
const HOSTILE = `a\u202eb\u00adc\u3164d\u180ee\u{e0041}f\u2028g\u034fh\u0000i`
const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u
const ACCOUNT = `0x${'ab'.repeat(20)}` as const

const drawn = (content: ReactNode) =>
  renderToStaticMarkup(<QueryClientProvider client={new QueryClient()}>{content}</QueryClientProvider>)
const text = { kind: 'text', text: HOSTILE } as const
const asked = { dapp: HOSTILE, id: 1 } as const
const answer = () => {}

rememberContract(ACCOUNT, { name: HOSTILE, abi: [] })

const PLACES: Readonly<Record<string, () => string>> = {
  'an error note': () => drawn(<ErrorNote error={new Error(HOSTILE)} />),
  'a screen of words': () =>
    drawn(
      <MessageScreen title="Failed" reason={HOSTILE}>
        words
      </MessageScreen>,
    ),
  'a snippet': () => drawn(<CodeBlock>{HOSTILE}</CodeBlock>),
  'a long text': () => drawn(<LongText label="Text">{HOSTILE}</LongText>),
  'a message to sign': () =>
    drawn(
      <WalletQuestion
        pending={{ ...asked, request: { kind: 'message', account: ACCOUNT, message: HOSTILE } } as never}
        others={0}
        onAnswer={answer}
      />,
    ),
  'typed data to sign': () =>
    drawn(
      <WalletQuestion
        pending={
          { ...asked, request: { kind: 'typed-data', account: ACCOUNT, typedData: { [HOSTILE]: HOSTILE } } } as never
        }
        others={0}
        onAnswer={answer}
      />,
    ),
  'a decoded value': () => drawn(<Value value={text} label="name" />),
  'a decoded call': () => decodedText({ name: 'f', args: [{ name: 'a', type: 'string', value: text }] }),
  'a reason for a revert': () => drawn(<RevertView revert={text} />),
  'the words of a machine': () => revertText({ kind: 'stopped', reason: HOSTILE }),
  'the name of a contract': () => useKnownContracts.getState().get(ACCOUNT)?.name ?? '',
  'a compiler’s message': () =>
    drawn(
      <Problems
        source=""
        diagnostics={[{ severity: 'error', message: HOSTILE, code: undefined, range: undefined } as never]}
        onGoTo={answer}
      />,
    ),
  'JSON in the console': () => drawn(<JsonView label="Answer" value={{ [HOSTILE]: HOSTILE }} />),
  'a pinned answer': () => answerText({ ok: false, message: HOSTILE }) + valueText(HOSTILE),
  'documentation of a method': () => drawn(<Prose text={HOSTILE} />),
  'a planned fault': () =>
    describeFaults({
      stalledTicks: 0,
      sealDelayMs: 0,
      failNext: [{ methods: [HOSTILE], error: { code: 1, message: HOSTILE } }],
    }).join(),
}

test.each(Object.entries(PLACES))('A14: %s shows no character that hides or turns others', (_place, draw) => {
  const shown = draw()
  expect(shown).toContain('{202e}')
  expect(shown.match(HIDDEN)?.[0].codePointAt(0)?.toString(16)).toBeUndefined()
})

test('A14: an ABI whose names hide something is refused', () => {
  for (const item of [
    { type: 'function', name: HOSTILE },
    { type: 'event', name: 'Sent', inputs: [{ type: 'uint256', name: HOSTILE }] },
  ]) {
    expect(parseAbiJson(JSON.stringify([item]))).toMatchObject({ ok: false })
  }
})
