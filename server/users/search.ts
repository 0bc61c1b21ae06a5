import type { KeyObject } from 'node:crypto'
import { validate as isUuid } from 'uuid'

import { type Body, emailKey, type Endpoints, fold, textKeyParts, usersPerPage } from '#contract/index.ts'
import { keyBeginnings } from '../entities/spelled-emails.ts'
import { codesSoughtBy, searchTerms } from '../entities/value-terms.ts'
import type { Database } from '../sealing/database.ts'
import { usersInOrder } from './answers.ts'
import { openOffset, sealOffset } from './paging.ts'
import { readPasted } from './pasted.ts'
import { mergeRanges, prefixRange, exactRange, idsWith, type Ranges, wholeWord } from './ranges.ts'
import { countTerms, keepInhabited, nextOf } from './search-storage.ts'
import { type Speller, speller } from './spelling.ts'
import type { SegmentCondition } from './storage.ts'
import { apostrophes, cutTerm, searchText, textsOf, wordsOf } from './terms.ts'
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

/** Limit of the count: anyone who looks for one user does not need a higher number. */
const maxCounted = 1000

/** Maximum number of query words that are searched one by one. */
const maxWords = 8

/**
 * Maximum number of users with one word that are compared at once with those of another: 35,000 and 35,000 take 30 ms
 * (PostgreSQL, 2 cores).
 */
const maxCompared = 40_000

/** Maximum number of words ranked by how few users have them: counting 20,000 users for each takes 5 ms. */
const maxRanked = 3

/** Maximum number of corrections of a word, or of a whole query, that are searched for. */
const maxSpellings = 40
/** Maximum number of corrections of a whole query that are compared with the terms. */
const maxPhrases = 400
/** Maximum number of letters of a word that is taken for several, which 20 letters can be in 150 ways. */
const maxParted = 20

/** A way of finding users. No user is found by two stages. */
interface Stage {
  /**
   * `driver`: the word that led the walk on the previous page. Resolves to undefined if this stage can find no user.
   */
  readonly walk: (database: Database, driver: number | undefined) => Promise<ChosenWalk | undefined>
  /** Whether the stage is used only if the earlier ones find no user. */
  readonly similar?: true
  /** Whether the stage searches property values. */
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
  /** Number of users counted in the stages 0 to `counted`. */
  readonly total: number
  readonly counted: number
  /** Whether counting was given up. */
  readonly stopped: boolean
}

/**
 * Returns the response of `searchUsers` as JSON text, and its total. `secret`: encrypts offsets; `values`: whether
 * property values are searched.
 */
export async function searchUsers(
  database: Database,
  secret: KeyObject,
  body: Search,
  { condition, values }: { readonly condition: SegmentCondition | undefined; readonly values: boolean },
): Promise<{ json: string; total: number }> {
  const { offset = '', columns, ...query } = body
  const search = JSON.stringify([query, values])
  const from = offset === '' ? undefined : (openOffset(secret, search, offset) as Position)
  // Copied, since the search stores its findings about the segment in it.
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
  // When a page is full, the remaining stages are left to the next page.
  const unopened = stages[opened]
  const atLeast = stopped || (unopened !== undefined && !unopened.similar)
  const wanted = shown.map(({ id, key, stage }) => ({ id, term: stages[stage]?.values ? key : undefined }))
  const users = await usersInOrder(database.sql, wanted, columns)
  // Built as text, as for the list: the users are JSON already, and only `offset` needs escaping.
  const flags = `${atLeast ? ',"atLeast":true' : ''}${similar ? ',"similar":true' : ''}`
  const json = `{"total":${total},"numberOfRecords":${users.count},"offset":${JSON.stringify(offset)},"next":"${next}","users":${users.json}${flags}}`
  return { json, total }
}

