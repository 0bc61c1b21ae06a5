import { Button, Checkbox, Group, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { IconDownload, IconPrinter } from '@tabler/icons-react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useLoaderData, useParams } from 'react-router'

import { maxReason } from '#contract/index.ts'
import { isFull } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import { BackLink } from '../../domain/BackLink.tsx'
import { isRead } from '../../domain/changes/what-happened.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import { labelWithType, propertyLabel, typeLabel } from '../../domain/labels.ts'
import { links } from '../../domain/links.ts'
import type { UserLoad } from '../../domain/page-route.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import { userQuery } from '../../domain/queries/users.ts'
import { CollectionProgress, useCollection } from '../../domain/subject-access/collection.tsx'
import { download, type SubjectAccess } from '../../domain/subject-access/document.ts'
import { NoSuchUser } from '../../domain/user-list/NoSuchUser.tsx'
import { accessText, userText } from '../../messages/index.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { onScreen, Sheet, SheetRow, SheetRows } from '../../ui/Sheet.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { AccessSheet, historyOf } from './AccessSheet.tsx'
import { type DocumentProperties, hasUse, nameProperties, Uses } from './Uses.tsx'
import classes from './AccessSheet.module.css'
import letter from './SubjectAccessPage.module.css'

/** Page that collects all data about one person on demand, to be handed over as a file or on paper. */
export function SubjectAccessPage() {
  const { userId = '' } = useParams()
  const { exists } = useLoaderData<UserLoad>()
  return exists ? <AccessOfUser key={userId} userId={userId} /> : <NoSuchUser />
}

function AccessOfUser({ userId }: { readonly userId: string }) {
  const { user } = useSuspenseQuery(userQuery(userId)).data
  const collection = useCollection(userId)
  const { work, start, reset } = collection
  const [form, setForm] = useState<'sheet' | 'letter'>('sheet')
  const document = work.phase === 'done' ? work.result : undefined
  return (
    <>
      <div className={onScreen}>
        <PageHeader
          above={<BackLink to={links.user(userId)}>{nameOf(user) ?? userText.noName}</BackLink>}
          title={accessText.title}
          actions={
            document && (
              <>
                <Button variant="default" onClick={reset}>
                  {accessText.restart}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconPrinter size={15} />}
                  onClick={() => window.print()}
                >
                  {accessText.print}
                </Button>
                <Button
                  ref={takeLostFocus}
                  leftSection={<IconDownload size={15} />}
                  onClick={() => void download(document)}
                >
                  {accessText.download}
                </Button>
              </>
            )
          }
        />
        {!document && (
          <Text c="dimmed" maw={720} pb={16}>
            {accessText.intro}
          </Text>
        )}
        {work.phase === 'idle' && <CollectForm onCollect={start} />}
        <CollectionProgress collection={collection} onRestart={reset} />
      </div>
      {document && (
        <>
          <SegmentedControl
            size="xs"
            mb={16}
            className={onScreen ?? ''}
            aria-label={accessText.form}
            data={(['sheet', 'letter'] as const).map((value) => ({ value, label: accessText.forms[value] }))}
            value={form}
            onChange={setForm}
          />
          {form === 'letter' ? <AccessLetter document={document} /> : <AccessSheet document={document} />}
        </>
      )}
    </>
  )
}

/** Moves the focus to the next action when the pressed button has disappeared. */
function takeLostFocus(button: HTMLButtonElement | null) {
  if (document.activeElement === document.body) button?.focus()
}

function CollectForm({ onCollect }: { readonly onCollect: (reason: string | undefined) => void }) {
  const [include, setInclude] = useState(false)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const denied = useDenied('sensitive:read')
  const given = reason.trim()
  const problem =
    given === '' ? accessText.reasonMissing : given.length > maxReason ? accessText.reasonTooLong : undefined
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (!include) onCollect(undefined)
        else if (problem === undefined) onCollect(given)
      }}
    >
      <Stack gap={16} maw={560}>
        <Checkbox
          label={accessText.include}
          description={denied ?? accessText.includeHint}
          checked={include}
          disabled={denied !== undefined}
          onChange={(event) => setInclude(event.currentTarget.checked)}
        />
        {include && (
          <Textarea
            label={accessText.reason}
            description={isFull() ? accessText.reasonHintRecorded : accessText.reasonHintUnrecorded}
            error={tried && problem}
            rows={2}
            required
            autoComplete="off"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
        <div>
          <Button type="submit">{accessText.collect}</Button>
        </div>
      </Stack>
    </form>
  )
}

const letterText = accessText.letter
const sections = ['user', 'entities', 'uses', 'segments', 'events', 'rights'] as const
type LetterSection = (typeof sections)[number]

/** Document as a letter to the data subject: plain sentences, the chosen sections, and ids only on request. */
function AccessLetter({ document }: { readonly document: SubjectAccess }) {
  const [chosen, setChosen] = useState<readonly LetterSection[]>(sections)
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
      <Group component="fieldset" gap="8px 20px" className={letter.choice ?? ''}>
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
      <Sheet label={letterText.label}>
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
      </Sheet>
    </>
  )
}

interface LetterPartProps {
  readonly document: SubjectAccess
  /** Whether to include ids, reads of sensitive values, and the actors and reasons of events. */
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

interface LetterEntitiesProps extends LetterPartProps {
  readonly properties: DocumentProperties
}

function LetterEntities({ document: { entities }, isFull, properties: defined }: LetterEntitiesProps) {
  if (entities.length === 0) return <p>{letterText.noEntities}</p>
  return entities.map(({ id, type, properties }) => (
    <div key={id} className={letter.entity}>
      <Text component="h4" size="sm" fw={600} pb={4}>
        {typeLabel(type)} {isFull && <span className={classes.aside}>{id}</span>}
      </Text>
      <SheetRows>
        {properties.map(({ key, type: dataType, value, masked }, index) => (
          <SheetRow key={index} name={propertyLabel(type, key)}>
            {masked === true ? (
              letterText.withheld
            ) : (
              <DefinedValue type={dataType} value={value} property={defined.get(type)?.get(key)} />
            )}
          </SheetRow>
        ))}
      </SheetRows>
    </div>
  ))
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
