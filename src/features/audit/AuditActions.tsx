import { Button } from '@mantine/core'
import { IconDownload, IconFilter } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router'

import { links } from '../../domain/links.ts'
import { keepsErasures } from '../../domain/queries/erasures.ts'

import { auditText as text, shellText } from '../../messages/index.ts'
import { LazyMenu } from '../../ui/LazyMenu.tsx'
import type { AuditFilter } from './filter.ts'

const exportChunk = () => import('./ExportDialog.tsx')
const ExportDialog = lazy(async () => ({ default: (await exportChunk()).ExportDialog }))
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
      <LazyMenu
        face={
          <Button variant="default" leftSection={<IconFilter {...icon} />} aria-haspopup="dialog">
            {text.filter.button}
          </Button>
        }
        load={async () => (await import('./FilterForm.tsx')).FilterForm}
        given={{ filter, onChange: onFilter }}
      />
      <Button
        variant="default"
        leftSection={<IconDownload {...icon} />}
        onPointerEnter={() => void exportChunk()}
        onFocus={() => void exportChunk()}
        onClick={() => setExporting(true)}
      >
        {text.export.button}
      </Button>
      {isExporting && (
        <Suspense>
          <ExportDialog filter={filter} onClose={() => setExporting(false)} />
        </Suspense>
      )}
    </>
  )
}
