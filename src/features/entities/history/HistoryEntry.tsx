import { Button } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { type ReactNode, use, useMemo, useState } from 'react'

import { usePerson } from '../../../auth/use-session.ts'
import { historyText } from '../../../messages/index.ts'
import { DisabledReason } from '../../../ui/DisabledReason.tsx'
import { hint } from '../../../ui/Hint.tsx'
import { SensitiveMark } from '../../../domain/values/SensitiveMark.tsx'
import { exactTime, instantMs } from '../../../ui/time.ts'
import { Timestamp, ZonesContext } from '../../../ui/Timestamp.tsx'
import { rawText } from '../../../domain/values/draft.ts'
import { ValueText } from '../../../domain/values/ValueText.tsx'
import type { EntityDraft } from '../entity-draft.ts'
import { type Denials, renderTarget } from '../row-parts.tsx'
import type { Entry, PropertyChange } from './entries.ts'
import classes from './HistoryPanel.module.css'
import { putAllBack, putBack } from './put-back.ts'

export interface HistoryEntryProps {
  readonly entry: Entry
  readonly draft: EntityDraft
  readonly denied: Denials
  /** Its one change is of the property that the history is of. */
  readonly ofProperty: boolean
  /**
   * @param words What has happened, for who does not see it.
   * @param rowId Where it is to be seen, where that is one row.
   */
  readonly onPutBack: (draft: EntityDraft, words: string, rowId?: string) => void
}

/** An entity may have been made with 500 properties at once. */
const shownAtOnce = 8
/** About six lines of a text. */
const shownCharacters = 250

/** One write: what it did, who, when; what was before, and the way back to it. */
export function HistoryEntry({ entry, draft, denied, ofProperty, onPutBack }: HistoryEntryProps) {
  const { time, actor, changes, entityType, entityTypeBefore } = entry
  const [all, setAll] = useState(false)
  const you = usePerson().subject === actor
  const shown = all ? changes : changes?.slice(0, shownAtOnce)
  const more = (changes?.length ?? 0) - (shown?.length ?? 0)
  const isNothing = changes?.length === 0 && entityTypeBefore === undefined && entry.kind === 'changed'
  return (
    <li className={classes.entry}>
      <div className={classes.entryHead}>
        <span className={classes.what}>{whatHappened(entry, ofProperty)}</span>
        <span className={classes.who}>
          {actor !== undefined && <span>{you ? historyText.byYou : historyText.by(actor)}</span>}{' '}
          <Timestamp value={time} />
        </span>
      </div>
      {changes === undefined && <p className={classes.note}>{historyText.notKept}</p>}
      {isNothing && <p className={classes.note}>{historyText.entity.reordered}</p>}
      <ul className={classes.changes}>
        {entityTypeBefore !== undefined && !ofProperty && (
          <li className={classes.change}>
            <span className={classes.key}>{historyText.entity.type}</span>
            <FromTo from={entityTypeBefore} to={entityType} />
          </li>
        )}
        {shown?.map((change) => (
          <ChangeLine
            key={change.key}
            change={change}
            time={time}
            draft={draft}
            denied={denied}
            named={!ofProperty}
            onPutBack={onPutBack}
          />
        ))}
      </ul>
      {more > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(true)}>
          {historyText.moreProperties(more)}
        </Button>
      )}
      {!ofProperty && entry.kind === 'changed' && (
        <PutAllBack entry={entry} draft={draft} denied={denied} onPutBack={onPutBack} />
      )}
    </li>
  )
}

function whatHappened({ kind, changes, entityType }: Entry, ofProperty: boolean): string {
  const [change] = changes ?? []
  if (ofProperty && change) return historyText.property[change.kind]
  return historyText.entity[kind](entityType ?? '', changes?.length ?? 0)
}

interface ChangeLineProps extends Pick<HistoryEntryProps, 'draft' | 'denied' | 'onPutBack'> {
  readonly change: PropertyChange
  readonly time: string
  readonly named: boolean
}

function ChangeLine({ change, time, draft, denied, named, onPutBack }: ChangeLineProps) {
  const { kind, key, hidden, marked } = change
  return (
    <li className={classes.change} data-kind={kind}>
      {named && (
        <span className={classes.key}>
          <span className="ds-mono">{key}</span> {hidden && <SensitiveMark />}
        </span>
      )}
      <div className={classes.states}>
        <States change={change} named={named} />
        {marked !== undefined && (
          <span className={classes.note}>
            {marked ? historyText.becameSensitive : historyText.becamePlain}
          </span>
        )}
      </div>
      {kind !== 'added' && (
        <PutBack change={change} time={time} draft={draft} denied={denied} onPutBack={onPutBack} />
      )}
    </li>
  )
}

