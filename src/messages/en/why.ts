import { number } from '../format.ts'
import { aThing, things } from './segments.ts'

const found = (count: number, type: string) =>
  count === 0
    ? `no ${things('', type).trim()}`
    : count === 1
      ? things('1', type)
      : things(number(count), type)

const doing = (held: number, of: number) =>
  `${held === 0 ? 'none' : number(held)} of ${number(of)} ${held === 1 || held === 0 ? 'does' : 'do'}`

/** Why a user is in a segment, or is not. */
export const why = {
  label: { in: 'Why', out: 'Why not' },
  labelOf: (isMember: boolean, name: string) => `${isMember ? 'Why' : 'Why not'}: ${name}`,
  failed: 'It could not be found out why',
  gone: 'The segment does not exist any more.',
  unknown: 'It asks for sensitive values that you may not see, so it is not said who is in it.',
  changed: (isMember: boolean) =>
    `This has changed since the list was read: the user is ${isMember ? 'in it now' : 'not in it any more'}.`,
  asOf: 'Looked at',
  holds: 'Holds:',
  fails: 'Does not hold:',
  all: (held: number, of: number) => {
    if (of === 0) return 'Everyone'
    if (held < of) return of === 1 ? 'This must hold' : `All of these must hold: ${doing(held, of)}`
    return of === 1 ? 'This holds' : of === 2 ? 'Both of these hold' : `All ${number(of)} of these hold`
  },
  any: (held: number, of: number) => {
    if (of === 0) return 'Nobody'
    if (of === 1) return held === 1 ? 'This holds' : 'This must hold'
    return held === 0
      ? `One of these must hold: ${doing(0, of)}`
      : `One of these is enough: ${doing(held, of)}`
  },
  not: (isMet: boolean) => `This must not hold, ${isMet ? 'and it does not' : 'but it does'}`,
  has: (type: string, min: number, isTested: boolean) =>
    `Has ${min === 1 ? aThing(type) : `at least ${things(number(min), type)}`}${isTested ? ' with all of these' : ''}`,
  found: 'Found:',
  noValue: 'no value',
  /** The property is there, and of another type than the condition asks for. */
  otherType: (actual: string, wanted: string) =>
    `a value of type ${actual}, where the condition asks for ${wanted}`,
  masked: 'Not shown',
  count: (count: number, type: string) => found(count, type),
  fitting: (fit: number, count: number, type: string) =>
    count === 0
      ? found(0, type)
      : count === 1
        ? `${found(1, type)}, which ${fit === 1 ? 'fits' : 'does not fit'}`
        : `${fit === 0 ? 'none' : number(fit)} of ${found(count, type)} ${fit < 2 ? 'fits' : 'fit'}`,
  held: (held: number, of: number) => (held === of ? 'fits' : `${number(held)} of ${number(of)} fit`),
  others: (count: number, type: string) => `Show all ${found(count, type)}`,
  /** Around the name of a segment, which is a link. */
  inSegment: 'Is in the segment',
  segmentGone: 'There is no such segment any more, so nobody is in it.',
  asks: 'It holds:',
  check: {
    title: 'Is a user in it?',
    label: 'User',
    search: 'Name, e-mail, ref or id',
    byId: 'Id of a user',
    noSearch: 'This service cannot look for users: write or paste an id.',
    users: 'Users found',
    withId: 'The user with this id',
    searching: 'Searching…',
    nothing: 'No user is found by this.',
    similar: 'Nobody matches exactly; these are similar.',
    more: 'There are more. Type more to narrow it down.',
    failed: 'Users cannot be looked for just now.',
    noName: 'No name',
    member: (isMember: boolean) => (isMember ? 'is in this segment.' : 'is not in this segment.'),
    unknown: 'may or may not be in it: it asks for sensitive values that you may not see.',
    gone: 'This user does not exist.',
    bare: 'This service does not say it directly. On the user’s page it can be found out by going through the users of the segment.',
    open: 'Open the segments of this user',
  },
}
