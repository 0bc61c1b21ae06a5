import { type AuditKind, auditKinds } from '#contract/index.ts'

/**
 * Filter of the audit log as stored in the address: ids, codes and moments, never a name. Undefined: not filtered by
 * it.
 */
export interface AuditFilter {
  readonly actor?: string | undefined
  readonly user?: string | undefined
  readonly key?: string | undefined
  readonly kind?: AuditKind | undefined
  /** First moment, and the one before which it ends, with their zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** A page of it. */
export interface AuditAsked extends AuditFilter {
  /** The service's own word for what follows the page before; absent: the newest. */
  readonly after?: string | undefined
}

/** Reads the filter and drops values that are not valid. */
export function askedIn(address: URLSearchParams): AuditAsked {
  const moment = (name: string) => {
    const ms = Date.parse(address.get(name) ?? '')
    return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
  }
  const code = (name: string) => address.get(name) || undefined
  return {
    actor: code('actor'),
    user: code('user'),
    key: code('key'),
    kind: auditKinds.find((kind) => kind === address.get('kind')),
    from: moment('from'),
    to: moment('to'),
    after: code('after'),
  }
}

export function filterOf({ actor, user, key, kind, from, to }: AuditAsked): AuditFilter {
  return { actor, user, key, kind, from, to }
}

export const everything: AuditFilter = {}

/** Tells whether the filter goes beyond actor and days, the only ones that the figures of actors are kept by. */
export function isOfSome({ user, key, kind }: AuditFilter): boolean {
  return user !== undefined || key !== undefined || kind !== undefined
}

export function isFiltered(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}
