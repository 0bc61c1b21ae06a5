import fc from 'fast-check'
import { beforeAll, describe, expect, test, vi } from 'vitest'

import type { Entity, Property } from '#contract/index.ts'
import { testService } from '#server/testing/hooks.ts'
import type { TestService } from '#server/testing/service.ts'
import type { Side } from '../../domain/writing/ConflictDialog.tsx'
import type { EntityDraft } from './draft/entity-draft.ts'
import type { DraftRow } from './draft/row.ts'
import type { EntitySaveResult } from './saving/save.ts'

/** One person's edit of one property. */
interface Edit {
  readonly key: string
  readonly do: 'value' | 'remove' | 'rename' | 'mark'
  readonly value: string
  readonly name: string
}

interface Person {
  /** Edits of each round; a round opens the entity, edits it and saves. */
  readonly rounds: readonly (readonly Edit[])[]
  /** Answers to the conflict questions, in turn. */
  readonly sides: readonly Side[]
  /** Whether the entity is opened from the user's list, whose entities have no ETags. */
  readonly fromList: boolean
  /** Whether the response to each write is lost, in turn. */
  readonly lost: readonly boolean[]
}

const edit = fc.record<Edit>({
  key: fc.constantFrom('a', 'b', 'c', 's', 'd'),
  do: fc.constantFrom('value', 'value', 'value', 'value', 'remove', 'rename', 'mark'),
  value: fc.constantFrom('1', '2', '3'),
  name: fc.constantFrom('d', 'e'),
})
const person = fc.record<Person>({
  rounds: fc.array(fc.array(edit, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  sides: fc.array(fc.constantFrom('mine', 'theirs'), { minLength: 1, maxLength: 4 }),
  fromList: fc.boolean(),
  lost: fc.oneof(
    { weight: 3, arbitrary: fc.constant([false]) },
    { weight: 1, arbitrary: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }) },
  ),
})
const property = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 's'),
  value: fc.constantFrom('1', '2', '3'),
})
const start = fc.uniqueArray(property, { selector: ({ key }) => key })

/** Stored values by key, including sensitive ones the console does not see; the reference for both editors. */
type Stored = ReadonlyMap<string, { readonly value: unknown; readonly sensitive: boolean }>

const same = (a: Stored, b: Stored, key: string) => JSON.stringify(a.get(key)) === JSON.stringify(b.get(key))
const differing = (a: Stored, b: Stored) =>
  [...new Set([...a.keys(), ...b.keys()])].filter((key) => !same(a, b, key))

/** Loads a separate copy of the console's modules, to act as a browser with its own connection. */
async function openBrowser(service: TestService, fetcher: typeof fetch) {
  vi.resetModules()
  const { api } = await import('../../api/operations.ts')
  const { connect } = await import('../../api/connection.ts')
  const { keyedWrites } = await import('../../api/keyed-writes.ts')
  const drafts = await import('./draft/entity-draft.ts')
  const { newRowId } = await import('./draft/row.ts')
  const { requestOf } = await import('./draft/difference.ts')
  const merging = await import('./draft/merge.ts')
  const { requestMasked } = await import('../../domain/queries/entities.ts')
  const { save, settle } = await import('./saving/save.ts')
  const token = () => service.token('steward')
  connect({
    apiUrl: service.baseUrl,
    tokens: { token, tokenAfter: token },
    features: service.features,
    fetch: fetcher,
  })
  return { api, keyedWrites, ...drafts, ...merging, newRowId, requestOf, requestMasked, save, settle }
}
type Browser = Awaited<ReturnType<typeof openBrowser>>

/** State of one entity while two people edit it. */
interface Run {
  readonly place: { readonly userId: string; readonly entityId: string }
  stored: Stored
  /** Waits for the caller's turn. */
  readonly turn: () => Promise<unknown>
  readonly editors: readonly [Editor, Editor]
  readonly wrong: string[]
}

