import type { KeyObject } from 'node:crypto'

import { validate as isUuid } from 'uuid'

import { type Body, emailKey, type Endpoints, fold, textKeyParts, usersPerPage } from '#contract/index.ts'
import { inWesternDigits, searchTerms } from '../entities/value-terms.ts'
import type { Database } from '../sealing/database.ts'
import { usersInOrder } from './answers.ts'
import { openOffset, sealOffset } from './paging.ts'
import { mergeRanges, prefixRange, exactRange, idsWith, type Ranges, wholeWord } from './ranges.ts'
import { countTerms, keepInhabited, nextOf } from './search-storage.ts'
import { keyBeginnings } from '../entities/spelled-emails.ts'
import { type Speller, speller } from './spelling.ts'
import type { SegmentCondition } from './storage.ts'
import { cutTerm, searchText, wordsOf } from './terms.ts'
import {
  type Shown,
  type Walk,
  walkEmail,
  walkField,
  walkIds,
  type WalkStep,
  walkTerms,
  walkValues,
} from './walks.ts'

type Search = Body<Endpoints['searchUsers']>

/** Counting users stops here: what more there are matters to nobody who looks for one of them. */
const maxCounted = 1000

/** Words of a query that are looked for one by one. */
const maxWords = 8

/** Users with each of two words who are compared at once: 35,000 and 35,000 take 30 ms (PostgreSQL, 2 cores). */
const maxCompared = 40_000

/** Words for which it matters which of them fewest users have: to count 20,000 users for each takes 5 ms. */
const maxRanked = 3

/** Spellings of one word, and of a whole query, that are looked for. */
const maxSpellings = 40
const maxPhrases = 400

/** A way of finding users. Nobody is found twice. */
interface Stage {
  /** `driver`: the word by which the walk went before. Undefined: nobody can be found this way. */
  readonly walk: (database: Database, driver: number | undefined) => Promise<ChosenWalk | undefined>
  /** Only where the stages before have found nobody. */
  readonly similar?: true
  /** Through the values of properties. */
  readonly values?: true
}

interface ChosenWalk {
  readonly walk: Walk
  readonly driver?: number | undefined
}

/** Position at which a page ended. */
interface Position extends WalkStep {
  readonly stage: number
  readonly driver?: number | undefined
  /** How many users there are in the stages so far, up to `counted`. */
  readonly total: number
  readonly counted: number
  /** The count was given up. */
  readonly stopped: boolean
}

/** The answer of `searchUsers` as JSON text, and the total in it. `secret`: of the offsets; `values`: whether those of properties count. */
export async function searchUsers(
  database: Database,
  secret: KeyObject,
  body: Search,
  { condition, values }: { readonly condition: SegmentCondition | undefined; readonly values: boolean },
): Promise<{ json: string; total: number }> {
  const { offset = '', columns, ...query } = body
  const search = JSON.stringify([query, values])
  const from = offset === '' ? undefined : (openOffset(secret, search, offset) as Position)
  // A copy, since the search notes in it what it learns about the segment.
  const segment = condition && { ...condition }
  const stages = stagesOf(body, values)
  const first = from?.stage ?? 0
  const found: Omit<Position, 'total' | 'counted' | 'stopped'>[] = []
  let { total = 0, counted = -1, stopped = false } = from ?? {}
  let similar = stages[first]?.similar === true
  let opened = first
  for (; opened < stages.length && found.length <= usersPerPage; opened++) {
    const stage = stages[opened]
    if (!stage || (stage.similar && opened !== from?.stage && total > 0)) break
    const after = opened === from?.stage ? from : undefined
    const chosen = await stage.walk(database, after?.driver)
    if (!chosen) continue
    const counting = opened > counted && !stopped
    const next = await nextOf(database.sql, chosen.walk, after, {
      limit: counting ? maxCounted + 1 - total : undefined,
      segment,
    })
    for (const step of next.steps) found.push({ ...step, stage: opened, driver: chosen.driver })
    similar ||= stage.similar === true && next.count > 0
    if (!counting) continue
    total = Math.min(total + next.count, maxCounted)
    counted = opened
    stopped = next.atLeast
  }

  const shown = found.slice(0, usersPerPage)
  const last = shown.at(-1)
  const position = last && found.length > shown.length && { ...last, total, counted, stopped }
  const next = position ? sealOffset(secret, search, position satisfies Position) : ''
  // A page that is full leaves the ways that come after it for the next one.
  const unopened = stages[opened]
  const atLeast = stopped || (unopened !== undefined && !unopened.similar)
  const asked = shown.map(({ id, key, stage }) => ({ id, term: stages[stage]?.values ? key : undefined }))
  const users = await usersInOrder(database.sql, asked, columns)
  // Built as text, as in the list: the users are JSON already, and only `offset` needs escaping.
  const flags = `${atLeast ? ',"atLeast":true' : ''}${similar ? ',"similar":true' : ''}`
  const json = `{"total":${total},"numberOfRecords":${users.count},"offset":${JSON.stringify(offset)},"next":"${next}","users":${users.json}${flags}}`
  return { json, total }
}

