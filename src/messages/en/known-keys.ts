import { defineMessages } from '../language/message.ts'

/** Texts of a field for a key that other entities may have. */
export const knownKeyText = defineMessages({
  list: 'Known properties',
  /** Shown for a key that no entity of the chosen type has. */
  unknown: 'No entity of this type has this property.',
  /** `types` is a list such as “Text or Number”. */
  otherType: '“{key}” is stored as {types}.',
  takeType: 'Use {type}',
})
