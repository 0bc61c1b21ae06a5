import { Box, Text } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'

import type { Changeset, Entity, Membership } from '#contract/index.ts'
import { Changes } from '../../domain/changes/Changes.tsx'
import { eventLine, eventProperty, laterOnesOf } from '../../domain/changes/what-happened.ts'
import { DefinedValue } from '../../domain/definitions/DefinedValue.tsx'
import type { NamedProperty } from '../../domain/definitions/definitions.ts'
import { labelWithType, propertyLabel, typeLabel } from '../../domain/labels.ts'
import { isSensitiveProperty } from '../../domain/people/mask-entity.ts'
import { emailOf, nameOf } from '../../domain/people/user-fields.ts'
import type { SubjectAccess } from '../../domain/subject-access/document.ts'
import { dataTypeName } from '../../domain/values/data-type-name.ts'
import { Mask } from '../../domain/values/Mask.tsx'
import { SensitiveMark } from '../../domain/values/SensitiveMark.tsx'
import type { Target } from '../../domain/values/ValueText.tsx'
import { accessText, userText } from '../../messages/index.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { AsSent } from '../../ui/Facts.tsx'
import { Sheet } from '../../ui/Sheet.tsx'
import { Timestamp } from '../../ui/Timestamp.tsx'
import { nameTargets } from './targets.ts'
import { hasUse, nameProperties, Uses } from './Uses.tsx'
import classes from './AccessSheet.module.css'

const sheetText = accessText.sheet

/** Renders the complete document for reading and printing: black on white, in the order of the file. */
export function AccessSheet({ document }: { readonly document: SubjectAccess }) {
  const { user, entities, segments, omitted } = document
  const properties = useMemo(() => nameProperties(document), [document])
  const { id, name: _, email: __, ref, since, created, account, ...others } = user
  const address = emailOf(user)
  return (
    <Sheet label={sheetText.label}>
      <Text component="h2" size="xl" fw={600} pb={12}>
        {sheetText.title({ name: nameOf(user) ?? address ?? userText.noName })}
      </Text>
      <SheetAbout document={document} />

      <SheetSection title={sheetText.sections.user}>
        <SheetTable head={[sheetText.field, sheetText.value]}>
          <FactRow name={userText.columns.name}>{nameOf(user)}</FactRow>
          <FactRow name={userText.columns.email}>
            {address === undefined ? undefined : <EmailText>{address}</EmailText>}
          </FactRow>
          <FactRow name={userText.columns.ref}>{ref}</FactRow>
          <FactRow name={sheetText.userId}>
            <span className="ds-mono">{id}</span>
          </FactRow>
          <FactRow name={userText.columns.since}>
            <Timestamp value={since} mode="paper" />
          </FactRow>
          <FactRow name={userText.columns.created}>
            <Timestamp value={created} mode="paper" />
          </FactRow>
          {typeof account === 'boolean' && (
            <FactRow name={userText.columns.account}>
              {userText.account.short[account ? 'yes' : 'no']}
            </FactRow>
          )}
          {Object.entries(others).map(([key, value]) => (
            <FactRow key={key} name={key}>
              <AsSent value={value} />
            </FactRow>
          ))}
        </SheetTable>
      </SheetSection>

      <SheetSection title={sheetText.sections.entities({ count: entities.length })}>
        {entities.length === 0 && <p>{sheetText.noEntities}</p>}
        {entities.map((entity) => (
          <EntityTable
            key={entity.id}
            entity={entity}
            defined={properties.get(entity.type)}
            nameTarget={nameTargets(document)}
          />
        ))}
      </SheetSection>

      {hasUse(properties) && (
        <SheetSection title={sheetText.sections.uses}>
          <Uses properties={properties} nameOf={labelWithType} />
        </SheetSection>
      )}

      <SheetSection title={sheetText.sections.segments}>
        <SheetSegments segments={segments} />
      </SheetSection>

      <SheetSection title={sheetText.sections.events}>
        <SheetHistory document={document} />
      </SheetSection>

      {omitted.length > 0 && (
        <SheetSection title={sheetText.omitted}>
          <ul>
            {omitted.map(({ part }) => (
              <li key={part}>{sheetText.omittedBecause({ part: accessText.parts[part] })}</li>
            ))}
          </ul>
        </SheetSection>
      )}
    </Sheet>
  )
}

function SheetAbout({ document }: { readonly document: SubjectAccess }) {
  const { made, madeBy, service, sensitive, reason, reasonRecorded, user } = document
  return (
    <SheetTable label={sheetText.about}>
      <FactRow name={sheetText.userId}>
        <span className="ds-mono">{user.id}</span>
      </FactRow>
      <FactRow name={sheetText.made}>
        <Timestamp value={made} mode="paper" />
      </FactRow>
      <FactRow name={sheetText.madeBy}>{madeBy}</FactRow>
      <FactRow name={sheetText.service}>{service}</FactRow>
      <FactRow name={sheetText.sensitive}>{sheetText.sensitiveStates[sensitive]}</FactRow>
      {reason !== null && (
        <FactRow name={sheetText.reason}>
          {reason}
          {sensitive !== 'none' && (
            <span className={classes.aside}>
              {' '}
              {reasonRecorded ? sheetText.reasonRecorded : sheetText.reasonUnrecorded}
            </span>
          )}
        </FactRow>
      )}
    </SheetTable>
  )
}

