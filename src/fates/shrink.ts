import { factsOf, formatFate, type Schedule } from './fault.ts'

/** Most times that {@link shrinkFate} tries. */
const MAX_TRIES = 200

/**
 * The shortest part of a fate that still fails, with its faults as early as they can be.
 *
 * @param schedule - A fate that fails.
 * @param fails - Whether a fate fails. Called once for each, at most 200 times.
 */
export async function shrinkFate(
  schedule: Schedule,
  fails: (schedule: Schedule) => Promise<boolean>,
): Promise<Schedule> {
  const known = new Map<string, boolean>([[formatFate(schedule), true]])
  const stillFails = async (tried: Schedule): Promise<boolean> => {
    const key = formatFate(tried)
    const before = known.get(key)
    if (before !== undefined) return before
    if (known.size > MAX_TRIES) return false
    const answer = tried.length > 0 && (await fails(tried))
    known.set(key, answer)
    return answer
  }
  let shortest = schedule
  // Halves, then quarters: most faults of a long fate do nothing.
  for (let size = Math.ceil(shortest.length / 2); size >= 1; ) {
    let shorter: Schedule | undefined
    for (let at = 0; at < shortest.length && !shorter; at += size) {
      const tried = shortest.toSpliced(at, size)
      if (await stillFails(tried)) shorter = tried
    }
    if (shorter) shortest = shorter
    else if (size === 1) break
    else size = Math.ceil(size / 2)
    size = Math.min(size, Math.max(1, shortest.length))
  }
  return earliest(shortest, stillFails)
}

/** Moves each fault to the first moment at which the fate still fails. */
async function earliest(schedule: Schedule, fails: (schedule: Schedule) => Promise<boolean>): Promise<Schedule> {
  let moved = schedule
  for (const [index, fault] of schedule.entries()) {
    for (let at = factsOf(fault.kind).from as number; at < fault.at; at++) {
      const tried = moved.with(index, { ...fault, at })
      if (!(await fails(tried))) continue
      moved = tried
      break
    }
  }
  return moved
}
