/**
 * Minimum number of different users in an hour. Somebody who looks users up by hand, about forty a day, does not reach
 * it.
 */
export const unusualPeople = 50
/** Minimum multiple of the actor's usual number, so that actors who routinely handle many users do not count. */
export const unusualTimes = 5

/**
 * Whether an actor's busiest hour is unusual. `usual` is the median of the busiest hours of other days, so that a
 * burst of several hours is not compared with itself; null if there are no other days.
 */
export function isUnusual({
  most,
  usual,
}: {
  readonly most: number
  readonly usual: number | null
}): boolean {
  return most >= unusualPeople && most >= unusualTimes * (usual ?? 0)
}