function States({ change, named }: Pick<ChangeLineProps, 'change' | 'named'>) {
  const { kind, key, keyBefore, type, typeBefore, hidden, before, after } = change
  if (kind === 'renamed')
    return (
      <FromTo
        from={<span className="ds-mono">{keyBefore}</span>}
        to={<span className="ds-mono">{key}</span>}
      />
    )
  if (hidden)
    return (
      <span className={classes.secret}>{named ? historyText.hidden[kind] : historyText.hiddenValue}</span>
    )
  const isRetyped = type !== typeBefore
  return (
    <FromTo
      from={kind !== 'added' && <State type={typeBefore} value={before} typed={isRetyped} />}
      to={
        kind === 'removed' ? (
          historyText.property.removed
        ) : (
          <State type={type} value={after} typed={isRetyped} />
        )
      }
    />
  )
}

function State({
  type,
  value,
  typed,
}: {
  readonly type: string
  readonly value: unknown
  readonly typed: boolean
}) {
  const [whole, setWhole] = useState(false)
  const isCut = !whole && rawText(value ?? '').length > shownCharacters
  return (
    <>
      <span className={isCut ? classes.long : undefined}>
        <ValueText type={type} value={value} renderLink={renderTarget} />
      </span>
      {isCut && (
        <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
          {historyText.whole}
        </Button>
      )}
      {typed && <span className={classes.type}>{type}</span>}
    </>
  )
}

function FromTo({ from, to }: { readonly from: ReactNode; readonly to: ReactNode }) {
  return (
    <div className={classes.fromTo}>
      {from !== false && (
        <>
          <span className={classes.from}>
            <span className="ds-visually-hidden">{historyText.was}</span> {from}
          </span>
          <IconArrowRight size={14} className={classes.arrow} aria-hidden />
        </>
      )}
      <span className={classes.to}>
        <span className="ds-visually-hidden">{historyText.became}</span> {to}
      </span>
    </div>
  )
}

function PutBack({ change, time, draft, denied, onPutBack }: Omit<ChangeLineProps, 'named'>) {
  const result = useMemo(() => putBack(draft, change, denied), [draft, change, denied])
  const exact = useExact(time)
  const { keyNow } = change
  return (
    <DisabledReason reason={'reason' in result ? result.reason : undefined}>
      <Button
        variant="default"
        size="compact-xs"
        className={classes.putBack ?? ''}
        aria-label={historyText.putBackOf(keyNow, exact)}
        {...hint(
          'draft' in result && result.replacesEdit ? historyText.putBackOverEdit : historyText.putBackHint,
        )}
        onClick={() => {
          if ('draft' in result) onPutBack(result.draft, historyText.inForm(keyNow), result.rowId)
        }}
      >
        {historyText.putBack}
      </Button>
    </DisabledReason>
  )
}

/** Where a write did more than one thing: all of it at once. */
function PutAllBack({ entry, draft, denied, onPutBack }: Omit<HistoryEntryProps, 'ofProperty'>) {
  const parts = (entry.changes?.length ?? 0) + (entry.entityTypeBefore === undefined ? 0 : 1)
  const isAlone = parts < 2 && entry.entityTypeBefore === undefined && entry.changes?.[0]?.kind !== 'added'
  const result = useMemo(() => putAllBack(draft, entry, denied), [draft, entry, denied])
  const exact = useExact(entry.time)
  if (isAlone || parts === 0) return null
  const label =
    'draft' in result && result.count < result.of
      ? historyText.undoSome(result.count, result.of)
      : historyText.undo
  return (
    <DisabledReason reason={'reason' in result ? result.reason : undefined}>
      <Button
        variant="default"
        size="compact-xs"
        className={classes.putAllBack ?? ''}
        aria-label={historyText.undoOf(label, exact)}
        {...hint(
          'draft' in result && result.replacesEdit ? historyText.putBackOverEdit : historyText.putBackHint,
        )}
        onClick={() => {
          if ('draft' in result) onPutBack(result.draft, historyText.undoInForm(result.count))
        }}
      >
        {label}
      </Button>
    </DisabledReason>
  )
}

function useExact(time: string): string {
  const { shown, service } = use(ZonesContext)
  const ms = instantMs(time, service)
  return ms === undefined ? time : exactTime(ms, shown)
}
