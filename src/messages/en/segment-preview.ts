import { counted, number } from '../format.ts'

/** Who a filter finds, before it is saved. */
export const segmentPreview = {
  title: 'Who is in it now',
  users: (count: number, atLeast: boolean) =>
    `${atLeast ? 'At least ' : ''}${counted(count, { one: 'user', other: 'users' })}`,
  of: (all: number) => `of ${number(all)}`,
  took: (seconds: string) => `in ${seconds} s`,
  counting: 'Counting…',
  counted: 'Counted',
  stopped: 'Counting them all takes longer.',
  unfinished: 'Finish the filter to see who is in it.',
  before: 'This was before your last change.',
  nobody: 'Nobody is in it.',
  some: (shown: number) => `${number(shown)} of them`,
  all: 'These are all',
  failed: 'Who is in it could not be counted',
  failedBody: 'You can save the segment all the same.',
  bare: 'This service can only count a segment once it is saved.',
  noName: 'No name',
  opens: (name: string) => `${name}, opens in a new tab`,
}
