import { Button, FileButton, Stack, Textarea } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'

import { userImportText } from '../../messages/index.ts'
import type { ImportSource } from './import-file.ts'
import classes from './transfer.module.css'

interface FileChooserProps {
  readonly isReading: boolean
  readonly onSource: (source: ImportSource) => void
}

/** Accepts a file from disk, a dropped file, or pasted rows. */
export function FileChooser({ isReading, onSource }: FileChooserProps) {
  const [isOver, setOver] = useState(false)
  const [pasted, setPasted] = useState('')
  const take = (file: File | null | undefined) => {
    if (file) onSource({ kind: 'file', name: file.name, blob: file })
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <>
      {/* The drop area is clickable for pointers only; keyboard users have the button inside it. */}
      <Stack
        align="center"
        gap="xs"
        maw={640}
        px={16}
        py={32}
        className={classes.drop ?? ''}
        data-over={isOver || undefined}
        onDragEnter={over}
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files[0])
        }}
      >
        <IconFileUpload size={28} stroke={1.5} aria-hidden className="ds-dimmed" />
        <p>{userImportText.file.drop}</p>
        <p className="ds-dimmed">{userImportText.file.or}</p>
        <FileButton onChange={take} accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values">
          {(button) => (
            <Button {...button} variant="default" loading={isReading}>
              {userImportText.file.choose}
            </Button>
          )}
        </FileButton>
      </Stack>
      <Stack
        component="form"
        align="flex-start"
        gap="xs"
        maw={640}
        onSubmit={(event) => {
          event.preventDefault()
          onSource({ kind: 'paste', text: pasted })
        }}
      >
        <Textarea
          w="100%"
          label={userImportText.file.paste}
          value={pasted}
          onChange={(event) => setPasted(event.currentTarget.value)}
          rows={4}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" variant="default" disabled={pasted.trim() === ''} loading={isReading}>
          {userImportText.file.read}
        </Button>
      </Stack>
    </>
  )
}
