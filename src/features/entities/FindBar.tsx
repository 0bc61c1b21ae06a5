import { Button } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'

import { entities } from '../../messages/index.ts'
import control from '../../ui/Control.module.css'
import type { Finding, Only } from './finding.ts'
import classes from './PropertyList.module.css'
import { IconButton } from '../../ui/IconButton.tsx'

const text = entities.find

/** Finds properties of a long entity. What is sought may be personal data: it is kept nowhere. */
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
      {text[name]}
    </Button>
  )
  return (
    <div className={classes.find}>
      <div className={`${control.control} ${classes.box}`}>
        <IconSearch size={15} aria-hidden />
        <input
          ref={box}
          className={control.text}
          type="search"
          aria-label={text.label}
          placeholder={text.placeholder}
          value={sought}
          onChange={(event) => find(event.currentTarget.value, only)}
          onKeyDown={(event) => {
            // Enter here has nothing to do with saving.
            if (event.key === 'Escape' && sought !== '') find('', only)
            else if (event.key !== 'Enter') return
            event.preventDefault()
          }}
          maxLength={200}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
        />
        {sought !== '' && (
          <IconButton
            size="small"
            aria-label={text.clear}
            onClick={() => {
              find('', only)
              box.current?.focus()
            }}
          >
            <IconX size={14} stroke={1.75} />
          </IconButton>
        )}
      </div>
      {kind('changed')}
      {kind('problems')}
      <output className={classes.count}>
        {sought.trim() === '' && only === undefined ? '' : text.shown(rows.length, all)}
      </output>
    </div>
  )
}