/** Model of one person: what they have seen and intend, independent of the console's own state. */
interface Editor {
  /** Stored state when the person last read the entity. */
  read: Stored
  /** Stored state when the person opened the entity. */
  began: Stored
  /** Values on screen when they were edited or decided on, by key. */
  seen: Map<string, ReturnType<Stored['get']>>
  /** State that the edits aim for. */
  wanted: Stored
  /** Keys that the person means to change. */
  meant: Set<string>
  /** Keys of properties that the person added. */
  given: ReadonlySet<string>
  /** Keys that renamed properties had when the person opened the entity, by their new keys. */
  renamed: ReadonlyMap<string, string>
  /** Keys of properties that the person removed. */
  removed: ReadonlySet<string>
  /** Removed keys that were given to another property, in conflict itself: taking theirs leaves them removed. */
  freed: Set<string>
  /** Keys in conflict, with the chosen side; `both` if two questions about a key were answered differently. */
  asked: Map<string, Side | 'both'>
  written: number
}

const newEditor = (): Editor => ({
  read: new Map(),
  began: new Map(),
  seen: new Map(),
  wanted: new Map(),
  meant: new Set(),
  given: new Set(),
  renamed: new Map(),
  removed: new Set(),
  freed: new Set(),
  asked: new Map(),
  written: 0,
})

/** Number of runs per service variant. Each test draws a new seed, which is reported on failure. */
const interleavings = Number(process.env.INTERLEAVINGS ?? 100)

describe.each(['all', 'none'] as const)('two people edit one entity, additions: %s', (additions) => {
  const service = testService({ additions })
  let browsers: readonly [Browser, Browser]
  let run: Run
  let runs = 0
  let userId = ''
  const lost: [boolean[], boolean[]] = [[], []]
  /** Runs one request at a time, so that the state before and after each write is known. */
  const oneRequest = oneAtATime()
  // Without ETags, only a read right before the write protects other edits, so a save must run as one step.
  const oneSave = additions === 'none' ? oneAtATime() : (work: () => Promise<EntitySaveResult>) => work()
  const truth = async ({ userId: user, entityId }: Run['place']): Promise<Stored> => {
    const { body } = await service.call('admin', 'GET', `/users/${user}/entities/${entityId}`)
    const { properties } = body as Entity
    return new Map(
      properties.map(({ key, value, sensitive }) => [key, { value, sensitive: sensitive === true }]),
    )
  }
  const fetcherOf =
    (who: 0 | 1): typeof fetch =>
    async (input, init) => {
      if (additions === 'all') await run.turn()
      return await oneRequest(async () => {
        const response = await service.fetch(input, init)
        const editor = run.editors[who]
        if (init?.method === 'GET') editor.read = run.stored
        else if (response.ok) {
          const now = await truth(run.place)
          evaluate(run, editor, now)
          run.stored = now
          if (lost[who].shift() === true) throw new TypeError('Failed to fetch')
        }
        return response
      })
    }

  beforeAll(async () => {
    browsers = [await openBrowser(service, fetcherOf(0)), await openBrowser(service, fetcherOf(1))]
  })

  test(`${interleavings} interleavings: nothing is overwritten unseen, nothing lost, and what was said to be saved is`, async () => {
    const told = { conflicts: 0, merged: 0 }
    await fc.assert(
      fc.asyncProperty(start, person, person, fc.scheduler(), async (properties, one, two, scheduler) => {
        run = await begin(properties, () => scheduler.schedule(Promise.resolve()))
        lost[0] = [...one.lost]
        lost[1] = [...two.lost]
        const people = [one, two].map((each, who) => edits(who as 0 | 1, each, told))
        await scheduler.waitFor(Promise.all(people))
        expect(run.wrong).toEqual([])
      }),
      { numRuns: interleavings },
    )
    // Fails if the runs hardly collide, because then they would prove little.
    expect(told.conflicts).toBeGreaterThan(interleavings / 10)
    expect(told.merged).toBeGreaterThan(interleavings / 10)
  }, 600_000)

  async function begin(
    properties: readonly { key: string; value: string }[],
    turn: Run['turn'],
  ): Promise<Run> {
    const create = async (path: string, body: unknown) =>
      (await service.call('admin', 'POST', path, body)).headers.get('location')?.split('/').at(-1) ?? ''
    if (runs++ % 500 === 0) userId = await create('/users', {})
    const sent = properties.map((each) => ({ ...each, type: 'TEXT', sensitive: each.key === 's' }))
    const entityId = await create(`/users/${userId}/entities`, { type: 'person', properties: sent })
    const place = { userId, entityId }
    const stored = new Map(sent.map(({ key, value, sensitive }) => [key, { value, sensitive }]))
    return { place, stored, turn, editors: [newEditor(), newEditor()], wrong: [] }
  }

  /** Simulates a person: opens, edits and saves the entity, and answers conflicts until it is saved. */
  async function edits(
    who: 0 | 1,
    { rounds, sides, fromList }: Person,
    told: { conflicts: number; merged: number },
  ) {
    const browser = browsers[who]
    const editor = run.editors[who]
    const { place } = run
    const params = { user_id: place.userId, entity_id: place.entityId }
    const answers = [...sides]
    const write = browser.keyedWrites()
    for (const round of rounds) {
      await run.turn()
      const query = browser.requestMasked()
      const entity = fromList
        ? (await browser.api.listEntities({ params, query })).find(({ id }) => id === place.entityId)
        : await browser.api.getEntity({ params, query })
      if (!entity) throw new Error('The entity is gone.')
      editor.began = editor.read
      editor.seen = new Map(editor.read)
      editor.asked = new Map()
      editor.freed = new Set()
      let draft = round.reduce((at, each) => type(browser, at, each), browser.entityDraftOf(entity))
      const { wanted, given, renamed, removed } = wantedBy(round, editor.read)
      editor.wanted = wanted
      editor.given = given
      editor.renamed = renamed
      editor.removed = removed
      editor.meant = new Set([...differing(editor.read, wanted), ...given])
      if (!browser.requestOf(draft)) continue
      for (let tries = 0; tries < 30; tries += 1) {
        if (browser.hasConflicts(draft)) {
          told.conflicts += 1
          draft = answer(browser, editor, draft, answers)
          // A real person would keep typing here to fix the issues.
          if (browser.issuesOf(draft).rows.size > 0) break
        }
        await run.turn()
        const before = editor.written
        const result = await saveDraft(browser, place, draft, write)
        if (result.outcome === 'saved') {
          if ((result.theirs ?? []).length > 0) told.merged += 1
          // The save needed no request, because somebody else had written the same.
          if (editor.written === before) checkSettled(run, editor, editor.read)
          break
        }
        if ('draft' in result) draft = result.draft
      }
    }
  }

  async function saveDraft(
    browser: Browser,
    place: Run['place'],
    draft: EntityDraft,
    write: ReturnType<Browser['keyedWrites']>,
  ): Promise<EntitySaveResult> {
    return await oneSave(async () => {
      const result = await browser.save(place, draft, write)
      return result.outcome === 'unknown'
        ? await browser.settle(place, result.attempt, result.error, write)
        : result
    })
  }
})

