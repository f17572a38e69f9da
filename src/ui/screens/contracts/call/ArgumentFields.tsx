import { useState } from 'react'
import type { AbiParameter } from 'viem'
import { Button } from '#ui/components/Button.tsx'
import { SelectField } from '#ui/components/form/SelectField.tsx'
import { TextField } from '#ui/components/form/TextField.tsx'
import { exampleOf } from '#ui/compose/abi-argument.ts'
import { memberLabel, parameterLabel, parseArguments } from '#ui/compose/call-data.ts'
import { type CompoundFields, fieldsOf, MAX_ITEM_FIELDS, textOfFields } from '#ui/compose/field-texts.ts'
import { enumNamesOf } from '#ui/decode/signature.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Function.module.css'

const css = classNames(styles)

/** A field for each argument, with an example of its type. A struct has a field per member, a list one per item. */
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
  return parameters.map((parameter, i) => (
    <ArgumentField
      // A parameter may have no name or share it with another, so its index is the key.
      key={i}
      parameter={parameter}
      label={labelOf(parameter, i)}
      text={texts[i] ?? ''}
      error={errors[i]}
      onChange={(next) => onChange(parameters.map((_, position) => (position === i ? next : (texts[position] ?? ''))))}
    />
  ))
}

interface ArgumentProps {
  readonly parameter: AbiParameter
  readonly label: string
  readonly text: string
  readonly error: string | undefined
  readonly onChange: (text: string) => void
}

function ArgumentField(props: ArgumentProps) {
  const { parameter, label, text, error, onChange } = props
  const { type } = parameter
  if (type === 'tuple' || type.endsWith(']')) return <CompoundField {...props} />
  if (type === 'bool') {
    return (
      <SelectField label={label} error={error} value={text} onChange={onChange}>
        <option value="">Choose</option>
        <option>true</option>
        <option>false</option>
      </SelectField>
    )
  }
  const names = enumNamesOf(parameter)
  if (names.length > 0 && names.length <= MOST_OPTIONS) {
    return (
      <SelectField label={label} error={error} value={nameOfText(names, text)} onChange={onChange}>
        <option value="">Choose</option>
        {/* What was pasted and is none of them stays there, for the error to speak of. */}
        {!names.includes(nameOfText(names, text)) && text !== '' && <option>{text}</option>}
        {names.map((name, i) => (
          <option key={name} value={name}>
            {name} ({i})
          </option>
        ))}
      </SelectField>
    )
  }
  return (
    <TextField
      label={label}
      look={type === 'address' ? 'address' : type === 'string' ? 'plain' : 'mono'}
      placeholder={exampleOf(parameter)}
      error={error}
      value={text}
      onChange={onChange}
    />
  )
}

/** Most values that a choice lists, as many as an enum may have; others are typed. */
const MOST_OPTIONS = 256

/** The name of an enum's value that is given by its number; other texts stay. */
function nameOfText(names: readonly string[], text: string): string {
  return (/^\d{1,5}$/.test(text.trim()) ? names[Number(text)] : undefined) ?? text
}

/** A struct or a list, as fields or as JSON to paste. */
function CompoundField({ parameter, label, text, error, onChange }: ArgumentProps) {
  const [wantsJson, setWantsJson] = useState(false)
  const fields = fieldsOf(parameter, text)
  return (
    <fieldset className={css('struct')}>
      <legend className={css('legend')}>{label}</legend>
      {fields && !wantsJson ? (
        <Fields fields={fields} error={error} onChange={(texts) => onChange(textOfFields(texts))} />
      ) : (
        <TextField
          label={`${label}, as JSON`}
          look="area"
          placeholder={exampleOf(parameter)}
          error={error}
          value={text}
          onChange={onChange}
        />
      )}
      <div className={css('actions')}>
        {fields?.isOpen && !wantsJson && fields.texts.length < MAX_ITEM_FIELDS && (
          <Button
            size="small"
            aria-label={`Add an item to ${label}`}
            onClick={() => onChange(textOfFields([...fields.texts, '']))}
          >
            Add an item
          </Button>
        )}
        {fields && (
          <Button
            size="small"
            aria-label={`${wantsJson ? 'Fields' : 'JSON'} for ${label}`}
            onClick={() => setWantsJson(!wantsJson)}
          >
            {wantsJson ? 'As fields' : 'As JSON'}
          </Button>
        )}
      </div>
    </fieldset>
  )
}

function Fields({
  fields: { parameters, texts, isOpen },
  error,
  onChange,
}: {
  fields: CompoundFields
  error: string | undefined
  onChange: (texts: readonly string[]) => void
}) {
  const read = parseArguments(parameters, texts)
  const errors = error !== undefined && !read.ok ? read.argumentErrors : []
  if (!isOpen) {
    return (
      <ArgumentFields parameters={parameters} texts={texts} errors={errors} onChange={onChange} labelOf={memberLabel} />
    )
  }
  if (texts.length === 0) return <p className="muted">No items.</p>
  return (
    <ol className={css('items')}>
      {parameters.map((parameter, i) => (
        // Items have no identity other than their position.
        <li key={i} className={css('item')}>
          <ArgumentField
            parameter={parameter}
            label={memberLabel(parameter, i)}
            text={texts[i] ?? ''}
            error={errors[i]}
            onChange={(next) => onChange(texts.with(i, next))}
          />
          <Button
            size="small"
            aria-label={`Remove item ${i + 1}`}
            onClick={() => onChange(texts.filter((_, position) => position !== i))}
          >
            Remove
          </Button>
        </li>
      ))}
    </ol>
  )
}
