import { counted, number } from '../format.ts'

const users = (count: number) => counted(count, { one: 'user', other: 'users' })

/** Texts of the data dictionary. */
export const dictionaryText = {
  title: 'Dictionary',
  lead: 'Which properties there are, of what types, and how many users have them.',
  counted: 'Counted',
  filter: 'Filter by entity type, key or data type',
  clear: 'Clear the filter',
  key: 'Property',
  types: 'Type',
  users: 'Users',
  sensitive: 'Sensitive',
  segments: 'Used in segments',
  totals: (entities: number, owners: number) =>
    `${counted(entities, { one: 'entity', other: 'entities' })} of ${users(owners)}`,
  share: (percent: string) => `${percent} of those who have one`,
  all: 'All',
  some: (sensitive: number, count: number) => `${number(sensitive)} of ${number(count)}`,
  /** Properties that are marked in another way than most. */
  marked: (count: number, isSensitive: boolean) =>
    `${number(count)} ${isSensitive ? 'sensitive' : 'not sensitive'}`,
  showMarked: (count: number, key: string, isSensitive: boolean) =>
    `Users whose ${key} is ${isSensitive ? 'sensitive' : 'not sensitive'} (${number(count)}): list them`,
  deviates: (count: number, type: string) => `${users(count)} as ${type}`,
  show: (count: number, type: string, key: string) =>
    `${users(count)} who ${count === 1 ? 'has' : 'have'} ${key} as ${type}: list them`,
  more: (count: number) => `${number(count)} more`,
  fewer: 'Fewer',
  none: 'No properties',
  atLeast: 'There are more keys than are listed here: some key seems to hold values.',
  counting: { title: 'The properties are being counted', body: 'This page fills by itself.' },
  empty: { title: 'No entities yet', body: 'What users have stands here, once there is something.' },
  noMatch: { title: 'Nothing matches', body: 'No entity type, key or data type has this in it.' },
}
