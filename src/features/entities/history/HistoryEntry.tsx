import { Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Fragment, type ReactNode, use, useMemo, useState } from 'react'

import type { Change } from '#contract/index.ts'
import { rawText } from '#contract/reading/written.ts'
import { usePerson } from '../../../auth/use-session.ts'
import { MarkedLabel } from '../../../domain/changes/ComparisonTable.tsx'
import { Why } from '../../../domain/changes/Why.tsx'
import { PropertyText } from '../../../domain/definitions/DefinedValue.tsx'
import { RowCells, RowFrame } from '../../../domain/known-properties/RowFrame.tsx'
import { propertyLabel, typeLabel, typeWithin } from '../../../domain/labels.ts'
import { dataTypeName } from '../../../domain/values/data-type-name.ts'
import { Mask } from '../../../domain/values/Mask.tsx'
import { sameJson } from '../../../domain/values/same-json.ts'
import { entityText, historyText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { takeFew } from '../../../ui/show-more.ts'
import { instantMs, minuteOf } from '../../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../../ui/Timestamp.tsx'
import type { EntityDraft, DisabledReasons } from '../draft/entity-draft.ts'
import { Concealed, Small } from '../sensitive/MaskedValue.tsx'
import { type Revealed, type useShown, useMaskedAccess } from '../sensitive/reveal.ts'
import { renderHiddenTarget, renderTarget } from '../target/TargetLink.tsx'
import type { HistoryItem, PropertyChange } from './entries.ts'
import {
  type EntryRevert,
  revertEntry,
  revertChange,
  type ChangeRevert,
  type ServiceRevert,
} from './revert.ts'
import classes from './HistoryPanel.module.css'

export interface HistoryEntryProps {
  readonly entry: HistoryItem
  readonly draft: EntityDraft
  readonly denied: DisabledReasons
  /** Whether the history is that of one property, so that the entry shows only the change of that property. */
  readonly ofProperty: boolean
  /** Puts the restored draft into the form. `words` are announced; `rowId`: the only row that changed. */
  readonly onRevertDraft: (draft: EntityDraft, words: string, rowId?: string) => void
  /** Lets the service restore a masked value. `time`: that of the write to revert. */
  readonly onRevert: (revert: ServiceRevert, time: string) => void
  readonly reveal: ReturnType<typeof useShown<MaskedChange>>
}

/** A change whose values can be revealed. */
export interface MaskedChange {
  readonly id: string
  readonly changesetId: string
  /** Key of the property at that time. */
  readonly key: string
}

/** Number of changes shown initially; an entity may have been created with 500 properties at once. */
const shownAtOnce = 8
/** Length of about six lines of text. */
const shownCharacters = 250

/** History entry of one write: its effect, actor and time, the earlier values, and buttons that restore them. */
export function HistoryEntry({ entry, ofProperty, ...rest }: HistoryEntryProps) {
  const { time, actor, why, kind, changes, entityType, entityTypeBefore } = entry
  const [all, setAll] = useState(false)
  const you = usePerson().subject === actor
  const [first] = changes ?? []
  const shown = all ? changes : changes && takeFew(changes, shownAtOnce)
  const more = (changes?.length ?? 0) - (shown?.length ?? 0)
  const isNothing = changes?.length === 0 && entityTypeBefore === undefined && kind === 'changed'
  return (
    <Stack component="li" align="flex-start" gap={4} py="sm" className={classes.entry}>
      <Group justify="space-between" gap="0 16px" w="100%">
        <Text span inherit fw={500}>
          {ofProperty && first
            ? historyText.property[first.kind]
            : historyText.entity[kind]({ type: typeWithin(entityType ?? ''), count: changes?.length ?? 0 })}
        </Text>
        <Group component="span" gap="sm" c="dimmed">
          {actor !== undefined && <span>{you ? historyText.byYou : historyText.by({ actor })}</span>}{' '}
          <Timestamp value={time} mode="minute" focusable />
        </Group>
      </Group>
      <Why {...why} />
      {changes === undefined && <HistoryNote>{historyText.notKept}</HistoryNote>}
      {isNothing && <HistoryNote>{historyText.entity.reordered}</HistoryNote>}
      <ul className={classes.list}>
        {entityTypeBefore !== undefined && !ofProperty && (
          <RowFrame place="history" label={historyText.entity.type}>
            <RowCells>
              <FromTo
                from={typeLabel(entityTypeBefore)}
                to={entityType !== undefined && typeLabel(entityType)}
              />
            </RowCells>
          </RowFrame>
        )}
        {shown?.map((change) => (
          <ChangeLine key={change.key} {...rest} change={change} time={time} named={!ofProperty} />
        ))}
      </ul>
      {more > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          {historyText.moreProperties({ count: more })}
        </Button>
      )}
      {!ofProperty && kind === 'changed' && <RevertEntryButton {...rest} entry={entry} />}
    </Stack>
  )
}

