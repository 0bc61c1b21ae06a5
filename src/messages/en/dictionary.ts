import { defineMessages } from '../language/message.ts'

/** Texts of the data dictionary. */
export const dictionaryText = defineMessages({
  title: 'Dictionary',
  lead: 'All properties, their types, and how many users have them.',
  counted: 'Last counted: {time}',
  filter: 'Filter by entity type, property or data type',
  clear: 'Clear filter',
  index: 'Entity types',
  key: 'Property',
  types: 'Type',
  users: 'Users',
  sensitive: 'Sensitive',
  segments: 'Used in segments',
  totals:
    '{entities, plural, one {# entity} other {# entities}} of {owners, plural, one {# user} other {# users}}',
  share: '{share, number, share} of the users with such an entity',
  all: 'All',
  some: '{sensitive, number} of {count, number}',
  /** Number of properties marked as sensitive, or not, unlike most properties with the same key. */
  marked: { sensitive: '{count, number} sensitive', readable: '{count, number} not sensitive' },
  showMarked: {
    sensitive: 'List users whose {property} is sensitive ({count, number})',
    readable: 'List users whose {property} isn’t sensitive ({count, number})',
  },
  deviates: '{count, plural, one {# user as {type}} other {# users as {type}}}',
  show: '{count, plural, one {List # user with {property} as {type}} other {List # users with {property} as {type}}}',
  more: 'Show {count, number} more',
  fewer: 'Show fewer',
  /** Key that is nearly the same as a commoner one, so one of the two may be a typing error. */
  similar: 'Similar to {key}',
  /** Texts in clear that are mostly written like personal data, by the form that the service found. */
  looksLike: {
    email: 'Looks like an e-mail address, not marked as sensitive',
    iban: 'Looks like an IBAN, not marked as sensitive',
    phone: 'Looks like a phone number, not marked as sensitive',
  },
  none: 'No properties',
  atLeast: 'Too many different properties to list. Something may be storing values as property names.',
  counting: { title: 'Counting properties', body: 'This page updates when the count is ready.' },
  empty: { title: 'No entities yet', body: 'The properties of your users’ entities appear here.' },
  noMatch: { title: 'Nothing matches', body: 'No entity type, property or data type contains this text.' },
})
