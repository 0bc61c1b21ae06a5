import type { Scope } from '#contract/index.ts'
import { defineMessages } from '../message.ts'

/** Why a control is disabled for the caller, or a page refused: what a role without a scope may not do. */
export const scopeText = defineMessages({
  lacking: {
    'users:read': 'Your role may not see users.',
    'users:write': 'Your role may not create or change users.',
    'users:delete': 'Your role may not delete users.',
    'entities:read': 'Your role may not see entities.',
    'entities:write': 'Your role may not change entities.',
    'sensitive:read': 'Your role may not see sensitive values.',
    'sensitive:write': 'Your role may not change sensitive values.',
    'segments:read': 'Your role may not see segments.',
    'segments:write': 'Your role may not change segments.',
    'events:read': 'Your role may not see events.',
    'webhooks:manage': 'Your role may not see or change webhooks.',
  } satisfies Record<Scope, string>,
  /** Scopes of another service are not named: people do not know them. */
  other: 'Your role doesn’t allow this.',
})
