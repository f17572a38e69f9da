import type { AbiParameter } from 'viem'
import { TextField } from '#ui/components/form/TextField.tsx'
import { exampleOf, membersOf } from '#ui/compose/abi-argument.ts'
import { memberLabel, memberTexts, parameterLabel, parseArguments } from '#ui/compose/call-data.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Function.module.css'

const css = classNames(styles)

/** A field for each argument with an example of its type; a struct has a field per member. */
export function ArgumentFields({
  parameters,
  texts,
  errors,
  onChange,
  labelOf = parameterLabel,
}: {
  parameters: readonly AbiParameter[]
  texts: readonly string[]
  errors: readonly (string | undefined)[]
  onChange: (texts: readonly string[]) => void
  labelOf?: (parameter: AbiParameter, position: number) => string
}) {
  return parameters.map((parameter, i) => {
    const text = texts[i] ?? ''
    const change = (next: string) =>
      onChange(parameters.map((_, position) => (position === i ? next : (texts[position] ?? ''))))
    const label = labelOf(parameter, i)
    // A parameter may have no name or share it with another, so its index is the key.
    if (parameter.type === 'tuple') {
      return <StructFields key={i} struct={parameter} label={label} text={text} error={errors[i]} onChange={change} />
    }
    return (
      <TextField
        key={i}
        label={label}
        look={parameter.type === 'address' ? 'address' : parameter.type === 'string' ? 'plain' : 'mono'}
        placeholder={exampleOf(parameter)}
        error={errors[i]}
        value={text}
        onChange={change}
      />
    )
  })
}

function StructFields({
  struct,
  label,
  text,
  error,
  onChange,
}: {
  struct: AbiParameter
  label: string
  text: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const members = membersOf(struct)
  const texts = memberTexts(text)
  const read = parseArguments(members, texts)
  return (
    <fieldset className={css('struct')}>
      <legend className={css('legend')}>{label}</legend>
      <ArgumentFields
        parameters={members}
        texts={texts}
        errors={error !== undefined && !read.ok ? read.argumentErrors : []}
        onChange={(next) => onChange(JSON.stringify(next))}
        labelOf={memberLabel}
      />
    </fieldset>
  )
}
