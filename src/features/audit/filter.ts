import { type AuditKind, auditKinds } from '#contract/index.ts'
import { momentIn } from '../../domain/log-page/moments.ts'

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

/** Filter and page of the audit log. */
export interface AuditQuery extends AuditFilter {
  /** The service's own word for what follows the page before; absent: the newest. */
  readonly after?: string | undefined
}

/** Reads filter and page from an address and drops values that are not valid. */
export function readAuditQuery(address: URLSearchParams): AuditQuery {
  const code = (name: string) => address.get(name) || undefined
  return {
    actor: code('actor'),
    user: code('user'),
    key: code('key'),
    kind: auditKinds.find((kind) => kind === address.get('kind')),
    from: momentIn(address, 'from'),
    to: momentIn(address, 'to'),
    after: code('after'),
  }
}

export function toAuditFilter({ actor, user, key, kind, from, to }: AuditQuery): AuditFilter {
  return { actor, user, key, kind, from, to }
}

/** Tells whether the filter goes beyond actor and days, the only ones that the figures of actors are kept by. */
export function isNarrowed({ user, key, kind }: AuditFilter): boolean {
  return user !== undefined || key !== undefined || kind !== undefined
}

export function isAuditFiltered(query: AuditQuery): boolean {
  return Object.values(query).some((value) => value !== undefined)
}
