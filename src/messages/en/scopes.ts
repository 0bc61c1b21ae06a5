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

/** What a role without a scope may not do; a scope of another service is no word for people. */
export function mayNot(scope: string | undefined): string {
  const deed = (deeds as Readonly<Record<string, string>>)[scope ?? '']
  return deed === undefined ? 'Your role does not include it.' : `Your role may not ${deed}.`
}
