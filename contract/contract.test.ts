import { describe, expect, test } from 'vitest'

import {
  activeCurrencies,
  type Endpoint,
  endpoints,
  fold,
  isCurrency,
  JsonNumber,
  pastCurrencies,
  propertyKey,
  readValue,
  roleScopes,
  scopes,
  userCreate,
  zonelessDatetime,
} from './index.ts'

describe('the contract', () => {
  test('is the API document, operation by operation: a change here is a change of the API', () => {
    const table = Object.entries<Endpoint>(endpoints).map(
      ([name, { method, path, needs, status }]) =>
        `${method} ${path} ${status.join(' ')} | ${needs === 'public' ? needs : needs.join(' ')} | ${name}`,
    )
    expect(table.join('\n')).toMatchInlineSnapshot(`
      "GET /users 200 | users:read | listUsers
      POST /users 201 303 | users:write | createUser
      GET /users/{user_id} 200 | users:read | getUser
      DELETE /users/{user_id} 204 | users:delete | deleteUser
      PATCH /users/{user_id} 303 | users:write | patchUser
      GET /users/{user_id}/entities 200 | entities:read | listEntities
      POST /users/{user_id}/entities 201 | entities:write | createEntity
      GET /users/{user_id}/entities/{entity_id} 200 | entities:read | getEntity
      PUT /users/{user_id}/entities/{entity_id} 204 | entities:write | replaceEntity
      PATCH /users/{user_id}/entities/{entity_id} 204 | entities:write | patchEntity
      DELETE /users/{user_id}/entities/{entity_id} 204 | entities:write | deleteEntity
      GET /segments 200 | segments:read | listSegments
      POST /segments 201 | segments:write | createSegment
      GET /segments/{segment_id} 200 | segments:read | getSegment
      DELETE /segments/{segment_id} 204 | segments:write | deleteSegment
      GET /datatypes 200 | public | listDataTypes
      GET /events 200 | events:read | listEvents
      GET /events/{event_id} 200 | events:read | getEvent
      GET /capabilities 200 | public | getCapabilities
      POST /users/search 200 | users:read | searchUsers
      POST /users/lookup 200 | users:read | lookUpUsers
      POST /users/{user_id}/account 204 | users:write | acceptInvitation
      POST /users/{user_id}/entities/{entity_id}/reveal 200 | entities:read sensitive:read | revealProperties
      POST /users/{user_id}/accesses 200 | entities:read sensitive:read | beginAccess
      POST /users/{user_id}/check 200 | entities:read | checkValue
      POST /users/{user_id}/entities/{entity_id}/restore 204 | entities:write | restoreEntity
      GET /keys 200 | entities:read | listKeys
      GET /dictionary 200 | entities:read | getDictionary
      GET /definitions 200 |  | listDefinitions
      PUT /definitions 204 | definitions:write | replaceDefinitions
      GET /definitions/{entity_type} 200 |  | getTypeDefinition
      PUT /definitions/{entity_type} 204 | definitions:write | putTypeDefinition
      DELETE /definitions/{entity_type} 204 | definitions:write | deleteTypeDefinition
      GET /definitions/{entity_type}/{key} 200 |  | getDefinition
      PUT /definitions/{entity_type}/{key} 204 | definitions:write | putDefinition
      DELETE /definitions/{entity_type}/{key} 204 | definitions:write | deleteDefinition
      GET /keys/{entity_type}/{key}/values 200 | entities:read | listKeyValues
      GET /users/{user_id}/segments 200 | users:read segments:read | listUserSegments
      POST /users/{user_id}/explain 200 | users:read entities:read segments:read | explainUser
      PUT /segments/{segment_id} 204 | segments:write | replaceSegment
      POST /segments/preview 200 | users:read segments:read | previewSegment
      GET /segments/history 200 | segments:read | listSegmentHistory
      GET /segments/{segment_id}/dependents 200 | segments:read | listDependents
      GET /events/counts 200 | events:read | countEvents
      GET /changesets/{changeset_id} 200 | users:read entities:read | getChangeset
      POST /changesets/lookup 200 | users:read entities:read | lookUpChangesets
      POST /changesets/{changeset_id}/reveal 200 | users:read entities:read sensitive:read | revealChanges
      POST /changesets/{changeset_id}/revert 204 |  | revertChangeset
      GET /subscriptions 200 | webhooks:manage | listSubscriptions
      POST /subscriptions 200 | webhooks:manage | createSubscription
      GET /subscriptions/{subscription_id} 200 | webhooks:manage | getSubscription
      PATCH /subscriptions/{subscription_id} 204 | webhooks:manage | patchSubscription
      DELETE /subscriptions/{subscription_id} 204 | webhooks:manage | deleteSubscription
      POST /subscriptions/{subscription_id}/test 200 | webhooks:manage | testSubscription
      POST /subscriptions/{subscription_id}/rotate-secret 200 | webhooks:manage | rotateSecret
      GET /subscriptions/{subscription_id}/attempts 200 | webhooks:manage | listRecentAttempts
      GET /subscriptions/{subscription_id}/health 200 | webhooks:manage | getHealth
      POST /subscriptions/{subscription_id}/recover 200 | webhooks:manage | recoverSubscription
      GET /events/{event_id}/attempts 200 | events:read | listDeliveries
      POST /events/{event_id}/redeliver 200 | webhooks:manage | redeliverEvent
      GET /audit 200 | sensitive:read | listAudit
      GET /audit/actors 200 | sensitive:read | listAuditActors
      GET /erasures 200 | users:read | listErasures
      POST /erasures/search 200 | users:read | searchErasures
      POST /erasures/check 200 | users:read | checkErasure
      POST /users/batch 201 | users:read entities:read entities:write | createBatch
      POST /users/delete 201 | users:read users:delete | deleteUsers
      GET /jobs 200 | users:read | listJobs
      GET /jobs/{job_id} 200 | users:read | getJob
      GET /jobs/{job_id}/users 200 | users:read | getJobReport
      POST /jobs/{job_id}/stop 204 | users:read | stopJob
      POST /jobs/{job_id}/resume 204 | users:read | resumeJob
      POST /jobs/{job_id}/apply 204 | users:read | applyJob
      POST /jobs/{job_id}/undo 204 | users:read | undoJob
      POST /exports 201 | users:read | createExport
      GET /jobs/{job_id}/file 200 | users:read | getJobFile
      POST /imports 201 | users:read users:write entities:read entities:write | createImport
      GET /imports/{job_id} 200 | users:read users:write entities:read entities:write | getImport
      PUT /imports/{job_id}/mapping 200 | users:read users:write entities:read entities:write | mapImport
      POST /imports/{job_id}/check 204 | users:read users:write entities:read entities:write | checkImport
      GET /imports/{job_id}/rows 200 | users:read users:write entities:read entities:write | getImportRows"
    `)
  })

  test('gives each role the scopes that the design names', () => {
    expect(roleScopes.support).not.toContain('entities:write')
    expect(roleScopes.support).not.toContain('sensitive:read')
    expect(roleScopes.support).not.toContain('users:delete')
    expect(roleScopes.steward).toEqual(
      expect.arrayContaining(['users:delete', 'entities:write', 'sensitive:read', 'sensitive:write']),
    )
    expect(roleScopes.steward).not.toContain('segments:write')
    expect(roleScopes.integrator).toEqual(['events:read', 'webhooks:manage'])
    expect(roleScopes.admin).toEqual(scopes)
  })
})

