import type { MigrationProvider } from 'kysely/migration'
import type { Keyring } from '../../sealing/encryption.ts'
import * as firstTables from './0001-first-tables.ts'
import * as userTerms from './0002-user-terms.ts'
import * as writes from './0003-writes.ts'
import * as eventFiltersAndKeys from './0004-event-filters-and-keys.ts'
import { sealedValues } from './0005-sealed-values.ts'
import * as webhooks from './0006-webhooks.ts'
import { reasons } from './0007-reasons.ts'
import * as erasures from './0008-erasures.ts'
import * as sizes from './0009-sizes.ts'

// In code instead of read from the folder: what runs is what was type-checked. They run in the order of their names,
// forward only, and one that has been released is never edited again.
export const migrations = (keyring: Keyring): MigrationProvider => ({
  getMigrations: () =>
    Promise.resolve({
      '0001-first-tables': firstTables,
      '0002-user-terms': userTerms,
      '0003-writes': writes,
      '0004-event-filters-and-keys': eventFiltersAndKeys,
      '0005-sealed-values': sealedValues(keyring),
      '0006-webhooks': webhooks,
      '0007-reasons': reasons(keyring),
      '0008-erasures': erasures,
      '0009-sizes': sizes,
    }),
})
