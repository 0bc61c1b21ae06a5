import { type AuditKind, auditKinds } from '#contract/index.ts'
import { momentIn } from '../../domain/log-page/moments.ts'

/**
 * Filter of the audit log as stored in the URL: ids, codes and moments, never names. Undefined members don't filter.
 */
export interface AuditFilter {
  readonly actor?: string | undefined
  readonly user?: string | undefined
  readonly key?: string | undefined
  readonly kind?: AuditKind | undefined
  /** Start (inclusive) and end (exclusive) of the span, with their zone. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditQuery extends AuditFilter {
  /** Opaque cursor from the service; undefined for the newest page. */
  readonly after?: string | undefined
}

/** Reads filter and page from a URL, dropping invalid values. */
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

/** Whether the filter uses `user`, `key` or `kind`; the figures then cover exact moments instead of whole UTC days. */
export function isNarrowed({ user, key, kind }: AuditFilter): boolean {
  return user !== undefined || key !== undefined || kind !== undefined
}

export function isAuditFiltered(query: AuditQuery): boolean {
  return Object.values(query).some((value) => value !== undefined)
}
