import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Entity, Judged, PropertyTest } from '#contract/index.ts'

import { dataTypeName } from '../values/data-type-name.ts'
import { evaluationText } from '../../messages/index.ts'
import { links } from '../links.ts'
import { HiddenBar } from '../values/HiddenBar.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { fewOf } from '../../ui/few-of.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { keyFacts } from '../values/key-facts.ts'
import { EvaluatedValue } from './EvaluatedValue.tsx'
import classes from './Evaluation.module.css'
import { EvaluationLine } from './EvaluationLine.tsx'
import { nounOf } from './nouns.ts'
import { testInWords } from './sentence.ts'
import type { Known } from './use-known.ts'

type EvaluatedCondition = Extract<Judged, { entities: unknown }>
type EvaluatedEntity = EvaluatedCondition['entities'][number]

export interface EvaluatedEntitiesProps {
  readonly evaluated: EvaluatedCondition
  readonly decisive: boolean
  readonly known: Known
}

const shownAtFirst = 3

/** Renders an evaluated condition on entities: matching entities first, then the nearest misses. */
export function EvaluatedEntities({ evaluated, decisive, known }: EvaluatedEntitiesProps) {
  const { entity: type, min = 1, where = [], entities, pass } = evaluated
  const { count, fitting, has, hasTested, others } = evaluationText
  const things = (counted: number) => nounOf(type, 'counted', counted)
  const [isWhole, setWhole] = useState(false)
  const fit = entities.filter((one) => one.pass).length
  const sorted = entities.toSorted((a, b) => Number(b.pass) - Number(a.pass) || countHeld(b) - countHeld(a))
  const shown = where.length === 0 ? [] : isWhole ? sorted : fewOf(sorted, shownAtFirst)
  return (
    <div className={classes.condition}>
      <EvaluationLine
        pass={pass}
        decisive={decisive}
        found={
          where.length === 0
            ? count({ count: fit, things: things(fit) })
            : fitting({ fit, count: entities.length, things: things(entities.length) })
        }
      >
        {(where.length === 0 ? has : hasTested)({ min, thing: nounOf(type, 'one'), things: things(min) })}
      </EvaluationLine>
      {entities.length === 0 && where.length > 0 && (
        <ul className={classes.sought}>
          {where.map((test, index) => (
            <li key={index}>{testInWords(test)}</li>
          ))}
        </ul>
      )}
      {shown.length > 0 && (
        <ul className={classes.entities}>
          {shown.map((one) => (
            // Only entities with the same outcome as the whole condition are decisive: if it passes, failing entities
            // don't matter, and vice versa.
            <li key={one.id}>
              <EvaluatedEntityItem
                one={one}
                type={type}
                decisive={decisive && one.pass === pass}
                known={known}
              />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 0 && shown.length < sorted.length && (
        <Button
          size="compact-sm"
          variant="subtle"
          className={classes.others ?? ''}
          onClick={() => setWhole(true)}
        >
          {others({ count: sorted.length, things: things(sorted.length) })}
        </Button>
      )}
    </div>
  )
}

const countHeld = ({ where }: EvaluatedEntity) => where.filter(({ pass }) => pass).length

interface EvaluatedEntityItemProps extends Pick<EvaluatedEntitiesProps, 'decisive' | 'known'> {
  readonly one: EvaluatedEntity
  readonly type: string
}

function EvaluatedEntityItem({ one, type, decisive, known }: EvaluatedEntityItemProps) {
  const entity = known.entities?.find(({ id }) => id === one.id)
  const facts = entity ? keyFacts(entity) : []
  const [held, total] = [countHeld(one), one.where.length]
  const name = [type, ...(facts.length > 0 ? facts : [shortId(one.id)])].join(' · ')
  return (
    <>
      <Group gap="0 12px">
        <Link to={links.entity(known.userId, one.id)}>{name}</Link>
        <span className="ds-dimmed">
          {held === total ? evaluationText.matches : evaluationText.held({ held, total })}
        </span>
      </Group>
      <ul className={classes.tests}>
        {one.where.map((test, index) => (
          <li key={index}>
            <EvaluationLine
              pass={test.pass}
              decisive={decisive && test.pass === one.pass}
              found={<FoundValue test={test} entity={entity} />}
            >
              {/* The operand of a test on a sensitive value may be that very value, so it is left out. */}
              {testInWords(test.masked === true ? { ...test, value: undefined } : test)}
            </EvaluationLine>
          </li>
        ))}
      </ul>
    </>
  )
}

interface FoundValueProps {
  readonly test: PropertyTest & EvaluatedEntity['where'][number]
  readonly entity: Entity | undefined
}

function FoundValue({ test, entity }: FoundValueProps) {
  if (test.masked === true)
    return (
      <Group gap="4px 8px" align="baseline">
        <SensitiveMark withLabel /> <HiddenBar>{evaluationText.masked}</HiddenBar>
      </Group>
    )
  const { key, type, actual } = test
  const other = entity?.properties.find((property) => property.key === key && property.type !== type)
  return actual === undefined && other?.type !== undefined
    ? evaluationText.otherType({ actual: dataTypeName(other.type), wanted: dataTypeName(type) })
    : evaluationText.found.withElements({ value: <EvaluatedValue type={type} value={actual} /> })
}
