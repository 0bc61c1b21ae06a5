import { propertyLabel } from '../../domain/labels.ts'
import { language } from '../../messages/index.ts'
import { Callout } from '../../ui/Callout.tsx'
import type { JobProps } from './view.ts'

const conjunction = new Intl.ListFormat(language, { type: 'conjunction' })

type Says = (parts: { readonly property: string; readonly count: number }) => string

interface InClearProps extends JobProps {
  readonly text: {
    readonly inClear: Readonly<Record<'preview' | 'change', Says>>
    readonly inClearBody: Says
  }
}

/** Warning that a job stores properties without marking them as sensitive although they are for other users. */
export function InClear({ job: { dryRun, warnings }, text }: InClearProps) {
  const found = warnings?.filter(({ code }) => code === 'known_sensitive') ?? []
  if (found.length === 0) return null
  const property = conjunction.format(found.map(({ entity, key }) => propertyLabel(entity, key)))
  const parts = { property, count: found.length }
  return (
    <Callout title={text.inClear[dryRun ? 'preview' : 'change'](parts)}>{text.inClearBody(parts)}</Callout>
  )
}