function oneAtATime() {
  let before = Promise.resolve<unknown>(undefined)
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = before.then(work)
    before = done.catch(() => undefined)
    return done
  }
}

function type(browser: Browser, draft: EntityDraft, { key, do: what, value, name }: Edit): EntityDraft {
  const { change } = browser
  const row = draft.rows.find((each) => each.key === key && each.removed !== true)
  if (!row) {
    if (what !== 'value') return draft
    const id = browser.newRowId()
    const added = change(change(draft, { do: 'add', id }), { do: 'set key', id, key })
    const marked = change(added, { do: 'set sensitive', id, sensitive: key === 's' })
    return change(marked, { do: 'set value', id, draft: { text: value } })
  }
  const { id } = row
  const isTaken = draft.rows.some((each) => each.key === name && each.removed !== true)
  switch (what) {
    case 'remove':
      return change(draft, { do: 'remove', id })
    case 'mark':
      return change(draft, { do: 'set sensitive', id, sensitive: !row.sensitive })
    case 'rename':
      if (isTaken) return draft
      // A rename also sets a value, because a hidden value cannot move to another key.
      return change(change(draft, { do: 'set key', id, key: name }), {
        do: 'set value',
        id,
        draft: { text: value },
      })
    case 'value':
      return change(draft, { do: 'set value', id, draft: { text: value } })
  }
}

