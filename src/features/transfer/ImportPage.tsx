import { useEffect, useRef, useState } from 'react'

import { useDenied } from '../../auth/use-session.ts'
import { BackToList } from '../../domain/user-list/BackToList.tsx'
import { userImportText } from '../../messages/index.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { type CheckedRows, CheckStep } from './CheckStep.tsx'
import { ColumnsStep } from './ColumnsStep.tsx'
import { FileStep } from './FileStep.tsx'
import type { ImportFile } from './import-file.ts'
import type { Target } from './mapping.ts'
import { SendStep } from './SendStep.tsx'
import classes from './layout.module.css'

export function ImportPage() {
  const denied = useDenied('users:read', 'users:write')
  return (
    <>
      <PageHeader above={<BackToList />} title={userImportText.title} />
      {denied === undefined ? <Import /> : <EmptyState title={denied} underHeading />}
    </>
  )
}

type ImportStep = 'file' | 'columns' | 'check' | 'import' | 'done'
const order: readonly ImportStep[] = ['file', 'columns', 'check', 'import', 'done']

/** Imports users from a file. The content stays in memory, and nothing is written before the step `import`. */
function Import() {
  const [step, setStep] = useState<ImportStep>('file')
  const [file, setFile] = useState<ImportFile>()
  const [targets, setTargets] = useState<readonly Target[]>()
  const [areBadCellsLeft, setBadCellsLeft] = useState(false)
  const [checked, setChecked] = useState<CheckedRows>({ rows: [], changeExisting: false, reason: undefined })
  const choose = (next: ImportFile | undefined) => {
    setFile(next)
    // The columns changed, so targets chosen for the old ones no longer apply.
    setTargets(undefined)
  }
  return (
    <>
      <ImportSteps at={order.indexOf(step)} />
      {step === 'file' || !file ? (
        <FileStep file={file} onFile={choose} onNext={() => setStep('columns')} />
      ) : step === 'columns' ? (
        <ColumnsStep
          file={file}
          targets={targets}
          onTargets={setTargets}
          areBadCellsLeft={areBadCellsLeft}
          onBadCells={setBadCellsLeft}
          onBack={() => setStep('file')}
          onNext={() => setStep('check')}
        />
      ) : step === 'check' ? (
        <CheckStep
          file={file}
          targets={targets ?? []}
          areBadCellsLeft={areBadCellsLeft}
          onBack={() => setStep('columns')}
          onNext={(next) => {
            setChecked(next)
            setStep('import')
          }}
        />
      ) : (
        <SendStep
          file={file}
          {...checked}
          onDone={(isDone) => setStep(isDone ? 'done' : 'import')}
          onAgain={() => {
            choose(undefined)
            setStep('file')
          }}
        />
      )}
    </>
  )
}

function ImportSteps({ at }: { readonly at: number }) {
  const list = useRef<HTMLOListElement>(null)
  const before = useRef(at)
  useEffect(() => {
    if (before.current === at) return
    before.current = at
    // The button that led to this step is gone, so the focus moves to the current step.
    list.current?.querySelector<HTMLElement>('[aria-current]')?.focus()
  }, [at])
  return (
    <ol ref={list} aria-label={userImportText.stepsLabel} className={classes.steps}>
      {order.map((step, index) => (
        <li
          key={step}
          data-state={index < at ? 'done' : index === at ? 'now' : undefined}
          {...(index === at && { 'aria-current': 'step', tabIndex: -1 })}
        >
          <span aria-hidden>{index + 1}</span>
          {userImportText.steps[step]}
        </li>
      ))}
    </ol>
  )
}