function stagesOf({ q, email, name, ref, id, match }: Search, values: boolean): Stage[] {
  const range = match === 'exact' ? exactRange : prefixRange
  if (q !== undefined) return stagesOfText(withoutScheme(q), values)
  if (email !== undefined)
    return [
      constant(match === 'exact' ? walkField('email', exactRange(emailKey(email))) : walkToEmail(email)),
    ]
  if (ref !== undefined) return [constant(walkField('ref', range(fold(ref))))]
  if (name !== undefined) {
    const text = cutTerm(searchText(name))
    return text === '' ? [] : [constant(walkField('name', range(text)))]
  }
  const ids = match === 'exact' && !isUuid(id) ? undefined : idsWith(id ?? '')
  return ids ? [constant(walkIds(ids))] : []
}

/** By the beginning of an e-mail, whose domain may break off within a label. */
function walkToEmail(typed: string): Walk {
  const { sure, perhaps } = keyBeginnings(typed)
  const sought = cutTerm(searchText(typed))
  return perhaps === undefined || sought === ''
    ? walkField('email', prefixRange(sure))
    : walkEmail(prefixRange(sure), { keys: prefixRange(perhaps), terms: [prefixRange(sought)] })
}

/** Ranges of terms that begin with a text, or with the ASCII form of a domain in it, as a stored e-mail may be spelled. */
function rangesOfSpellings(text: string, typed: string): Ranges {
  const spellings = /[@.]/.test(typed) ? textKeyParts('EMAIL', typed) : []
  const texts = [...spellings, inWesternDigits(typed)]
    .map((each) => cutTerm(searchText(each)))
    .filter((each) => each !== '')
  const [first = prefixRange(text), ...more] = mergeRanges([text, ...texts].map(prefixRange))
  return [first, ...more]
}

/** A telephone number or an e-mail as a link has it (RFC 3966, RFC 6068), as it is said; anything else as it is. */
function withoutScheme(q: string): string {
  const [, said] = /^\s*(?:tel|sms|callto|mailto):(?:\/\/)?([^?;]+)/i.exec(q) ?? []
  if (said === undefined) return q
  try {
    return decodeURIComponent(said)
  } catch {
    return said
  }
}

/** An id or its beginning; the words as they stand, one after the other; in any order; values; and misspelled. */
function stagesOfText(q: string, values: boolean): Stage[] {
  const text = cutTerm(searchText(q))
  const words = [...new Set(wordsOf(text))].slice(0, maxWords)
  if (words.length === 0) return []
  const ids = q.replaceAll('-', '').length >= 8 ? idsWith(q) : undefined
  const phrase = rangesOfSpellings(text, q)
  const stages: Stage[] = ids ? [constant(walkIds(ids))] : []
  stages.push(constant(walkTerms([phrase], { ids })))
  // Text without a blank stays one piece, so that the parts of an e-mail are not searched one by one.
  const pieces = new Map(q.split(/[\s,;/|]+/).map((piece) => [cutTerm(searchText(piece)), piece]))
  pieces.delete('')
  const isInPieces = pieces.size > 1 || !pieces.has(text)
  const groups = isInPieces
    ? [...pieces].slice(0, maxWords).map(([piece, typed]) => rangesOfSpellings(piece, typed))
    : undefined
  if (groups)
    stages.push({ walk: (database, driver) => byWords(database, groups, driver, { ids, terms: phrase }) })
  const sought = values ? searchTerms(q) : { beginnings: [], wholes: [] }
  const [first, ...more] = mergeRanges([
    ...sought.beginnings.map(prefixRange),
    ...sought.wholes.map(exactRange),
  ])
  if (first)
    stages.push({ ...constant(walkValues([first, ...more], { ids, terms: phrase, groups })), values: true })
  // An id that is merely similar belongs to somebody else.
  if (ids && /\d/.test(q)) return stages
  const spelled = speller(words)
  return [
    ...stages,
    { similar: true, walk: (database) => bySimilarPhrase(database, words, spelled) },
    ...[wholeWord, prefixRange].map((rangeOf): Stage => ({
      similar: true,
      walk: (database, driver) => bySimilarWords(database, words, spelled, driver, rangeOf),
    })),
  ]
}

