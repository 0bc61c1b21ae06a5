import { defineMessages } from '../message.ts'

/** Texts of a field for a key that other entities may have. */
export const knownKeyText = defineMessages({
  list: 'Known properties',
  /** Said of a key that no entity of the chosen type has. */
  unknown: 'No entity of this type has this property.',
  /** The types are alternatives. */
  otherType: '“{key}” is stored as {types}.',
  takeType: 'Use {type}',
})
