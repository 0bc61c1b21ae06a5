import { Checkbox, Group, Text, Textarea } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'

import { isRead } from '../../domain/changes/what-happened.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import { labelWithType, propertyLabel } from '../../domain/labels.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { accessText, userText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { onScreen, Sheet, SheetRow, SheetRows } from '../../ui/Sheet.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { historyOf } from './AccessSheet.tsx'
import { nameTargets, titleEntity } from './targets.ts'
import { type DocumentProperties, hasUse, nameProperties, Uses } from './Uses.tsx'
import letter from './AccessLetter.module.css'
import classes from './AccessSheet.module.css'

const letterText = accessText.letter
const sections = ['user', 'entities', 'uses', 'segments', 'events', 'rights'] as const
type LetterSection = (typeof sections)[number]

/** Document as a letter to the data subject: plain sentences, the chosen sections, and ids only on request. */
export function AccessLetter({ document }: { readonly document: SubjectAccess }) {
  // Segments are internal, and their names were not written for the people in them.
  const [chosen, setChosen] = useState<readonly LetterSection[]>(() =>
    sections.filter((section) => section !== 'segments'),
  )
  const [texts, setTexts] = useState<Texts>({ sender: '', closing: letterText.closingStart })
  const [isFull, setFull] = useState(false)
  const { user, made } = document
  const properties = useMemo(() => nameProperties(document), [document])
  // A service without definitions does not tell what data is used for.
  const offered = sections.filter((section) =>
    section === 'uses' ? hasUse(properties) : section !== 'rights' || document.definitions !== null,
  )
  const choose = (section: LetterSection, isChosen: boolean) =>
    setChosen(sections.filter((each) => (each === section ? isChosen : chosen.includes(each))))
  const parts: Readonly<Record<LetterSection, ReactNode>> = {
    user: <LetterUser document={document} isFull={isFull} />,
    entities: <LetterEntities document={document} isFull={isFull} properties={properties} />,
    uses: <Uses properties={properties} nameOf={labelWithType} />,
    segments: <LetterSegments document={document} />,
    events: <LetterEvents document={document} isFull={isFull} />,
    rights: <p>{letterText.rights}</p>,
  }
  return (
    <>
      <Group component="fieldset" gap="8px 20px" className={`${letter.choice} ${onScreen}`}>
        <legend className="ds-visually-hidden">{letterText.choose}</legend>
        {offered.map((section) => (
          <Checkbox
            key={section}
            label={letterText.sections[section]}
            checked={chosen.includes(section)}
            onChange={(event) => choose(section, event.currentTarget.checked)}
          />
        ))}
        <Checkbox
          label={letterText.full}
          checked={isFull}
          onChange={(event) => setFull(event.currentTarget.checked)}
        />
      </Group>
      <LetterTexts {...texts} onChange={setTexts} />
      <Sheet label={letterText.label}>
        {texts.sender.trim() !== '' && <p className={letter.sender}>{texts.sender}</p>}
        <Text component="h2" size="xl" fw={600}>
          {letterText.title({ name: nameOf(user) ?? emailOf(user) ?? userText.noName })}
        </Text>
        <p className={classes.aside}>
          {letterText.made.withElements({ time: <Timestamp value={made} mode="paper" /> })}
        </p>
        {offered
          .filter((section) => chosen.includes(section))
          .map((section) => (
            <section key={section} className={letter.section} aria-label={letterText.sections[section]}>
              <Text component="h3" size="md" fw={600} pb={8}>
                {letterText.sections[section]}
              </Text>
              {parts[section]}
            </section>
          ))}
        {texts.closing.trim() !== '' && <p className={letter.closing}>{texts.closing}</p>}
      </Sheet>
    </>
  )
}

/** Texts of the letter that its sender writes. Kept only in memory. */
interface Texts {
  readonly sender: string
  readonly closing: string
}

function LetterTexts({ onChange, ...texts }: Texts & { readonly onChange: (texts: Texts) => void }) {
  return (
    <Group gap="16px" align="start" pb={16} grow className={onScreen ?? ''}>
      <Textarea
        label={letterText.sender}
        description={letterText.senderHint}
        inputWrapperOrder={['label', 'input', 'description']}
        rows={3}
        value={texts.sender}
        onChange={(event) => onChange({ ...texts, sender: event.currentTarget.value })}
      />
      <Textarea
        label={letterText.closing}
        rows={3}
        value={texts.closing}
        onChange={(event) => onChange({ ...texts, closing: event.currentTarget.value })}
      />
    </Group>
  )
}

interface LetterPartProps {
  readonly document: SubjectAccess
  /** Whether to include ids, reads of sensitive values, and the actors and reasons of events. */
  readonly isFull: boolean
}

function LetterUser({ document: { user }, isFull }: LetterPartProps) {
  const address = emailOf(user)
  return (
    <SheetRows>
      <SheetRow name={userText.columns.name}>{nameOf(user)}</SheetRow>
      <SheetRow name={userText.columns.email}>
        {address === undefined ? undefined : <EmailText>{address}</EmailText>}
      </SheetRow>
      <SheetRow name={userText.columns.ref}>{user.ref}</SheetRow>
      <SheetRow name={userText.columns.since}>
        {user.since && <Timestamp value={user.since} mode="paper" />}
      </SheetRow>
      {isFull && <SheetRow name={accessText.sheet.userId}>{user.id}</SheetRow>}
    </SheetRows>
  )
}

interface LetterEntitiesProps extends LetterPartProps {
  readonly properties: DocumentProperties
}

function LetterEntities({ document: { user, entities }, isFull, properties: defined }: LetterEntitiesProps) {
  const nameTarget = nameTargets({ user, entities })
  if (entities.length === 0) return <p>{letterText.noEntities}</p>
  const isWithheld = entities.some(({ properties }) => properties.some(({ masked }) => masked === true))
  return (
    <>
      {isWithheld && <p className={letter.note}>{letterText.withheldWhy}</p>}
      {entities.map((entity) => {
        const { id, type, properties } = entity
        return (
          <div key={id} className={letter.entity}>
            <Text component="h4" size="sm" fw={600} pb={4}>
              {titleEntity(entity)} {isFull && <span className={classes.aside}>{id}</span>}
            </Text>
            <SheetRows>
              {properties.map(({ key, type: dataType, value, masked }, index) => (
                <SheetRow key={index} name={propertyLabel(type, key)}>
                  {masked === true ? (
                    letterText.withheld
                  ) : (
                    <DefinedValue
                      type={dataType}
                      value={value}
                      property={defined.get(type)?.get(key)}
                      renderLink={nameTarget}
                    />
                  )}
                </SheetRow>
              ))}
            </SheetRows>
          </div>
        )
      })}
    </>
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