function stagesOf({ q, email, name, ref, id, match }: Search, values: boolean): Stage[] {
  const range = match === 'exact' ? exactRange : prefixRange
  if (q !== undefined) return stagesOfText(readPasted(q), values)
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

/** Finds users by the beginning of an e-mail, whose domain may end within a label. */
function walkToEmail(typed: string): Walk {
  const { sure, perhaps } = keyBeginnings(typed)
  const sought = cutTerm(searchText(typed))
  return perhaps === undefined || sought === ''
    ? walkField('email', prefixRange(sure))
    : walkEmail(prefixRange(sure), { keys: prefixRange(perhaps), terms: [prefixRange(sought)] })
}

/** Joins a digit and a letter that stand apart: `3 M` is `3M`. */
const joinCode = (text: string) =>
  text.replace(/(?<![^ ])(?:\p{L} \p{Nd}|\p{Nd} \p{L})(?![^ ])/gu, (code) => code.replace(' ', ''))

/** Letters that are written as two where a keyboard has not got them: `Müller` is stored as `Mueller`. */
const twoLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/**
 * Returns a text with such letters spelled out; empty if it has none. The other way round two letters may be themselves, as
 * in Samuel, so that `mueller` finds Müller only where nobody has it.
 */
function spelledOut(typed: string): string[] {
  const text = typed.normalize('NFC')
  const spelled = text.replace(/[äöüøå]/gi, (letter) => twoLetters[letter.toLowerCase()] ?? letter)
  return spelled === text ? [] : [spelled]
}

/**
 * Returns the ranges of terms that begin with a text, with another of its spellings, with its code without signs, or
 * with its spelling as a stored e-mail: with the ASCII form of the domain.
 */
function rangesOfSpellings(text: string, typed: string): Ranges {
  const emails = /[@.]/.test(typed) ? textKeyParts('EMAIL', typed).map((part) => searchText(part.text)) : []
  // Letters apart are the beginnings of several words, and a mailbox without its signs is another one.
  const isApart = /^\p{L}(?:\s+\p{L})*$/u.test(typed.replace(apostrophes, '').trim())
  const others =
    typed.includes('@') || isApart
      ? []
      : [
          ...textsOf(typed),
          ...spelledOut(typed).flatMap(textsOf),
          ...(/\p{Nd}/u.test(typed.normalize('NFKC')) ? codesSoughtBy(typed) : []),
        ]
  const texts = [...emails, ...others, ...others.map(joinCode)].map(cutTerm).filter((each) => each !== '')
  const [first = prefixRange(text), ...more] = mergeRanges([text, ...texts].map(prefixRange))
  return [first, ...more]
}

/**
 * Stages of a text query: an id or its beginning; the words in sequence; the words in any order; property values;
 * misspelled words.
 */
function stagesOfText(q: string, values: boolean): Stage[] {
  const text = cutTerm(searchText(q))
  const words = [...new Set(wordsOf(text))].slice(0, maxWords)
  if (words.length === 0) return []
  const ids = q.replaceAll('-', '').length >= 8 ? idsWith(q) : undefined
  const phrase = rangesOfSpellings(text, q)
  const stages: Stage[] = ids ? [constant(walkIds(ids))] : []
  stages.push(constant(walkTerms([phrase], { ids })))
  // Text without a separator stays one piece, so that the parts of an e-mail are not searched one by one.
  const pieces = new Map(q.split(/[\s,;/|]+/).map((piece) => [cutTerm(searchText(piece)), piece]))
  pieces.delete('')
  const isInPieces = pieces.size > 1 || !pieces.has(text)
  const groups = isInPieces
    ? [...pieces].slice(0, maxWords).map(([piece, typed]) => rangesOfSpellings(piece, typed))
    : undefined
  if (groups)
    stages.push({ walk: (database, driver) => byWords(database, groups, driver, { ids, terms: phrase }) })
  const sought = values ? searchTerms(q) : { beginnings: [], wholes: [], withoutCode: [] }
  const [first, ...more] = mergeRanges([
    ...sought.beginnings.map(prefixRange),
    ...sought.wholes.map(exactRange),
  ])
  if (first)
    stages.push({
      ...constant(walkValues([first, ...more], sought.withoutCode, { ids, terms: phrase, groups })),
      values: true,
    })
  // An id that is only similar belongs to another user, so there are no stages for misspellings.
  if (ids && /\d/.test(q)) return stages
  const spelled = speller(words)
  return [
    ...stages,
    { similar: true, walk: (database) => byParts(database, words) },
    { similar: true, walk: (database) => bySimilarPhrase(database, words, spelled) },
    ...[wholeWord, prefixRange].map((rangeOf): Stage => ({
      similar: true,
      walk: (database, driver) => bySimilarWords(database, words, spelled, driver, rangeOf),
    })),
  ]
}

const constant = (walk: Walk): Stage => ({ walk: () => Promise.resolve({ walk }) })

/**
 * Finds users with all of the words. The rarest word leads, since the fewest users must then be tested for the others.
 */
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

/**
 * Finds users with the words in sequence, one of which they have as several, or several as one: `vanderberg` is
 * `van der Berg`, and `mac donald` is `Macdonald`.
 */
async function byParts(database: Database, words: readonly string[]): Promise<ChosenWalk | undefined> {
  const replace = (at: number, count: number, by: string) =>
    [...words.slice(0, at), by, ...words.slice(at + count)].join(' ')
  const phrases = words.flatMap((word, at) => [
    ...[2, 3].flatMap((count) => {
      const joined = words.slice(at, at + count).join('')
      return at + count <= words.length && isJoinable(joined) ? [replace(at, count, joined)] : []
    }),
    ...partsOf(word).map((parts) => replace(at, 1, parts)),
  ])
  const present = await keepInhabited(database.sql, phrases.slice(0, maxPhrases).map(wholeWord))
  const [first, ...more] = mergeRanges(present.slice(0, maxSpellings))
  return first && { walk: walkTerms([[first, ...more]]) }
}

/** Whether a word may be several: one of letters, neither short nor long. */
const isJoinable = (word: string) => /^\p{L}{5,}$/u.test(word) && Array.from(word).length <= maxParted

/** Returns a word with one blank within it, and with two. */
function partsOf(word: string): string[] {
  if (!isJoinable(word)) return []
  const letters = Array.from(word)
  const cut = (from: number, to?: number) => letters.slice(from, to).join('')
  const places = [...letters.keys()].filter((at) => at > 0 && at <= letters.length - 3)
  const inTwo = places.map((at) => `${cut(0, at)} ${cut(at)}`)
  const inThree = places.flatMap((at) =>
    places.filter((first) => first <= at - 2).map((first) => `${cut(0, first)} ${cut(first, at)} ${cut(at)}`),
  )
  return [...inTwo, ...inThree]
}

/** Finds users with the words in sequence, at least one of them corrected. */
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

/** Finds users with all of the words, each as typed or corrected. */
async function bySimilarWords(
  database: Database,
  words: readonly string[],
  spelled: Speller,
  driver: number | undefined,
  rangeOf: typeof prefixRange,
): Promise<ChosenWalk | undefined> {
  const found = await spelled(database, rangeOf)
  if (!found) return undefined
  // Words with the same corrections are searched only once.
  const groups = new Map<string, Ranges>()
  for (const [at, word] of words.entries()) {
    const own = found.present.has(word) ? [prefixRange(word)] : []
    const right = (found.known[at] ?? []).slice(0, maxSpellings).map(rangeOf)
    const [first, ...more] = mergeRanges([...own, ...right])
    if (first) groups.set(JSON.stringify([first, ...more]), [first, ...more])
  }
  return await byWords(database, [...groups.values()], driver)
}
