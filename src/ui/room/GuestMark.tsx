import { markLook } from './marks.ts'

/** A guest's mark, as it is on the squares of the stage. @param size - Of its sides, in CSS pixels. */
export function GuestMark({ mark, size, named = false }: { mark: number; size: number; named?: boolean }) {
  const { name, path, color } = markLook(mark)
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      {...(named ? { role: 'img', 'aria-label': name } : { 'aria-hidden': true })}
    >
      <path d={path} fill={color} />
    </svg>
  )
}
