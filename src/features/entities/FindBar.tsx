import { Button } from '@mantine/core'
import { useRef } from 'react'

import { entityText } from '../../messages/index.ts'
import { SearchInput } from '../../ui/SearchInput.tsx'
import type { Finding, Only } from './finding.ts'
import classes from './PropertyList.module.css'

const findText = entityText.find

/** Search bar for the properties of a long entity. The search text may be personal data, so it is not stored. */
export function FindBar({ finding, all }: { readonly finding: Finding; readonly all: number }) {
  const { sought, only, find, rows } = finding
  const box = useRef<HTMLInputElement>(null)
  const kind = (name: Only) => (
    <Button
      size="compact-sm"
      variant={only === name ? 'light' : 'default'}
      aria-pressed={only === name}
      onClick={() => find(sought, only === name ? undefined : name)}
    >
      {findText[name]}
    </Button>
  )
  return (
    <div className={classes.find}>
      <SearchInput
        box={box}
        className={classes.box ?? ''}
        aria-label={findText.label}
        placeholder={findText.placeholder}
        clearLabel={findText.clear}
        value={sought}
        onChange={(next) => find(next, only)}
        onKeyDown={(event) => {
          // Enter in the search box must not submit the form.
          if (event.key === 'Escape' && sought !== '') find('', only)
          else if (event.key !== 'Enter') return
          event.preventDefault()
        }}
      />
      {kind('changed')}
      {kind('problems')}
      <output className={classes.count}>
        {sought.trim() === '' && only === undefined ? '' : findText.shown({ shown: rows.length, total: all })}
      </output>
    </div>
  )
}