describe('values that both sides read', () => {
  test.each([
    ['ANA@Example.org', 'ana@example.org'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδός', 'οδόσ'],
    ['e\u0301', '\u00c9'],
    ['İstanbul', 'istanbul'],
    ['İSTANBUL', 'ISTANBUL'],
    ['I\u0307zmir', 'izmir'],
    ['i\u0307zmir', 'IZMIR'],
    ['Diyarbakır', 'DİYARBAKIR'],
    ['İ\u0301', 'í'],
  ])('%s and %s fold to the same', (a, b) => {
    expect(fold(a)).toBe(fold(b))
  })

  test.each([
    ['2024-03-01T09:30:00', '2024-03-01T09:30:00.000'],
    ['2024-03-01T09:30:00.1', '2024-03-01T09:30:00.100'],
    ['0001-01-01T00:00:00.000', '0001-01-01T00:00:00.000'],
  ])('the zone-less datetime %s is completed to %s', (given, completed) => {
    expect(zonelessDatetime.parse(given)).toBe(completed)
  })

  test.each([
    '2024-03-01',
    '2024-03-01T09:30:00Z',
    '2024-02-30T00:00:00.000',
    '0000-01-01T00:00:00.000',
    '2024-03-01T24:00:00',
  ])('the zone-less datetime %s is refused', (given) => {
    expect(zonelessDatetime.safeParse(given).success).toBe(false)
  })

  test('a number that a double would change is refused as NUMBER and kept as DECIMAL', () => {
    expect(readValue('NUMBER', new JsonNumber('1.50'))).toEqual({ value: 1.5 })
    expect(readValue('NUMBER', new JsonNumber('0.1000000000000000055511151231257827'))).toHaveProperty(
      'issues',
    )
    expect(readValue('NUMBER', new JsonNumber('1e400'))).toHaveProperty('issues')
    expect(readValue('DECIMAL', new JsonNumber('0.1000000000000000055511151231257827'))).toEqual({
      value: '0.1000000000000000055511151231257827',
    })
    expect(readValue('DECIMAL', new JsonNumber('1e400'))).toHaveProperty('issues')
  })

  test('a currency is one of ISO 4217, of today or the past, each once', () => {
    const all = [...activeCurrencies, ...pastCurrencies]
    expect(new Set(all).size).toBe(all.length)
    for (const code of all)
      expect(readValue('CURRENCY', { currency: code, value: '1' })).not.toHaveProperty('issues')
    for (const code of ['eur', 'EURO', 'EU', 'BTC', 'XAB', 'ZZZ', '978', '€', '', 'E UR'])
      expect(readValue('CURRENCY', { currency: code, value: '1' })).toHaveProperty('issues')
  })

  test('a currency that this machine knows is in the table', () => {
    const missing = Intl.supportedValuesOf('currency').filter((code) => !isCurrency(code))
    expect(missing, 'ISO 4217 has a new code: contract/currency.ts').toEqual([])
  })

  test('a key is asked for as long as it may be written', () => {
    const key = 'k'.repeat(128)
    expect(propertyKey.safeParse(key).success).toBe(true)
    expect(propertyKey.safeParse(`${key}k`).success).toBe(false)
    expect(endpoints.listAudit.query.safeParse({ key }).success).toBe(true)
  })

  test('an e-mail is trimmed, and the default text of a GET may come back', () => {
    expect(userCreate.parse({ email: ' ana@example.org ' }).email).toBe('ana@example.org')
    expect(userCreate.parse({ email: 'Unknown email', invite_url: 'x' })).toMatchObject({
      email: 'Unknown email',
    })
    expect(userCreate.safeParse({ email: 'Unknown' }).success).toBe(false)
  })
})
