import type { OpenRpcMethod } from '#rpc-types/open-rpc.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './ParameterHelp.module.css'
import { Prose } from './Prose.tsx'
import type { SchemaTable } from './resolve-schema.ts'
import { describeSchema, schemaWords } from './schema-words.ts'

const css = classNames(styles)

/** A method's parameters, in order, and its result. */
export function ParameterHelp({ method, table }: { method: OpenRpcMethod; table: SchemaTable }) {
  return (
    <div className={css('help')}>
      {method.params.length === 0 ? (
        <p className={css('none')}>No parameters.</p>
      ) : (
        <ol className={css('list')} aria-label="Parameters">
          {method.params.map(({ name, required, schema }) => {
            const { description, fields } = describeSchema(schema, table)
            return (
              <li key={name}>
                <p>
                  <code className={css('name')}>{name}</code>{' '}
                  <span className={css('type')}>
                    {schemaWords(schema, table)}, {required === false ? 'optional' : 'required'}
                  </span>
                </p>
                {description !== undefined && (
                  <p className={css('description')}>
                    <Prose text={description} />
                  </p>
                )}
                {fields.length > 0 && (
                  <details className={css('fields')}>
                    <summary>Fields of {name}</summary>
                    <ul>
                      {fields.map((field) => (
                        <li key={field.name}>
                          <code>{field.name}</code>{' '}
                          <span className={css('type')}>
                            {field.words}
                            {field.required && ', required'}
                            {field.description !== undefined && (
                              <>
                                {': '}
                                <Prose text={field.description} />
                              </>
                            )}
                          </span>
                        </li>
                      ))}
                    </ul>
                  </details>
                )}
              </li>
            )
          })}
        </ol>
      )}
      <p className={css('result')}>
        Returns: <span className={css('type')}>{schemaWords(method.result.schema, table)}</span>
      </p>
    </div>
  )
}
