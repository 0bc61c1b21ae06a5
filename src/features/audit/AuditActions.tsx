import { Button } from '@mantine/core'
import { IconDownload, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { keepsErasures } from '../../domain/queries/erasures.ts'

import { auditText as text, shellText } from '../../messages/index.ts'
import { lazyPart } from '../../ui/lazy-part.tsx'
import type { AuditFilter } from './filter.ts'
import { FilterForm } from './FilterForm.tsx'

const ExportDialog = lazyPart(async () => (await import('./ExportDialog.tsx')).ExportDialog)
const icon = { size: 15, stroke: 1.75, 'aria-hidden': true }

export interface AuditActionsProps {
  readonly filter: AuditFilter
  readonly onFilter: (next: AuditFilter) => void
}

/** What the audit is limited to, and into a file. */
export function AuditActions({ filter, onFilter }: AuditActionsProps) {
  const [isExporting, setExporting] = useState(false)
  return (
    <>
      {keepsErasures() && (
        <Button variant="default" component={Link} to={links.deletedUsers()}>
          {shellText.pages.deletedUsers}
        </Button>
      )}
      <FilterForm
        face={
          <Button variant="default" leftSection={<IconFilter {...icon} />}>
            {text.filter.button}
          </Button>
        }
        filter={filter}
        onChange={onFilter}
      />
      <Button
        variant="default"
        leftSection={<IconDownload {...icon} />}
        onPointerEnter={ExportDialog.readAhead}
        onFocus={ExportDialog.readAhead}
        onClick={() => setExporting(true)}
      >
        {text.export.button}
      </Button>
      {isExporting && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </>
  )
}
