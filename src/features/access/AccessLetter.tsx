import { Checkbox, Group, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'

import type { Entity } from '#contract/index.ts'
import { isRead } from '../../domain/changes/is-read.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { keyLabel } from '../../domain/values/key-label.ts'
import { ValueText } from '../../domain/values/ValueText.tsx'
import { accessText, userText } from '../../messages/index.ts'
import { Sheet, SheetRow, SheetRows } from '../../ui/Sheet.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { historyOf } from './history.ts'
import classes from './AccessSheet.module.css'
import letter from './AccessLetter.module.css'

const letterText = accessText.letter
const sections = ['user', 'entities', 'segments', 'events'] as const
type LetterSection = (typeof sections)[number]

/**
 * Renders the document as a letter to the data subject: plain sentences, only the chosen sections, and no internal
 * ids.
 */
export function AccessLetter({ document }: { readonly document: SubjectAccess }) {
  const [left, setLeft] = useState<ReadonlySet<LetterSection>>(new Set())
  const [isFull, setFull] = useState(false)
  const { user, made } = document
  const choose = (section: LetterSection, isChosen: boolean) => {
    const next = new Set(left)
    if (isChosen) next.delete(section)
    else next.add(section)
    setLeft(next)
  }
  const parts: Readonly<Record<LetterSection, ReactNode>> = {
    user: <LetterUser document={document} isFull={isFull} />,
    entities: <LetterEntities document={document} isFull={isFull} />,
    segments: <LetterSegments document={document} />,
    events: <LetterEvents document={document} isFull={isFull} />,
  }
  return (
    <>
      <Group component="fieldset" gap="8px 20px" className={letter.choice ?? ''}>
        <legend className="ds-visually-hidden">{letterText.choose}</legend>
        {sections.map((section) => (
          <Checkbox
            key={section}
            label={letterText.sections[section]}
            checked={!left.has(section)}
            onChange={(event) => choose(section, event.currentTarget.checked)}
          />
        ))}
        <Checkbox
          label={letterText.full}
          checked={isFull}
          onChange={(event) => setFull(event.currentTarget.checked)}
        />
      </Group>
      <Sheet label={letterText.label}>
        <Text component="h2" size="xl" fw={600}>
          {letterText.title({ name: nameOf(user) ?? emailOf(user) ?? userText.noName })}
        </Text>
        <p className={classes.aside}>
          {letterText.made.withElements({ time: <Timestamp value={made} mode="paper" /> })}
        </p>
        {sections
          .filter((section) => !left.has(section))
          .map((section) => (
            <section key={section} className={letter.section}>
              <Text component="h3" size="md" fw={600} pb={8}>
                {letterText.sections[section]}
              </Text>
              {parts[section]}
            </section>
          ))}
      </Sheet>
    </>
  )
}

interface LetterPartProps {
  readonly document: SubjectAccess
  /** Whether to include ids, and the actors and reasons of changes. */
  readonly isFull: boolean
}

function LetterUser({ document: { user }, isFull }: LetterPartProps) {
  return (
    <SheetRows>
      <SheetRow name={userText.columns.name}>{nameOf(user)}</SheetRow>
      <SheetRow name={userText.columns.email}>{emailOf(user)}</SheetRow>
      <SheetRow name={userText.columns.ref}>{user.ref}</SheetRow>
      <SheetRow name={userText.columns.since}>
        {user.since && <Timestamp value={user.since} mode="paper" />}
      </SheetRow>
      {isFull && <SheetRow name={accessText.sheet.userId}>{user.id}</SheetRow>}
    </SheetRows>
  )
}

function LetterEntities({ document: { entities }, isFull }: LetterPartProps) {
  if (entities.length === 0) return <p>{letterText.noEntities}</p>
  return entities.map((entity) => <LetterEntity key={entity.id} entity={entity} isFull={isFull} />)
}

function LetterEntity({ entity, isFull }: { readonly entity: Entity; readonly isFull: boolean }) {
  const { id, type, properties } = entity
  return (
    <div className={letter.entity}>
      <Text component="h4" size="sm" fw={600} pb={4}>
        {keyLabel(type)} {isFull && <span className={classes.aside}>{id}</span>}
      </Text>
      <SheetRows>
        {properties.map(({ key, type: dataType, value, masked }, index) => (
          <SheetRow key={index} name={keyLabel(key)}>
            {masked === true ? letterText.withheld : <ValueText type={dataType} value={value} />}
          </SheetRow>
        ))}
      </SheetRows>
    </div>
  )
}

function LetterSegments({ document: { segments } }: Pick<LetterPartProps, 'document'>) {
  if (!segments) return <p>{letterText.segmentsUnknown}</p>
  const inside = segments.filter(({ member }) => member === true)
  const isIncomplete = segments.some(({ member }) => member === null)
  if (inside.length === 0) return <p>{isIncomplete ? letterText.segmentsUnknown : letterText.noSegments}</p>
  return (
    <>
      <ul>
        {inside.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
      {isIncomplete && <p>{letterText.segmentsIncomplete}</p>}
    </>
  )
}

function LetterEvents({ document, isFull }: LetterPartProps) {
  const history = historyOf(document).filter(({ event }) => isFull || !isRead(event))
  if (history.length === 0) return <p>{letterText.noEvents}</p>
  return (
    <SheetRows>
      {history.map(({ event, what, actor, reason }) => (
        <SheetRow key={event.id} name={<Timestamp value={event.eventtime} mode="paper" />}>
          {what}
          {isFull && (
            <span className={classes.aside}>
              {[actor, reason].flatMap((part) => (part === undefined ? [] : ` · ${part}`)).join('')}
            </span>
          )}
        </SheetRow>
      ))}
    </SheetRows>
  )
}