const constant = (walk: Walk): Stage => ({ walk: () => Promise.resolve({ walk }) })

/** Users with all of the words. The rarest one leads: it has the fewest users to ask for the others. */
async function byWords(
  database: Database,
  groups: readonly Ranges[],
  driver: number | undefined,
  shown: Shown = {},
): Promise<ChosenWalk | undefined> {
  let counts = await countTerms(database.sql, groups, maxCounted)
  if (counts.includes(0)) return undefined
  const isRare = Math.min(...counts) < maxCounted
  if (!isRare) {
    const ranked = await countTerms(database.sql, groups.slice(0, maxRanked), maxCompared)
    counts = counts.map((_, at) => ranked[at] ?? maxCompared)
  }
  const order = [...groups.keys()].sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0))
  const leader = driver ?? order[0] ?? 0
  const [first, ...others] = [leader, ...order.filter((at) => at !== leader)].flatMap((at) => {
    const ranges = groups[at]
    return ranges ? [ranges] : []
  })
  if (!first) return undefined
  const { compared, ...walk } = walkTerms([first, ...others], shown)
  if (isRare || !compared) return { walk, driver: leader }
  const second = counts[order[1] ?? 0] ?? 0
  return {
    walk: second < maxCompared ? { candidates: compared, among: walk.among } : { ...walk, compared },
    driver: leader,
  }
}

/** Users with the words one after the other, at least one of them put right. */
async function bySimilarPhrase(
  database: Database,
  words: readonly string[],
  spelled: Speller,
): Promise<ChosenWalk | undefined> {
  const known = (await spelled(database, wholeWord))?.known
  if (!known) return undefined
  let phrases = [{ text: '', changed: false, ends: prefixRange }]
  for (const [at, word] of words.entries()) {
    const alternatives = [word, ...(known[at] ?? [])]
    phrases = phrases.flatMap(({ text, changed }) =>
      alternatives.map((each) => ({
        text: text === '' ? each : `${text} ${each}`,
        changed: changed || each !== word,
        ends: each === word ? prefixRange : wholeWord,
      })),
    )
    phrases.splice(maxPhrases)
  }
  const ranges = phrases.filter(({ changed }) => changed).map(({ text, ends }) => ends(text))
  const present = await keepInhabited(database.sql, ranges)
  const [first, ...more] = mergeRanges(present.slice(0, maxSpellings))
  return first && { walk: walkTerms([[first, ...more]]) }
}

/** Users with all of the words, each as it stands or put right. */
async function bySimilarWords(
  database: Database,
  words: readonly string[],
  spelled: Speller,
  driver: number | undefined,
  rangeOf: typeof prefixRange,
): Promise<ChosenWalk | undefined> {
  const found = await spelled(database, rangeOf)
  if (!found) return undefined
  // Several words that are put right to the same one are asked for once.
  const groups = new Map<string, Ranges>()
  for (const [at, word] of words.entries()) {
    const own = found.present.has(word) ? [prefixRange(word)] : []
    const right = (found.known[at] ?? []).slice(0, maxSpellings).map(rangeOf)
    const [first, ...more] = mergeRanges([...own, ...right])
    if (first) groups.set(JSON.stringify([first, ...more]), [first, ...more])
  }
  return await byWords(database, [...groups.values()], driver)
}
