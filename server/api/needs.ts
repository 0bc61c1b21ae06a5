import type { Logger } from 'pino'

import type { DefinitionCache } from '../definitions/definitions.ts'
import type { CommonValueCounts } from '../dictionary/common-values.ts'
import type { Dictionary } from '../dictionary/dictionary.ts'
import type { SealedGate } from '../events/sealed-gate.ts'
import type { Database } from '../sealing/database.ts'
import type { SegmentCounts } from '../segments/counts.ts'

/** Dependencies of the handlers. */
export interface Needs {
  readonly database: Database
  /** Separate connections, with their own time limit, for searches of users and evaluations of segments. */
  readonly searches: Database
  readonly counts: SegmentCounts
  readonly definitions: DefinitionCache
  readonly dictionary: Dictionary
  readonly commonValues: CommonValueCounts
  readonly gate: SealedGate
  /** Whether the service offers features beyond the API document. */
  readonly additions: boolean
  readonly inviteUrl: string
  readonly log?: Logger | undefined
  /** Whether webhooks may be sent to this machine, for development and tests. */
  readonly allowLoopback?: boolean
}
