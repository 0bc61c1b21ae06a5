import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'

import type { Entity, Judged, PropertyTest } from '#contract/index.ts'

import { dataTypeName, judgementText } from '../../messages/index.ts'
import { links } from '../links.ts'
import { HiddenBar } from '../values/HiddenBar.tsx'
import { SensitiveMark } from '../values/SensitiveMark.tsx'
import { fewOf } from '../../ui/few-of.ts'
import { shortId } from '../../ui/ShortId.tsx'
import { keyFacts } from '../values/key-facts.ts'
import { JudgedValue } from './EvaluatedValue.tsx'
import classes from './Evaluation.module.css'
import { Line } from './EvaluationLine.tsx'
import { testInWords } from './sentence.ts'
import type { Known } from './use-known.ts'

type JudgedEntity = Extract<Judged, { entities: unknown }>
type One = JudgedEntity['entities'][number]

export interface JudgedEntitiesProps {
  readonly judged: JudgedEntity
  readonly decisive: boolean
  readonly known: Known
}

const shownAtFirst = 3

/** A condition on entities, with those that fit first, then those that come nearest. */
export function JudgedEntities({ judged, decisive, known }: JudgedEntitiesProps) {
  const { entity: type, min = 1, where = [], entities, pass } = judged
  const { count, fitting, found, has, others } = judgementText
  const [isWhole, setWhole] = useState(false)
  const fit = entities.filter((one) => one.pass).length
  const sorted = entities.toSorted((a, b) => Number(b.pass) - Number(a.pass) || heldOf(b) - heldOf(a))
  const shown = where.length === 0 ? [] : isWhole ? sorted : fewOf(sorted, shownAtFirst)
  return (
    <div className={classes.condition}>
      <Line
        pass={pass}
        decisive={decisive}
        found={`${found} ${where.length === 0 ? count(fit, type) : fitting(fit, entities.length, type)}`}
      >
        {has(type, min, where.length > 0)}
      </Line>
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
            // Only entities with the outcome of the whole condition are decisive: where it holds, failing ones do not
            // matter, and vice versa.
            <li key={one.id}>
              <JudgedOne one={one} type={type} decisive={decisive && one.pass === pass} known={known} />
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
          {others(sorted.length, type)}
        </Button>
      )}
    </div>
  )
}

const heldOf = ({ where }: One) => where.filter(({ pass }) => pass).length

interface JudgedOneProps extends Pick<JudgedEntitiesProps, 'decisive' | 'known'> {
  readonly one: One
  readonly type: string
}

function JudgedOne({ one, type, decisive, known }: JudgedOneProps) {
  const entity = known.entities?.find(({ id }) => id === one.id)
  const facts = entity ? keyFacts(entity) : []
  const name = [type, ...(facts.length > 0 ? facts : [shortId(one.id)])].join(' · ')
  return (
    <>
      <Group gap="0 12px">
        <Link to={links.entity(known.userId, one.id)}>{name}</Link>
        <span className="ds-dimmed">{judgementText.held(heldOf(one), one.where.length)}</span>
      </Group>
      <ul className={classes.tests}>
        {one.where.map((test, index) => (
          <li key={index}>
            <Line
              pass={test.pass}
              decisive={decisive && test.pass === one.pass}
              found={<Found test={test} entity={entity} />}
            >
              {/* The operand of a test on a sensitive value may be that very value, so it is left out. */}
              {testInWords(test.masked === true ? { ...test, value: undefined } : test)}
            </Line>
          </li>
        ))}
      </ul>
    </>
  )
}

interface FoundProps {
  readonly test: PropertyTest & One['where'][number]
  readonly entity: Entity | undefined
}

function Found({ test, entity }: FoundProps) {
  if (test.masked === true)
    return (
      <Group gap="4px 8px" align="baseline">
        <SensitiveMark withLabel /> <HiddenBar>{judgementText.masked}</HiddenBar>
      </Group>
    )
  const { key, type, actual } = test
  const other = entity?.properties.find((property) => property.key === key && property.type !== type)
  return (
    <>
      {judgementText.found}{' '}
      {actual === undefined && other?.type !== undefined ? (
        judgementText.otherType(dataTypeName(other.type), dataTypeName(type))
      ) : (
        <JudgedValue type={type} value={actual} />
      )}
    </>
  )
}
