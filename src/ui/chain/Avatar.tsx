import type { Address } from '#primitives/hex.ts'
import { avatarOf, SIDE } from './avatar.ts'

/**
 * The picture of an address, drawn in the page itself: an image would be decoded for each address, which takes longer than
 * all else in the row of a list.
 *
 * @param size - CSS pixels of a side.
 * @param label - What it says; without it, it is only decoration.
 */
export function Avatar({
  address,
  size,
  className,
  label,
}: {
  address: Address
  size: number
  className: string
  label?: string | undefined
}) {
  return (
    <svg
      className={className}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      shapeRendering="crispEdges"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {avatarOf(address).map(({ fill, d }) => (
        <path key={fill} fill={fill} d={d} />
      ))}
    </svg>
  )
}
