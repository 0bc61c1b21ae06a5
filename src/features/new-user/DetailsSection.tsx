import { Box, Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { flushSync } from 'react-dom'

import { ApiError, keyedWrites } from '../../api/index.ts'
import { useDenied } from '../../auth/use-session.ts'
import {
  type KnownProperties,
  useKnownProperties,
  useReadKnown,
} from '../../domain/known-properties/use-known-properties.ts'
import { atRows } from '../../domain/failures/pointers.ts'
import { entitiesQuery } from '../../domain/queries/entities.ts'
import { useReason } from '../../domain/writing/reason.ts'
import { ReasonField } from '../../domain/writing/ReasonField.tsx'
import { Unsaved } from '../../domain/writing/unsaved.tsx'
import { newUserText } from '../../messages/index.ts'
import { DisabledReason } from '../../ui/DisabledReason.tsx'
import { DetailsFields, focusRow } from './DetailsFields.tsx'
import {
  carryOut,
  type Detail,
  type DetailIssues,
  type DetailPlan,
  type DetailRow,
  createRow,
  readDetails,
  adoptKnown,
} from './user-details.ts'

const addDetailsId = 'add-details'
const noIssues: DetailIssues = new Map()

export function useDetails() {
  const client = useQueryClient()
  const [write] = useState(keyedWrites)
  const [typed, setRows] = useState<readonly DetailRow[]>([])
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState(noIssues)
  // Known properties are not requested before there is a detail.
  const asked = useKnownProperties(typed.length > 0 ? 'person' : '')
  const readKnown = useReadKnown()
  /** Known properties read for a submission made during the debounce of `asked`. */
  const [submitted, setSubmitted] = useState<KnownProperties>()
  const known = (asked.state === 'waiting' && submitted) || asked
  const rows = typed.map((row) => adoptKnown(row, known))
  const { details, issues } = readDetails(rows, known)
  const reason = useReason()
  return {
    rows,
    known,
    details,
    issues,
    reason,
    isTried,
    refused,
    begin: (row: DetailRow) => {
      setRows([row])
      setTried(false)
    },
    change: (next: readonly DetailRow[]) => {
      setRows(next)
      setRefused(noIssues)
    },
    /**
     * Waits until it is known which details are sensitive for other users, so that the submission needs no second
     * press, and returns the details to send. If something blocks them, returns undefined and focuses the problem.
     */
    ready: async (): Promise<readonly Detail[] | undefined> => {
      const of = asked.state === 'waiting' ? await readKnown('person').catch(() => undefined) : undefined
      const now: KnownProperties = of ? { ...asked, of, state: 'ready' } : asked
      const read = readDetails(
        typed.map((row) => adoptKnown(row, now)),
        now,
      )
      flushSync(() => {
        setTried(true)
        // After a failed read, or with no read needed, keep nothing that could validate later details.
        setSubmitted(of && now)
      })
      if (read.issues.size > 0) document.querySelector<HTMLElement>('fieldset [aria-invalid="true"]')?.focus()
      const isReady = read.issues.size === 0 && (read.details.length === 0 || reason.isReady())
      return isReady ? read.details : undefined
    },
    perform: async (userId: string, plan: DetailPlan) => {
      setRefused(noIssues)
      try {
        const { given } = reason
        await write([userId, plan, given], (keyed) => carryOut(userId, plan, { ...keyed, reason: given }))
      } catch (error) {
        const rowIds = plan.changes.map(({ rowId }) => rowId)
        if (error instanceof ApiError) setRefused(atRows(error.errors, rowIds).rows)
        throw error
      } finally {
        void client.invalidateQueries({ queryKey: entitiesQuery(userId).queryKey })
      }
    },
  }
}

export type Details = ReturnType<typeof useDetails>

export function DetailsSection({ section }: { readonly section: Details }) {
  const { rows, known, details, issues, reason, isTried, refused, begin, change } = section
  const denied = useDenied('entities:write')
  const add = () => {
    const row = createRow()
    flushSync(() => begin(row))
    focusRow(row)
  }
  return (
    <>
      {details.length + issues.size > 0 && <Unsaved />}
      {rows.length > 0 ? (
        <>
          <DetailsFields
            rows={rows}
            known={known}
            issues={issues}
            isTried={isTried}
            refused={refused}
            addButtonId={addDetailsId}
            onChange={change}
          />
          {/* Creating a user needs no reason, but the details may be written to an existing one. */}
          {reason.isRequired && (
            <Box maw={480} pt={16}>
              <ReasonField reason={reason} />
            </Box>
          )}
        </>
      ) : (
        <div>
          <DisabledReason reason={denied}>
            <Button
              // Aligns the button's icon with the edge of the fields.
              ms={-12}
              id={addDetailsId}
              variant="subtle"
              leftSection={<IconPlus size={15} />}
              onClick={add}
            >
              {newUserText.details.add}
            </Button>
          </DisabledReason>
        </div>
      )}
    </>
  )
}
