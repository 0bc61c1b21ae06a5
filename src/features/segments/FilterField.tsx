import { useCallback, useId, useMemo, useState } from 'react'

import type { Segment } from '#contract/index.ts'
import { segments as text } from '../../messages/index.ts'
import { Area } from '../../ui/value/Field.tsx'
import type { Node } from './draft.ts'
import {
  type FilterDraft,
  nodeById,
  type Problem,
  problemsOf,
  showBuilder,
  showJson,
} from './filter-draft.ts'
import { FilterBuilder } from './FilterBuilder.tsx'
import classes from './FilterField.module.css'

const words = text.create

/** What the service refused, and the draft that it refused: what was changed since is no longer refused. */
export interface Refused {
  readonly draft: FilterDraft
  readonly problems: readonly Problem[]
}

export interface FilterFieldProps {
  readonly draft: FilterDraft
  readonly onChange: (draft: FilterDraft) => void
  /** Somebody wanted to save: everything that is wrong is shown, not only where he has been. */
  readonly checked: boolean
  readonly refused: Refused | undefined
  readonly segments: readonly Segment[]
  readonly tz: string
}

/** One filter in two views, the builder and JSON. */
export function FilterField({ draft, onChange, checked, refused, segments, tz }: FilterFieldProps) {
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  /** The draft whose JSON the builder could not show when it was asked to. */
  const [stuck, setStuck] = useState<FilterDraft>()
  const { unreadable, problems } = useMemo(() => problemsOf(draft), [draft])
  const { view, root, json } = draft

  const show = (next: FilterDraft['view']) => {
    const shown = next === view ? draft : next === 'json' ? showJson(draft) : showBuilder(draft)
    setStuck(shown ? undefined : draft)
    if (shown) onChange(shown)
  }
  const problemsAt = useCallback(
    (id: string) => {
      const own = checked || touched.has(id) ? problems.filter(({ place }) => place.id === id) : []
      const known =
        refused?.draft.view === 'builder' && nodeById(refused.draft.root, id) === nodeById(root, id)
      return known ? [...own, ...refused.problems.filter(({ place }) => place.id === id)] : own
    },
    [checked, touched, problems, refused, root],
  )
  const touch = useCallback(
    (id: string) => setTouched((before) => (before.has(id) ? before : new Set([...before, id]))),
    [],
  )
  const change = useCallback((next: Node) => onChange({ ...draft, root: next }), [draft, onChange])

  return (
    <fieldset className={classes.root}>
      <div className={classes.head}>
        <legend className={classes.legend}>{words.filter}</legend>
        <Views view={view} onShow={show} />
      </div>
      {view === 'builder' ? (
        <FilterBuilder
          root={root}
          onChange={change}
          problems={problemsAt}
          onTouch={touch}
          segments={segments}
          tz={tz}
        />
      ) : (
        <JsonView
          json={json}
          onChange={(next) => onChange({ ...draft, json: next })}
          unreadable={checked || stuck === draft ? unreadable : undefined}
          stuck={stuck === draft ? problems : []}
          refused={refused?.draft.json === json && refused.draft.view === 'json' ? refused.problems : []}
        />
      )}
    </fieldset>
  )
}

interface ViewsProps {
  readonly view: FilterDraft['view']
  readonly onShow: (view: FilterDraft['view']) => void
}

function Views({ view, onShow }: ViewsProps) {
  const name = useId()
  return (
    <div role="radiogroup" aria-label={words.views.label} className={classes.views}>
      {(['builder', 'json'] as const).map((option) => (
        <label key={option} className={classes.view}>
          <input
            type="radio"
            className="ds-visually-hidden"
            name={name}
            checked={view === option}
            onChange={() => onShow(option)}
          />
          {words.views[option]}
        </label>
      ))}
    </div>
  )
}

interface JsonViewProps {
  readonly json: string
  readonly onChange: (json: string) => void
  /** Why it is no JSON at all. */
  readonly unreadable: string | undefined
  /** Why the builder cannot show it. */
  readonly stuck: readonly Problem[]
  readonly refused: readonly Problem[]
}

function JsonView({ json, onChange, unreadable, stuck, refused }: JsonViewProps) {
  const describedBy = useId()
  const told = [...stuck, ...refused]
  const invalid = unreadable !== undefined || told.length > 0
  return (
    <div className={classes.json}>
      <Area
        label={words.jsonLabel}
        value={json}
        onChange={onChange}
        mono
        invalid={invalid}
        describedBy={invalid ? describedBy : undefined}
      />
      <div id={describedBy} role="alert" className={classes.wrong}>
        {unreadable !== undefined && <p>{unreadable}</p>}
        {stuck.length > 0 && <p>{words.staysJson}</p>}
        {told.length > 0 && (
          <ul>
            {told.map(({ pointer, detail }) => (
              <li key={`${pointer} ${detail}`}>
                <span className="ds-mono">{pointer === '' ? words.whole : pointer}</span> {detail}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
