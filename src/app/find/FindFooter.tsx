import { findText } from '../../messages/index.ts'
import { isApple } from '../../ui/platform.ts'
import classes from './FindDialog.module.css'

export interface FindFooterProps {
  readonly notes: readonly string[]
  /** For a screen reader alone: what has come of what was typed. */
  readonly announced: string
}

export function FindFooter({ notes, announced }: FindFooterProps) {
  const { keys } = findText
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <output> may hold no paragraphs */}
      <div role="status">
        <span className="ds-visually-hidden">{announced}</span>
        {notes.map((note) => (
          <p key={note} className={classes.note}>
            {note}
          </p>
        ))}
      </div>
      <p className={classes.keys} aria-hidden>
        <Key of={['↑', '↓']} does={keys.move} />
        <Key of={[keys.enter]} does={keys.open} />
        <Key of={[isApple() ? '⌘' : 'Ctrl', keys.enter]} does={keys.newTab} />
        <Key of={[keys.escape]} does={keys.close} />
      </p>
    </>
  )
}

function Key({ of, does }: { readonly of: readonly string[]; readonly does: string }) {
  return (
    <span>
      {of.map((key) => (
        <kbd key={key} className={classes.key}>
          {key}
        </kbd>
      ))}{' '}
      {does}
    </span>
  )
}