export function HistoryNote({ children }: { readonly children: string }) {
  return (
    <Text size="xs" c="dimmed" pt={2}>
      {children}
    </Text>
  )
}

interface ChangeLineProps extends Omit<HistoryEntryProps, 'entry' | 'ofProperty'> {
  readonly change: PropertyChange
  readonly time: string
  readonly named: boolean
}

function ChangeLine(props: ChangeLineProps) {
  const { change, time, draft, denied, named, onRevertDraft, onRevert } = props
  const { kind, key, keyNow, masked, marked } = change
  const result = useMemo(() => revertChange(draft, change, denied), [draft, change, denied])
  const minute = useMinute(time)
  const label = propertyLabel(draft.type, keyNow)
  return (
    <RowFrame
      place="history"
      label={named ? <MarkedLabel label={propertyLabel(draft.type, key)} isSecret={masked} /> : undefined}
    >
      <RowCells
        actions={
          kind === 'added' ? undefined : (
            <RevertButton
              result={result}
              label={'revert' in result ? historyText.reverting.open : historyText.restore}
              fullLabel={historyText.restoreOf({ label, time: minute })}
              onRevert={() => {
                const words = historyText.inForm({ label })
                if ('revert' in result) onRevert(result.revert, minute)
                else if ('draft' in result) onRevertDraft(result.draft, words, result.rowId)
              }}
            />
          )
        }
      >
        <States {...props} label={label} minute={minute} />
        {marked !== undefined && (
          <HistoryNote>{marked ? historyText.becameSensitive : historyText.becamePlain}</HistoryNote>
        )}
      </RowCells>
    </RowFrame>
  )
}

interface StatesProps extends ChangeLineProps {
  readonly label: string
  readonly minute: string
}

function States(props: StatesProps) {
  const { change, draft } = props
  const { kind, key, keyBefore, keyNow: of, type, typeBefore, masked, before, after } = change
  if (kind === 'renamed')
    return (
      <FromTo
        from={<span className="ds-mono">{keyBefore}</span>}
        to={<span className="ds-mono">{key}</span>}
      />
    )
  if (masked) return <HiddenStates {...props} kind={kind} />
  const typed = type !== typeBefore
  const now = draft.loaded?.properties.find((each) => each.key === of)
  const state = (was: string, value: unknown) => (
    <ValueState
      {...{ draft, of }}
      type={was}
      value={value}
      typed={typed}
      isNow={now !== undefined && now.type === was && sameJson(now.value, value)}
    />
  )
  return (
    <FromTo
      from={kind !== 'added' && state(typeBefore, before)}
      to={kind === 'removed' ? <Removed /> : state(type, after)}
    />
  )
}

function Removed() {
  return (
    <Text span inherit c="var(--ds-removed)">
      {historyText.property.removed}
    </Text>
  )
}

interface HiddenStatesProps extends StatesProps {
  readonly kind: Exclude<PropertyChange['kind'], 'renamed'>
}

/** Hidden values of a change, which can be revealed for a reason. */
function HiddenStates({ kind, change, draft, named, reveal, label, minute }: HiddenStatesProps) {
  const { key, keyNow: of, changesetId, isLast = false } = change
  const name = historyText.hiddenOf({ label, time: minute })
  const { mayReveal } = useMaskedAccess()
  const id = `${changesetId} ${key}`
  const revealed = reveal.revealed?.rowId === id ? reveal.revealed : undefined
  const after = isLast ? <span>{historyText.sameAsNow}</span> : <Mask />
  const mask = named ? (
    <Mask>{historyText.hidden[kind]}</Mask>
  ) : (
    <FromTo from={kind !== 'added' && <Mask />} to={kind === 'removed' ? <Removed /> : after} />
  )
  return (
    <Group gap="4px 8px">
      <Concealed
        label={name}
        revealed={revealed}
        mask={mask}
        onHide={reveal.hide}
        tools={
          mayReveal &&
          changesetId !== undefined && (
            <Small
              label={entityText.revealOf({ label: name })}
              onClick={() => reveal.ask({ id, changesetId, key })}
            >
              {entityText.reveal}
            </Small>
          )
        }
      >
        {revealed && <RevealedStates {...{ revealed, isLast, draft, of }} />}
      </Concealed>
    </Group>
  )
}

interface RevealedStatesProps extends PropertyProps {
  readonly revealed: Revealed
  readonly isLast: boolean
}