interface EntityTableProps {
  readonly entity: Entity
  readonly defined: ReadonlyMap<string, NamedProperty> | undefined
  readonly nameTarget: (target: Target) => string
}

function EntityTable({ entity, defined, nameTarget }: EntityTableProps) {
  const { id, type, created, properties } = entity
  return (
    <Box component="section" pb={16}>
      <Text component="h4" size="sm" fw={600} pb={4}>
        {typeLabel(type)} <span className={classes.aside}>{id}</span>
      </Text>
      {typeof created === 'string' && (
        <p className={classes.aside}>
          {sheetText.created.withElements({ time: <Timestamp value={created} mode="paper" /> })}
        </p>
      )}
      {properties.length === 0 ? (
        <p>{sheetText.noProperties}</p>
      ) : (
        <SheetTable head={[sheetText.key, sheetText.type, sheetText.value]}>
          {properties.map((property, index) => (
            <tr key={index}>
              <th scope="row">
                {propertyLabel(type, property.key)} {isSensitiveProperty(property) && <SensitiveMark />}
              </th>
              <td>{dataTypeName(property.type)}</td>
              <td>
                {property.masked === true ? (
                  <Mask>{sheetText.withheld}</Mask>
                ) : (
                  <DefinedValue
                    type={property.type}
                    value={property.value}
                    property={defined?.get(property.key)}
                    renderLink={nameTarget}
                  />
                )}
              </td>
            </tr>
          ))}
        </SheetTable>
      )}
    </Box>
  )
}

function SheetSegments({ segments }: { readonly segments: readonly Membership[] | null }) {
  if (!segments) return <p>{sheetText.segmentsUnknown}</p>
  const inside = segments.filter(({ member }) => member === true)
  const unknown = segments.filter(({ member }) => member === null).length
  return (
    <>
      {inside.length === 0 ? (
        <p>{sheetText.inNone}</p>
      ) : (
        <ul>
          {inside.map(({ id, name }) => (
            <li key={id}>
              {name} <span className={classes.aside}>{id}</span>
            </li>
          ))}
        </ul>
      )}
      {unknown > 0 && <p>{sheetText.unknownSegments({ count: unknown })}</p>}
    </>
  )
}

function SheetHistory({ document }: { readonly document: SubjectAccess }) {
  const { changesets, sensitive } = document
  const history = historyOf(document)
  const nameTarget = nameTargets(document)
  const hasMask = ({ changes }: Changeset) => changes.some(({ masked }) => masked === true)
  return (
    <>
      {changesets === null && <p>{sheetText.changesetsUnknown}</p>}
      {sensitive === 'included' && changesets?.some(hasMask) === true && <p>{sheetText.historyWithheld}</p>}
      {history.length === 0 ? (
        <p>{sheetText.noEvents}</p>
      ) : (
        history.map(({ event, changeset, what, actor }) => {
          const reason = eventProperty(event, 'reason')
          return (
            <Box component="section" key={event.id} py={6}>
              <Text component="h4" size="sm" fw={600} pb={4}>
                <Timestamp value={event.eventtime} mode="paper" />
                {` · ${what}`}
                {actor !== undefined && <span className={classes.aside}>{` · ${actor}`}</span>}
              </Text>
              {reason !== undefined && <p className={classes.aside}>{reason}</p>}
              {changeset && changeset.changes.length > 0 && (
                <Changes changeset={changeset} renderLink={nameTarget} />
              )}
            </Box>
          )
        })
      )}
    </>
  )
}

function SheetSection({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Box component="section" pt={20}>
      <Text component="h3" size="lg" fw={600} pb={8}>
        {title}
      </Text>
      {children}
    </Box>
  )
}

interface TableProps {
  readonly head?: readonly string[]
  readonly label?: string
  readonly children: ReactNode
}

function SheetTable({ head, label, children }: TableProps) {
  return (
    <table className={classes.table} aria-label={label}>
      {head && (
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
    </table>
  )
}

function FactRow({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{name}</th>
      <td dir="auto">{(children ?? '') === '' ? '—' : children}</td>
    </tr>
  )
}

/** Returns the lines of the document's events, oldest first, with the changes that the document contains. */
export function historyOf({ events, changesets, entities }: SubjectAccess) {
  const byId = new Map(changesets?.map((changeset) => [changeset.id, changeset]))
  const entityTypes = new Map(entities.map(({ id, type }) => [id as string, type]))
  const later = laterOnesOf(events)
  return events.map((event) => {
    const changeset = byId.get(eventProperty(event, 'changeset') ?? '')
    const known = { changeset, entityTypes, isRestored: later.has(event.id) }
    return { event, changeset, ...eventLine(event, known) }
  })
}