/** Applies the edits to the model. `given` has the keys of new properties, even if the state ends up as before. */
function wantedBy(
  round: readonly Edit[],
  read: Stored,
): Pick<Editor, 'wanted' | 'given' | 'renamed' | 'removed'> {
  const wanted = new Map(read)
  const given = new Set<string>()
  const removed = new Set<string>()
  const renamed = new Map<string, string>()
  for (const { key, do: what, value, name } of round) {
    const at = wanted.get(key)
    if (!at && what === 'value') {
      wanted.set(key, { value, sensitive: key === 's' })
      // A property that was removed and added again counts as changed or unchanged, not as new.
      if (!removed.has(key)) given.add(key)
    }
    if (!at) continue
    if (what === 'remove') {
      wanted.delete(key)
      removed.add(key)
      renamed.delete(key)
    } else if (what === 'mark') wanted.set(key, { ...at, sensitive: !at.sensitive })
    else if (what === 'value') wanted.set(key, { ...at, value })
    else if (!wanted.has(name)) {
      wanted.delete(key)
      wanted.set(name, { ...at, value })
      renamed.set(name, renamed.get(key) ?? key)
      renamed.delete(key)
    }
  }
  return { wanted, given: new Set([...given].filter((key) => wanted.has(key))), renamed, removed }
}

/** Answers every conflict question and marks the last read values of its keys as seen. */
function answer(browser: Browser, editor: Editor, draft: EntityDraft, answers: Side[]): EntityDraft {
  const choices = new Map<string, Side>()
  const asked = new Map<string, Side | 'both'>()
  const look = (key: string | undefined, side: Side) => {
    if (key === undefined) return
    editor.seen.set(key, editor.read.get(key))
    const known = asked.get(key)
    asked.set(key, known === undefined || known === side ? side : 'both')
  }
  const contested = draft.rows.filter((row) => row.contested)
  const inConflict = new Set(contested.flatMap(({ loaded, before }) => [loaded?.key, before?.key]))
  for (const { key } of contested) if (editor.removed.has(key) && !inConflict.has(key)) editor.freed.add(key)
  for (const row of contested) {
    const side = answers.shift() ?? 'mine'
    answers.push(side)
    choices.set(row.id, side)
    for (const key of keysOf(row)) look(key, side)
  }
  for (const key of draft.concurrentChanges?.lost ?? []) look(key, 'theirs')
  for (const [key, side] of asked) editor.asked.set(key, side)
  return browser.decide(draft, choices)
}

const keysOf = ({ key, loaded, before }: DraftRow & { before?: Property }) => [key, loaded?.key, before?.key]

/** Checks a processed write: each change must be intended, and its old value seen. */
function evaluate({ stored, wrong }: Run, editor: Editor, now: Stored): void {
  editor.written += 1
  const changed = differing(stored, now)
  // The service answered a repeated request without writing, or the values were stored already.
  if (changed.length === 0) return
  for (const key of changed) {
    const was = JSON.stringify(stored.get(key))
    if (was !== JSON.stringify(editor.seen.get(key)))
      wrong.push(`${key} was overwritten unseen: ${was} by ${JSON.stringify(now.get(key))}`)
    const side = editor.asked.get(key)
    const isFreed = editor.freed.has(key) && !now.has(key)
    const isGivenUp = side === 'theirs' && !editor.given.has(key) && !isFreed
    if (side === undefined ? !editor.meant.has(key) : isGivenUp)
      wrong.push(`${key} was changed though nobody meant it: ${was} to ${JSON.stringify(now.get(key))}`)
  }
  checkSettled({ wrong }, editor, now)
}

/**
 * Checks that intended changes are stored unless they were given up. If both sides changed a property, checks only the
 * aspects changed here.
 */
function checkSettled({ wrong }: Pick<Run, 'wrong'>, editor: Editor, now: Stored): void {
  const { began, wanted, meant, renamed, asked } = editor
  for (const key of meant) {
    const [was, want, is] = [began.get(key), wanted.get(key), now.get(key)]
    const origin = began.get(renamed.get(key) ?? key)
    const side = asked.get(key)
    // If both sides wrote equal values, either sensitivity may win; a renamed property keeps the sensitivity set by the
    // other side.
    const holds =
      side === 'theirs' ||
      side === 'both' ||
      (want === undefined || is === undefined
        ? want === is
        : (want.value === was?.value || is.value === want.value) &&
          (!was || want.sensitive === origin?.sensitive || is.sensitive === want.sensitive))
    if (!holds)
      wrong.push(`${key} was lost: ${JSON.stringify(want)} was meant, ${JSON.stringify(is)} is stored`)
  }
}
