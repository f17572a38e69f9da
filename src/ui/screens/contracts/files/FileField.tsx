import { useId } from 'react'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './FileField.module.css'

const css = classNames(styles)

/**
 * A field to choose files or a folder.
 *
 * @param accept - File extensions.
 */
export function FileField({
  label,
  folder = false,
  accept,
  onChoose,
}: {
  label: string
  folder?: boolean
  accept?: string
  onChoose: (files: readonly File[]) => void
}) {
  const id = useId()
  return (
    <div className={css('field')}>
      <label htmlFor={id} className={css('label')}>
        {label}
      </label>
      <input
        id={id}
        type="file"
        className={css('file')}
        multiple={!folder}
        accept={accept}
        ref={(input) => {
          if (input && folder) input.webkitdirectory = true
        }}
        // Browsers ignore the choice of the same file again, though it may have changed.
        onClick={({ currentTarget }) => {
          currentTarget.value = ''
        }}
        onChange={({ target }) => {
          if (target.files && target.files.length > 0) onChoose([...target.files])
        }}
      />
    </div>
  )
}