/** Revealed values of a change, in a component of their own, which is dropped with them. */
function RevealedStates({ revealed, isLast, ...property }: RevealedStatesProps) {
  const { op, type, typeBefore = type, before, after } = revealed.value as Change
  const shared = { ...property, typed: type !== typeBefore, isBrief: true }
  return (
    <FromTo
      from={op !== 'add' && <ValueState {...shared} type={typeBefore} value={before} />}
      to={op === 'remove' ? <Removed /> : <ValueState {...shared} type={type} value={after} isNow={isLast} />}
    />
  )
}

interface PropertyProps extends Pick<HistoryEntryProps, 'draft'> {
  /** Key of the property now. */
  readonly of: string
}

interface ValueStateProps extends PropertyProps {
  readonly type: string
  readonly value: unknown
  readonly typed: boolean
  /** Whether this is the stored value of today. */
  readonly isNow?: boolean
  /** Whether the value is revealed, and hidden again soon. */
  readonly isBrief?: boolean
}

function ValueState({ draft, of, type, value, typed, isNow = false, isBrief = false }: ValueStateProps) {
  const [whole, setWhole] = useState(false)
  const isCut = !whole && rawText(value ?? '').length > shownCharacters
  return (
    <>
      {/* A text value may be as long as a page. */}
      <Text span inherit {...(isCut && { lineClamp: 6 })}>
        <PropertyText
          entityType={draft.type}
          {...{ of, type, value }}
          renderLink={isBrief ? renderHiddenTarget : renderTarget}
        />
      </Text>
      {isCut && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {historyText.whole}
        </Button>
      )}
      {[typed && dataTypeName(type), isNow && historyText.sameAsNow].map(
        (note) =>
          note !== false && (
            <Fragment key={note}>
              {' '}
              <Text span size="xs" c="dimmed" ms={2}>
                {note}
              </Text>
            </Fragment>
          ),
      )}
    </>
  )
}

function FromTo({ from, to }: { readonly from: ReactNode; readonly to: ReactNode }) {
  return (
    <Group component="span" align="flex-start" gap="2px 8px" miw={0}>
      {from !== false && (
        <>
          <Text span inherit c="dimmed" maw="100%">
            <span className="ds-visually-hidden">{historyText.was}</span> {from}
          </Text>
          <IconArrowRight size={14} className={classes.arrow} aria-hidden />
        </>
      )}
      <Text span inherit maw="100%">
        <span className="ds-visually-hidden">{historyText.became}</span> {to}
      </Text>
    </Group>
  )
}

interface RevertButtonProps {
  readonly result: ChangeRevert | EntryRevert
  readonly label: string
  /** Accessible name with the time, and with the property if there is one, so that it makes sense out of context. */
  readonly fullLabel: string
  readonly onRevert: () => void
}

/** Button that restores an earlier state, in the form or through the service, or shows why it cannot. */
function RevertButton({ result, label, fullLabel, onRevert }: RevertButtonProps) {
  return (
    <DisabledReason reason={'reason' in result ? result.reason : undefined}>
      <Button
        variant="default"
        size="compact-xs"
        flex="none"
        ms="auto"
        aria-label={fullLabel}
        {...hint(hintOf(result))}
        onClick={onRevert}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}

function hintOf(result: ChangeRevert | EntryRevert): string {
  if ('revert' in result) return historyText.reverting.hint
  return 'draft' in result && result.replacesEdit ? historyText.restoreOverEdit : historyText.restoreHint
}

type RevertEntryButtonProps = Pick<HistoryEntryProps, 'entry' | 'draft' | 'denied' | 'onRevertDraft'>

/** Button that reverts a whole write; not rendered for a write whose only change has its own button. */
function RevertEntryButton({ entry, draft, denied, onRevertDraft }: RevertEntryButtonProps) {
  const { changes = [], entityTypeBefore, time } = entry
  const result = useMemo(() => revertEntry(draft, entry, denied), [draft, entry, denied])
  const minute = useMinute(time)
  // A single change has its own button, unless it is an addition.
  const isAlone = changes.length < 2 && changes[0]?.kind !== 'added'
  if (entityTypeBefore === undefined && isAlone) return null
  const { restoreAll, restoreAllOf, restoreSome, restoreSomeOf, allInForm } = historyText
  const some = 'draft' in result && result.count < result.of && { count: result.count, total: result.of }
  return (
    <RevertButton
      result={result}
      label={some ? restoreSome(some) : restoreAll}
      fullLabel={some ? restoreSomeOf({ ...some, time: minute }) : restoreAllOf({ time: minute })}
      onRevert={() => {
        if ('draft' in result) onRevertDraft(result.draft, allInForm({ count: result.count }))
      }}
    />
  )
}

function useMinute(time: string): string {
  const { shown, service } = use(ZonesContext)
  const ms = instantMs(time, service)
  return ms === undefined ? time : minuteOf(ms, shown)
}
