import { counted, number } from '../format.ts'

const users = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the data dictionary. */
export const dictionaryText = {
  title: 'Dictionary',
  lead: 'All properties, their types, and how many users have them.',
  /** Before a time. */
  counted: 'Last counted:',
  filter: 'Filter by entity type, property or data type',
  clear: 'Clear the filter',
  key: 'Property',
  types: 'Type',
  users: 'Users',
  sensitive: 'Sensitive',
  segments: 'Used in segments',
  totals: ({ entities, owners }: { entities: number; owners: number }) =>
    `${counted(entities, { one: 'entity', other: 'entities' })} of ${users(owners)}`,
  share: (percent: string) => `${percent} of the users who have such an entity`,
  all: 'All',
  some: ({ sensitive, count }: { sensitive: number; count: number }) =>
    `${number(sensitive)} of ${number(count)}`,
  /** Properties that are marked in another way than most. */
  marked: ({ count, isSensitive }: { count: number; isSensitive: boolean }) =>
    isSensitive ? `${number(count)} sensitive` : `${number(count)} not sensitive`,
  showMarked: ({ count, property, isSensitive }: { count: number; property: string; isSensitive: boolean }) =>
    isSensitive
      ? `List users whose ${property} is sensitive (${number(count)})`
      : `List users whose ${property} is not sensitive (${number(count)})`,
  deviates: ({ count, type }: { count: number; type: string }) => `${users(count)} as ${type}`,
  show: ({ count, property, type }: { count: number; property: string; type: string }) =>
    `List ${users(count)} with ${property} as ${type}`,
  more: (count: number) => `${number(count)} more`,
  fewer: 'Show fewer',
  none: 'No properties',
  atLeast: 'Too many different properties to list. Something may be storing values as property names.',
  counting: { title: 'Counting properties', body: 'This page updates when the count is ready.' },
  empty: { title: 'No entities yet', body: 'The properties of your users’ entities appear here.' },
  noMatch: { title: 'Nothing matches', body: 'No entity type, property or data type contains this text.' },
}
