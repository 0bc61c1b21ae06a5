import { useState } from 'react'

import type { Separator } from '../../domain/work/csv.ts'
import { FileExport, SeparatorChoice } from '../../domain/work/FileExport.tsx'
import { auditText } from '../../messages/index.ts'
import { exportInto } from './export.ts'
import { type AuditFilter, isFiltered } from './filter.ts'

const text = auditText.export

export interface ExportDialogProps {
  readonly filter: AuditFilter
  readonly onClose: () => void
}

/** What is filtered, into a file, which says before it is made what it will hold. */
export function ExportDialog({ filter, onClose }: ExportDialogProps) {
  const [separator, setSeparator] = useState<Separator>(',')
  return (
    <FileExport
      title={text.title}
      name="audit"
      kind="csv"
      runInto={(sink) => exportInto(sink, filter, separator)}
      words={text}
      onClose={onClose}
    >
      <p>{isFiltered(filter) ? text.filtered : text.all}</p>
      <p>{text.holds}</p>
      <SeparatorChoice value={separator} onChange={setSeparator} />
    </FileExport>
  )
}
