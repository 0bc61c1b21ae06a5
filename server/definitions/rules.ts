import {
  type DefinitionsFile,
  fold,
  maxDefinitions,
  formatCount,
  type PropertyDefinition,
} from '#contract/index.ts'
import { invalid, Refusal, type RefusalError } from '../http/errors/problem.ts'
import { pointer } from '../http/json.ts'
import { type Definition, ofTypeItself } from './storage.ts'

/** Label of a property in one entity type, and where the request has it; undefined if it is stored. */
interface Labelled {
  readonly key: string
  readonly label: PropertyDefinition['label']
  readonly path?: readonly (string | number)[]
}

/** Refuses labels that people could not tell apart: two properties of an entity type called alike in one language. */
function sameLabels(properties: readonly Labelled[]): RefusalError[] {
  const taken = new Map<string, string>()
  const errors: RefusalError[] = []
  for (const { key, label = {}, path } of properties.toSorted((a, b) => Number(!!a.path) - Number(!!b.path)))
    for (const [language, text] of Object.entries(label)) {
      const name = `${language}\0${fold(text)}`
      const other = taken.get(name)
      if (other === undefined) taken.set(name, key)
      else if (path && other !== key)
        errors.push({
          pointer: pointer([...path, 'label', language]),
          code: 'duplicate_label',
          detail: 'Another property of this entity type has this label.',
        })
    }
  return errors
}

/** Refuses a property's definition that does not fit those of its entity type, given as stored. */
export function requireFitting(
  definition: Definition & { readonly definition: PropertyDefinition },
  stored: readonly Definition[],
): void {
  const others = stored.filter(({ key }) => key !== ofTypeItself && key !== definition.key)
  const errors = sameLabels([
    ...others.map(({ key, definition: { label } }) => ({ key, label })),
    { key: definition.key, label: definition.definition.label, path: [] },
  ])
  if (errors.length > 0) throw invalid(errors)
}

/** Refuses more definitions than there may be. */
export function requireFewEnough(count: number): void {
  if (count > maxDefinitions)
    throw new Refusal(
      'too_many_definitions',
      `There may be ${formatCount(maxDefinitions)} definitions. Nothing was changed; delete others first.`,
    )
}

/** Returns the definitions that a file contains; inferred entries are none. */
export function definitionsOf({ entityTypes }: DefinitionsFile): Definition[] {
  const errors: RefusalError[] = []
  const found = entityTypes.flatMap(({ properties, ...ofType }, at): Definition[] => {
    const written = properties.filter(({ inferred }) => inferred !== true)
    errors.push(
      ...sameLabels(
        properties.flatMap(({ key, label, inferred }, each) =>
          inferred === true ? [] : [{ key, label, path: ['entityTypes', at, 'properties', each] }],
        ),
      ),
    )
    const entityType = ofType.type
    const own = written.map((each) => ({ entityType, key: each.key, definition: ownMembers(each, 'key') }))
    if (ofType.inferred === true) return own
    return [{ entityType, key: ofTypeItself, definition: ownMembers(ofType, 'type') }, ...own]
  })
  if (errors.length > 0) throw invalid(errors)
  return found
}

/** Members that a request may have because answers have them. */
const answered = new Set(['inferred', 'users', 'updated'])

/** Returns what a written definition says, without the members of answers, and without its name. */
export function ownMembers(written: object, name: 'key' | 'type'): Definition['definition'] {
  return Object.fromEntries(
    Object.entries(written).filter(([member]) => member !== name && !answered.has(member)),
  )
}
