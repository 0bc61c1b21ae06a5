import type { Scope } from '#contract/index.ts'
import { defineMessages } from '../language/message.ts'

/** Why a control is disabled for the caller, or a page refused: what a role without a scope can’t do. */
export const scopeText = defineMessages({
  lacking: {
    'users:read': 'Your role can’t see users.',
    'users:write': 'Your role can’t create or change users.',
    'users:delete': 'Your role can’t delete users.',
    'entities:read': 'Your role can’t see entities.',
    'entities:write': 'Your role can’t change entities.',
    'sensitive:read': 'Your role can’t see sensitive values.',
    'sensitive:write': 'Your role can’t change sensitive values.',
    'segments:read': 'Your role can’t see segments.',
    'segments:write': 'Your role can’t change segments.',
    'definitions:write': 'Your role can’t change definitions.',
    'events:read': 'Your role can’t see events.',
    'webhooks:manage': 'Your role can’t see or change webhooks.',
  } satisfies Record<Scope, string>,
  /** Scopes of another service are not named: people do not know them. */
  other: 'Your role doesn’t allow this.',
})
