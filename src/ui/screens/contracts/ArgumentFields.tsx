import type { AbiParameter } from 'viem'
import { TextField } from '#ui/components/TextField.tsx'
import { parameterLabel } from '#ui/compose/call-data.ts'

/** A field for each argument, with what its type looks like. */
export function ArgumentFields({
  parameters,
  texts,
  errors,
  onChange,
}: {
  parameters: readonly AbiParameter[]
  texts: readonly string[]
  errors: readonly (string | undefined)[]
  onChange: (texts: readonly string[]) => void
}) {
  return parameters.map((parameter, i) => (
    // A parameter may have no name, and two may have the same one: only the position tells them apart.
    <TextField
      key={i}
      label={parameterLabel(parameter, i)}
      look={parameter.type === 'address' ? 'address' : parameter.type === 'string' ? 'plain' : 'mono'}
      placeholder={exampleOf(parameter)}
      error={errors[i]}
      value={texts[i] ?? ''}
      onChange={(text) => onChange(parameters.map((_, position) => (position === i ? text : (texts[position] ?? ''))))}
    />
  ))
}

/** How a value of the type is written. */
function exampleOf({ type }: AbiParameter): string {
  if (type.endsWith(']')) return '["…", "…"]'
  if (type.startsWith('tuple')) return '{"name": "…"}'
  if (type === 'address') return '0x…'
  if (type === 'bool') return 'true or false'
  if (type === 'string') return ''
  return /^u?int/.test(type) ? '0' : '0x'
}
