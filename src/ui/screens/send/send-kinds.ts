import type { DraftKind } from '#ui/compose/draft.ts'

/** Views of the screen, by the last part of its address; `errors` is the gallery. */
export type SendView = DraftKind | 'errors'

export const SEND_VIEWS: readonly { readonly value: SendView; readonly label: string }[] = [
  { value: 'transfer', label: 'Transfer' },
  { value: 'call', label: 'Call' },
  { value: 'deploy', label: 'Deploy' },
  { value: 'raw', label: 'Raw' },
  { value: 'errors', label: 'Errors' },
]

/** The view named in an address; `undefined` for an unknown name. */
export function sendViewOf(name: string | undefined): SendView | undefined {
  return name === undefined ? 'transfer' : SEND_VIEWS.find(({ value }) => value === name)?.value
}
