import type { Scope } from '#contract/index.ts'

const deeds: Readonly<Record<Scope, string>> = {
  'users:read': 'see users',
  'users:write': 'create or change users',
  'users:delete': 'delete users',
  'entities:read': 'see entities',
  'entities:write': 'change entities',
  'sensitive:read': 'see sensitive values',
  'sensitive:write': 'change sensitive values',
  'segments:read': 'see segments',
  'segments:write': 'change segments',
  'events:read': 'see events',
  'webhooks:manage': 'see or change webhooks',
}

/** Says what a role without a scope may not do. Scopes of another service are not named: people do not know them. */
export function mayNot(scope: string | undefined): string {
  const deed = (deeds as Readonly<Record<string, string>>)[scope ?? '']
  return deed === undefined ? 'Your role doesn’t allow this.' : `Your role may not ${deed}.`
}
