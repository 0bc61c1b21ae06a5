/** Whoever looks people up by hand, forty times a day, does not meet so many within an hour. */
export const unusualPeople = 50
/** Nor somebody whose work is to meet many so many times as many as is usual for them. */
export const unusualTimes = 5

/** `usual`: the median of other days' busiest hours, so that a burst of several hours is not measured by itself; null: there are none. */
export function isUnusual({
  most,
  usual,
}: {
  readonly most: number
  readonly usual: number | null
}): boolean {
  return most >= unusualPeople && most >= unusualTimes * (usual ?? 0)
}
