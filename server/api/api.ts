import { dataTypes, type Feature, features } from '#contract/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { DefinitionCache } from '../definitions/definitions.ts'
import { CommonValueCounts } from '../dictionary/common-values.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { SealedGate, type SensitiveReads } from '../events/sealed-gate.ts'
import { EventStreams } from '../events/stream.ts'
import type { Api } from '../http/app.ts'
import { keyMissing, unavailable } from '../http/errors/problem.ts'
import { missingMasters } from '../sealing/key-rotation.ts'
import { SegmentCounts } from '../segments/counts.ts'
import { outboxAge } from '../webhooks/waiting.ts'
import { auditHandlers } from './audit.ts'
import { changesetHandlers } from './changesets.ts'
import { definitionHandlers } from './definitions.ts'
import { dictionaryHandlers } from './dictionary.ts'
import { entityHandlers } from './entities.ts'
import { erasureHandlers } from './erasures.ts'
import { eventHandlers } from './events.ts'
import { exportHandlers } from './exports.ts'
import { figuresOf } from './figures.ts'
import { importRowHandlers } from './import-rows.ts'
import { importHandlers } from './imports.ts'
import { jobHandlers } from './jobs.ts'
import type { Needs } from './needs.ts'
import { segmentHandlers } from './segments.ts'
import { userHandlers } from './users.ts'
import { webhookHandlers } from './webhooks.ts'

/**
 * Maximum age of the oldest event in `event_inbox` at which the service is ready. Normally this table is emptied
 * several times a second.
 */
const maxOutboxAgeSeconds = 60

export interface ApiSettings extends Omit<
  Needs,
  'searches' | 'additions' | 'counts' | 'definitions' | 'dictionary' | 'commonValues' | 'gate'
> {
  readonly additions?: 'all' | 'none'
  readonly sensitiveReads?: SensitiveReads | undefined
  readonly changeReasons?: 'optional' | 'required'
}

/** Creates the handlers of all endpoints of the contract, over a store. */
export function createApi(settings: ApiSettings): Api {
  const { database } = settings
  const additions = settings.additions !== 'none'
  const counts = new SegmentCounts(database)
  const definitions = new DefinitionCache(database)
  const dictionary = new Dictionary(database)
  const commonValues = new CommonValueCounts(database)
  const streams = new EventStreams(database)
  const gate = new SealedGate(settings.sensitiveReads)
  const searches = { ...database, sql: database.searches }
  const needs = { ...settings, searches, additions, counts, definitions, dictionary, commonValues, gate }
  // Without additions there is no header that could carry a reason, so none can be required.
  const changeReasons = (additions && settings.changeReasons) || 'optional'
  const offered = additions ? featuresOf(changeReasons, settings) : {}
  return {
    store: database,
    additions,
    features: offered,
    changeReasons,
    idempotencySecret: database.keys.secrets.idempotency,
    etagSecret: database.keys.secrets.etag,
    logSecret: database.keys.secrets.log,
    handlers: {
      ...userHandlers(needs),
      ...entityHandlers(needs),
      ...dictionaryHandlers(needs),
      ...definitionHandlers(needs),
      ...segmentHandlers(needs),
      listDataTypes: () => ({ status: 200, body: [...dataTypes] }),
      ...eventHandlers(needs),
      ...changesetHandlers(needs),
      ...auditHandlers(needs),
      ...erasureHandlers(needs),
      ...jobHandlers(needs),
      ...exportHandlers(needs),
      ...importHandlers(needs),
      ...importRowHandlers(needs),
      ...webhookHandlers(needs),
      getCapabilities: () => ({
        status: 200,
        body: { api: '1.5', release: manifest.version, features: offered },
      }),
    },
    openEvents: (call) => streams.open(call),
    async readiness() {
      await database.pool.query('select 1 from users limit 1')
      if ((await missingMasters(database.sql, database.keys.keyring)).length > 0) throw keyMissing()
      // In read-only mode reads still work, so the service is ready. Events have to wait, but so do the changes that
      // would add more of them.
      if (database.isReadOnly()) return { status: 'read-only' }
      const outboxAgeSeconds = await outboxAge(database.sql)
      if (outboxAgeSeconds > maxOutboxAgeSeconds)
        throw unavailable('Events do not reach the log. The changes themselves are stored.')
      return { status: 'ok', outboxAgeSeconds }
    },
    figures: () => figuresOf(database, counts),
    endStreams: () => streams.close(),
    async close() {
      await Promise.all([counts.close(), dictionary.close(), commonValues.close()])
    },
  }
}

function featuresOf(
  changeReasons: 'optional' | 'required',
  { sensitiveReads, database }: ApiSettings,
): Partial<Record<Feature, number>> {
  const {
    'changes.reason.required': required,
    'sensitive.reveal.only': only,
    'erasures.check': check,
    ...others
  } = features
  return {
    ...others,
    ...(changeReasons === 'required' && { 'changes.reason.required': required }),
    ...(sensitiveReads === 'reveal' && { 'sensitive.reveal.only': only }),
    ...(database.keys.keepsDigests && { 'erasures.check': check }),
  }
}
