import { defineMessages } from '../language/message.ts'

/**
 * Texts about a property that is marked as sensitive for other users: for `all` who have it, for `nearly` all, or for
 * an unknown number (`uncounted`).
 */
export const knownPropertyText = defineMessages({
  hidden: {
    uncounted: 'Marked as sensitive for other users who have this property.',
    all: '{users, plural, =1 {Marked as sensitive for the one user who has this property.} other {Marked as sensitive for all # users who have this property.}}',
    nearly:
      '{users, plural, =1 {Marked as sensitive for the one user who has this property.} other {Marked as sensitive for nearly all # users who have this property.}}',
  },
  readable: {
    uncounted: 'Readable here, but marked as sensitive for other users who have this property.',
    all: '{users, plural, =1 {Readable here, but marked as sensitive for the one user who has this property.} other {Readable here, but marked as sensitive for all # users who have this property.}}',
    nearly:
      '{users, plural, =1 {Readable here, but marked as sensitive for the one user who has this property.} other {Readable here, but marked as sensitive for nearly all # users who have this property.}}',
  },
  /** `type` is the label of an entity type. */
  elsewhere: 'Marked as sensitive, as in {type}.',
  /** Suggests a known key or its usual type, with the number of users who have it, if counted. */
  had: {
    uncounted: '“{key}” ({type}) is used elsewhere.',
    counted: '{users, plural, one {# user has “{key}” ({type}).} other {# users have “{key}” ({type}).}}',
    more: '{users, plural, one {More than # user has “{key}” ({type}).} other {More than # users have “{key}” ({type}).}}',
  },
  take: 'Use “{key}”',
  takeType: 'Use the type {type}',
  checking: 'Checking whether this property is sensitive…',
  unchecked: 'Couldn’t check whether this property is sensitive.',
  uncheckedIssue: 'Choose whether this property is sensitive, or try again.',
  cannotHide: 'Your role can’t change sensitive values.',
  open: {
    title: 'Make {label} readable?',
    body: {
      uncounted: '{label} is marked as sensitive for other users.',
      all: '{users, plural, =1 {{label} is marked as sensitive for the one user who has it.} other {{label} is marked as sensitive for all # users who have it.}}',
      nearly: '{users, plural, other {{label} is marked as sensitive for nearly all # users who have it.}}',
    },
    consequence: 'Everyone who can see users could read these values, and search would find them.',
    keep: 'Keep {label} hidden',
    open: 'Make {label} readable',
  },
})
